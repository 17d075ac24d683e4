import { ArgumentError } from '../errors.ts';
import { readVariable } from '../settings/environment.ts';
import { readAnthropicBody, toAnthropicBody } from './http/anthropic.ts';
import { readGoogleBody, toGoogleBody } from './http/google.ts';
import { readOpenAiBody, toOpenAiBody } from './http/openai.ts';
import { type Connection, postJson } from './http/post-json.ts';
import type { AnswerForm, Model, ModelPrices, ModelRequest, ModelResponse } from './model.ts';
import { checkPrices } from './prices/model-prices.ts';

/** Vendors that are reached by plain HTTP. Others are reached by a model of the AI SDK. */
export type ModelProvider = 'openai' | 'azure' | 'anthropic' | 'google' | 'openai-compatible';

export interface OpenModelOptions {
  readonly provider: ModelProvider;
  readonly model: string;
  /**
   * Such as `http://localhost:11434/v1`. Default: `OPENAI_BASE_URL` or `ANTHROPIC_BASE_URL` of the environment, as for the packages of
   * these vendors, else the vendor's address. Needed for `azure`.
   */
  readonly baseUrl?: string;
  /** Default: the vendor's variable of the environment. */
  readonly apiKey?: string;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time of a call in milliseconds; default: that of the run, else 60,000. */
  readonly timeoutMs?: number;
  /** Dollars for a million tokens; default: the price table of this package. */
  readonly prices?: ModelPrices;
  readonly fetch?: typeof globalThis.fetch;
}

/** A model with its connection, which the batch interfaces of vendors use, too. */
export interface HttpModel extends Model {
  readonly connection: Connection;
  toBody(request: ModelRequest): Record<string, unknown>;
  readBody(body: unknown, request: ModelRequest): ModelResponse;
}

interface Vendor {
  readonly baseUrl: string | undefined;
  readonly addressVariable?: string;
  readonly keyVariables: readonly string[];
  readonly isKeyOptional?: boolean;
  readonly answerForms: readonly AnswerForm[];
  toHeaders(apiKey: string): Record<string, string>;
  toPath(model: string): string;
  toBody(model: string, request: ModelRequest): Record<string, unknown>;
  readBody(body: unknown, request: ModelRequest): ModelResponse;
}

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });
const chatCompletions = {
  answerForms: ['schema', 'tool', 'words'],
  toHeaders: bearer,
  toPath: () => '/chat/completions',
  readBody: readOpenAiBody,
} as const;

const VENDORS: Readonly<Record<ModelProvider, Vendor>> = {
  openai: {
    ...chatCompletions,
    baseUrl: 'https://api.openai.com/v1',
    addressVariable: 'OPENAI_BASE_URL',
    keyVariables: ['OPENAI_API_KEY'],
    toBody: (model, request) => toOpenAiBody(model, request, true),
  },
  azure: {
    ...chatCompletions,
    baseUrl: undefined,
    keyVariables: ['AZURE_OPENAI_API_KEY'],
    toHeaders: (apiKey) => ({ 'api-key': apiKey }),
    toBody: (model, request) => toOpenAiBody(model, request, true),
  },
  'openai-compatible': {
    ...chatCompletions,
    baseUrl: undefined,
    addressVariable: 'OPENAI_BASE_URL',
    keyVariables: [],
    isKeyOptional: true,
    toBody: (model, request) => toOpenAiBody(model, request, false),
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com',
    addressVariable: 'ANTHROPIC_BASE_URL',
    keyVariables: ['ANTHROPIC_API_KEY'],
    answerForms: ['tool', 'words'],
    toHeaders: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
    toPath: () => '/v1/messages',
    toBody: toAnthropicBody,
    readBody: readAnthropicBody,
  },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com',
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
    answerForms: ['schema', 'tool', 'words'],
    toHeaders: (apiKey) => ({ 'x-goog-api-key': apiKey }),
    toPath: (model) => `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    toBody: (_, request) => toGoogleBody(request),
    readBody: readGoogleBody,
  },
};

/**
 * A model that is reached by HTTP. Nothing is sent yet.
 *
 * @throws {ArgumentError} for an unknown provider, a missing address or a missing key
 */
export function openModel(options: OpenModelOptions): HttpModel {
  const { provider, model, timeoutMs, prices } = options;
  const vendor = Object.hasOwn(VENDORS, provider) ? VENDORS[provider] : undefined;
  if (!vendor) {
    throw new ArgumentError(
      `The provider is one of ${Object.keys(VENDORS).join(', ')}, and not "${String(provider)}"; for others pass a language model of the AI SDK.`,
    );
  }
  if (typeof model !== 'string' || !model.trim())
    throw new ArgumentError(`openModel needs the name of a model of ${provider}.`);
  if (prices) checkPrices(prices);
  const baseUrl = findAddress(options, vendor);
  const { apiKey, keySource } = findKey(options, vendor);
  const connection: Connection = {
    provider,
    baseUrl,
    headers: { ...(apiKey !== undefined && vendor.toHeaders(apiKey)), ...options.headers },
    apiKey,
    keySource,
    timeoutMs,
    fetch: options.fetch ?? globalThis.fetch,
  };
  return {
    provider,
    name: model,
    address: baseUrl,
    answerForms: vendor.answerForms,
    connection,
    ...(prices && { prices }),
    toBody: (request) => vendor.toBody(model, request),
    readBody: vendor.readBody,
    async call(request) {
      const { body, headers } = await postJson(
        connection,
        vendor.toPath(model),
        vendor.toBody(model, request),
        request,
      );
      return { ...vendor.readBody(body, request), headers };
    },
  };
}

function findAddress({ baseUrl, provider }: OpenModelOptions, { addressVariable, ...vendor }: Vendor): string {
  const variable = addressVariable && baseUrl === undefined ? readVariable(addressVariable) : undefined;
  const found = baseUrl ?? variable ?? vendor.baseUrl;
  if (found === undefined)
    throw new ArgumentError(`The provider ${provider} needs baseUrl, such as http://localhost:11434/v1.`);
  if (!URL.canParse(found) || !/^https?:$/.test(new URL(found).protocol)) {
    const name = variable === undefined ? 'baseUrl' : addressVariable;
    throw new ArgumentError(`${name} is an address of HTTP, and not "${found}".`);
  }
  return found.replace(/\/+$/, '');
}

function findKey({ apiKey, provider }: OpenModelOptions, { keyVariables, isKeyOptional }: Vendor) {
  if (apiKey !== undefined) return { apiKey, keySource: 'apiKey' };
  for (const name of keyVariables) {
    const found = readVariable(name);
    if (found !== undefined) return { apiKey: found, keySource: name };
  }
  if (!isKeyOptional)
    throw new ArgumentError(`The provider ${provider} needs a key: set ${keyVariables.join(' or ')}, or pass apiKey.`);
  return { apiKey: undefined, keySource: 'apiKey' };
}
