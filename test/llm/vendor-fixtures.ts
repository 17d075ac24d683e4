import type { TestContext } from 'node:test';
import { parseExactJson } from '../../src/base/parse-exact-json.ts';
import type { InvocationParameters } from '../../src/model/prompts/prompt-parameters.ts';
import type {
  ChatMessage,
  ChatModel,
  ChatPiece,
  ChatRequest,
  ChatResponse,
  SentRequest,
} from '../../src/llm/contract/chat-model.ts';
import type { ChatModels } from '../../src/llm/contract/chat-models.ts';
import type { ModelConnection, ModelTarget } from '../../src/llm/contract/model-target.ts';
import { openChatModels } from '../../src/llm/open-chat-models.ts';
import { NO_PROXIES } from '../../src/llm/transport/proxy-settings.ts';
import type { VendorCall } from '../vendor-endpoint/vendor-call.ts';
import {
  openVendorEndpoint,
  type VendorEndpoint,
  type VendorEndpointOptions,
} from '../vendor-endpoint/vendor-endpoint.ts';

export type OwnVendor = 'anthropic' | 'google' | 'bedrock';
export const OWN_VENDORS: readonly OwnVendor[] = ['anthropic', 'google', 'bedrock'];

/** Text that a test compares. It has every kind of value that a reader of numbers or texts could change. */
export const EXACT_SCHEMA =
  '{"type":"object","properties":{"n":{"type":"number","maximum":1.0,"minimum":-0,"multipleOf":1e-7},"id":{"const":9007199254740993},"ä\\u0000":{}},"__proto__":{"a":1}}';

export const exact = (text: string) => parseExactJson(text, { depthMax: 50 });

const KEY = 'test-key-0123456789';

export function targetOf(
  vendor: OwnVendor,
  url: string,
  { modelName = 'test-model', key = KEY, headers = {} } = {},
): ModelTarget {
  const connections: Record<OwnVendor, ModelConnection> = {
    anthropic: { type: 'anthropic', baseUrl: url, apiKey: key, headers },
    google: { type: 'google_genai', baseUrl: url, apiKey: key, headers },
    bedrock: {
      type: 'aws_bedrock',
      region: 'eu-central-1',
      endpointUrl: url,
      credential: { type: 'keys', accessKeyId: key, secretAccessKey: 'secret-0123456789', sessionToken: undefined },
      headers,
    },
  };
  const providers = { anthropic: 'ANTHROPIC', google: 'GOOGLE', bedrock: 'AWS' } as const;
  const words = { anthropic: 'anthropic', google: 'google', bedrock: 'aws' } as const;
  return { modelName, modelProvider: providers[vendor], providerWord: words[vendor], connection: connections[vendor] };
}

export interface VendorTest {
  readonly endpoint: VendorEndpoint;
  readonly models: ChatModels;
  open(vendor: OwnVendor, options?: { modelName?: string; key?: string; headers?: Record<string, string> }): ChatModel;
}

export async function openVendorTest(
  t: Pick<TestContext, 'after'>,
  options: VendorEndpointOptions = {},
): Promise<VendorTest> {
  const endpoint = await openVendorEndpoint(t as { after(close: () => Promise<void>): void }, options);
  const models = openChatModels({ proxies: NO_PROXIES, allowsPrivate: true });
  t.after(() => models.close());
  return { endpoint, models, open: (vendor, given) => models.open(targetOf(vendor, endpoint.url, given)) };
}

const DEFAULTS: Record<OwnVendor, InvocationParameters> = {
  anthropic: { type: 'anthropic', anthropic: { max_tokens: 100 } },
  google: { type: 'google', google: {} },
  bedrock: { type: 'aws', aws: {} },
};

export function requestOf(
  vendor: OwnVendor,
  content: string | readonly ChatMessage[],
  changes: Partial<ChatRequest> = {},
): ChatRequest {
  return {
    messages: typeof content === 'string' ? [{ role: 'user', parts: [{ type: 'text', text: content }] }] : content,
    tools: null,
    responseFormat: null,
    parameters: DEFAULTS[vendor],
    isStreamed: false,
    ...changes,
  };
}

export interface Called {
  readonly response: ChatResponse;
  readonly sent: SentRequest;
  readonly pieces: readonly ChatPiece[];
  readonly arrived: VendorCall;
}

/** Calls a model once, and returns everything that a caller and the vendor saw. */
export async function callOnce({ endpoint }: VendorTest, model: ChatModel, request: ChatRequest): Promise<Called> {
  const pieces: ChatPiece[] = [];
  const sent: SentRequest[] = [];
  const response = await model.call(request, {
    signal: new AbortController().signal,
    onPiece: (piece) => pieces.push(piece),
    onSend: (request) => sent.push(request),
  });
  const arrived = endpoint.calls.at(-1);
  if (arrived === undefined || sent[0] === undefined) throw new Error('nothing was sent');
  return { response, sent: sent[0], pieces, arrived };
}
