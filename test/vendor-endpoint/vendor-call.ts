import type { IncomingHttpHeaders } from 'node:http';
import type { VendorPrompt } from '../../clients/typescript/evals/src/fake-model/wire/protocol.ts';

export const VENDOR_PROTOCOLS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'google-generate-content',
  'bedrock-converse',
] as const;
export type VendorProtocol = (typeof VENDOR_PROTOCOLS)[number];

/** A request to a model as the endpoint received it, and what became of it. */
export interface VendorCall {
  /** Counts from 1. */
  readonly number: number;
  readonly protocol: VendorProtocol;
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The exact body. */
  readonly bodyText: string;
  readonly prompt: VendorPrompt;
  /** Connections count from 1. */
  readonly connection: number;
  readonly openedAt: number;
  /** Time by `performance.now()` at which the response was complete or the connection was closed. */
  closedAt: number | undefined;
  /** `aborted`: the caller closed the connection before the end of the response. */
  state: 'open' | 'answered' | 'aborted' | 'failed';
}
