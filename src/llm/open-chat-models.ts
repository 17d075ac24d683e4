import { createHash, createHmac, randomBytes } from 'node:crypto';
import { MODEL_TEST_MS_MAX } from '../model/limits/model-calls.ts';
import type { ModelProvider } from '../model/prompts/prompt-parameters.ts';
import { credentialsOf, secretsOf } from './connection-secrets.ts';
import type { CallOptions, ChatModel, ChatRequest, ChatResponse } from './contract/chat-model.ts';
import type { ChatModels } from './contract/chat-models.ts';
import { ModelError } from './contract/model-error.ts';
import type { ModelConnection, ModelTarget } from './contract/model-target.ts';
import { CredentialCache } from './credential-cache.ts';
import { loadProtocol, streamFormOf } from './load-protocol.ts';
import { openVendorTransport, type TransportOptions, type VendorTransport } from './transport/vendor-transport.ts';

/** Opens models over one transport. Nothing is loaded or connected before the first call. */
export function openChatModels(options: TransportOptions): ChatModels {
  const transport = openVendorTransport(options);
  const shared = { transport, credentials: new CredentialCache(), hashKey: randomBytes(32) };
  return {
    open: (target) => openModel(target, shared),
    test: (target) => testTarget(target, shared),
    close: () => transport.close(),
  };
}

interface Shared {
  readonly transport: VendorTransport;
  readonly credentials: CredentialCache;
  /** Rate limit keys are compared within this process only, and reveal nothing about credentials outside of it. */
  readonly hashKey: Buffer;
}

function openModel(target: ModelTarget, shared: Shared): ChatModel {
  const { modelName, providerWord, connection } = target;
  return {
    modelName,
    provider: providerWord,
    system: SYSTEMS[connection.type],
    rateLimitKey: createHmac('sha256', shared.hashKey).update(limitedBy(target)).digest('base64url'),
    get identity() {
      const { modelProvider } = target;
      return createHash('sha256')
        .update(JSON.stringify([modelProvider, providerWord, modelName, connection]))
        .digest('hex');
    },
    call: (request, options) => callModel(target, shared, request, options),
  };
}

/** Values of `llm.system`. */
const SYSTEMS: Readonly<Record<ModelConnection['type'], string>> = {
  openai: 'openai',
  azure_openai: 'openai',
  anthropic: 'anthropic',
  google_genai: 'vertexai',
  aws_bedrock: 'aws',
};

/** Vendors that limit each model of a key for itself. */
const LIMITS_BY_MODEL: ReadonlySet<ModelProvider> = new Set(['OPENAI', 'AZURE_OPENAI', 'GOOGLE', 'AWS']);

function limitedBy({ modelName, modelProvider, connection }: ModelTarget): string {
  return JSON.stringify([
    ...[connection.type, credentialsOf(connection), addressOf(connection) ?? null],
    LIMITS_BY_MODEL.has(modelProvider) ? modelName : null,
  ]);
}

function addressOf(connection: ModelConnection): string | undefined {
  if (connection.type === 'azure_openai') return connection.endpoint;
  if (connection.type === 'aws_bedrock') return `${connection.region} ${connection.endpointUrl ?? ''}`;
  return connection.baseUrl;
}

async function callModel(
  { modelName, modelProvider, connection }: ModelTarget,
  { transport, credentials }: Shared,
  request: ChatRequest,
  { signal, onPiece, onSend = () => {}, onLimits }: CallOptions,
): Promise<ChatResponse> {
  const protocol = await loadProtocol(connection);
  const form = request.isStreamed ? streamFormOf(connection.type) : 'whole';
  return transport.call({ signal, secrets: secretsOf(connection), form, onLimits }, (call) =>
    protocol.call({ modelName, modelProvider, connection, credentials }, request, {
      ...{ call, onSend },
      onPiece(piece) {
        // The transport counts responses that are not streamed.
        if (request.isStreamed) call.hold(piece.type === 'toolCall' ? piece.arguments.length : piece.text.length);
        onPiece(piece);
      },
    }),
  );
}

async function testTarget(
  { modelName, modelProvider, connection }: ModelTarget,
  { transport, credentials }: Shared,
): Promise<string | null> {
  const protocol = await loadProtocol(connection);
  const { signal } = new AbortController();
  const limits = { signal, secrets: secretsOf(connection), form: 'whole', totalMs: MODEL_TEST_MS_MAX } as const;
  try {
    await transport.call(limits, (call) => protocol.test({ modelName, modelProvider, connection, credentials }, call));
    return null;
  } catch (error) {
    if (error instanceof ModelError) return error.message;
    throw error;
  }
}
