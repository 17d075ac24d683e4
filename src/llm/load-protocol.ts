import type { ModelConnection } from './contract/model-target.ts';
import type { Protocol } from './protocol.ts';
import type { BodyForm } from './transport/response-body.ts';

/** How a type of connection is served. A registry: one entry per type. */
interface ProtocolEntry {
  /** Loads the protocol and the vendor's package, which takes tens of milliseconds and megabytes. */
  readonly load: () => Promise<{ readonly protocol: Protocol<never> }>;
  /** Form of a streamed response. */
  readonly streamForm: BodyForm;
}

const openai: ProtocolEntry = { load: () => import('./openai/openai-protocol.ts'), streamForm: 'events' };

const PROTOCOLS: Readonly<Record<ModelConnection['type'], ProtocolEntry>> = {
  openai,
  azure_openai: openai,
  anthropic: { load: () => import('./anthropic/anthropic-protocol.ts'), streamForm: 'events' },
  google_genai: { load: () => import('./google/google-protocol.ts'), streamForm: 'events' },
  aws_bedrock: { load: () => import('./bedrock/bedrock-protocol.ts'), streamForm: 'stream' },
};

export const streamFormOf = (type: ModelConnection['type']): BodyForm => PROTOCOLS[type].streamForm;

export async function loadProtocol<Connection extends ModelConnection>(
  connection: Connection,
): Promise<Protocol<Connection>> {
  const { protocol } = await PROTOCOLS[connection.type].load();
  return protocol as Protocol<ModelConnection> as Protocol<Connection>;
}
