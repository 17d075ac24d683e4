import { OpenAI } from 'openai';
import type { SentRequest } from '../contract/chat-model.ts';
import { ModelError } from '../contract/model-error.ts';
import type { VendorCall } from '../transport/vendor-transport.ts';
import { azureToken } from './azure-token.ts';
import type { OpenAiConnection, OpenAiModel } from './openai-model.ts';

const OPENAI_BASE_URL = 'https://api.openai.com/v1';
/** The client accepts no empty key, and local servers need none. */
const NO_KEY = 'none';

export interface OpenAiClient {
  readonly openai: OpenAI;
  readonly baseUrl: string;
}

/** The official client for one call. It has no retries, logs nothing, and takes nothing from the environment. */
export async function openClient(model: OpenAiModel, call: VendorCall): Promise<OpenAiClient> {
  const { connection } = model;
  const { baseUrl, query } = splitBaseUrl(baseUrlOf(connection));
  const apiKey = connection.type === 'azure_openai' ? await azureKey(model, call) : connection.apiKey;
  const openai = new OpenAI({
    apiKey: apiKey === '' ? NO_KEY : apiKey,
    ...{ adminAPIKey: null, webhookSecret: null },
    baseURL: baseUrl,
    organization: (connection.type === 'openai' ? connection.organization : undefined) ?? null,
    project: (connection.type === 'openai' ? connection.project : undefined) ?? null,
    defaultHeaders: connection.headers,
    defaultQuery: query,
    maxRetries: 0,
    logLevel: 'off',
    fetch: withoutHeadersOfEnvironment(call.fetch, connection.headers),
  });
  return { openai, baseUrl };
}

/** Addresses of a call, without a query, which may contain a key. */
export const urlsOf = (baseUrl: string, path: string): NonNullable<SentRequest['url']> => ({
  full: baseUrl + path,
  path,
});

function baseUrlOf(connection: OpenAiConnection): string {
  if (connection.type === 'openai') return connection.baseUrl ?? OPENAI_BASE_URL;
  const endpoint = connection.endpoint.replace(/\/+$/, '');
  return endpoint.endsWith('/openai/v1') ? endpoint : `${endpoint}/openai/v1`;
}

/** Gateways have parameters in their base URL, which belong behind the path of each call. */
function splitBaseUrl(text: string): { readonly baseUrl: string; readonly query: Record<string, string> } {
  if (!URL.canParse(text)) throw new ModelError('rejected', 'The base URL of the model endpoint is not a URL.');
  const url = new URL(text);
  const query = Object.fromEntries(url.searchParams);
  if (url.username !== '' || url.password !== '') {
    throw new ModelError('rejected', 'The base URL of a model endpoint must not contain credentials. Use a header.');
  }
  url.search = '';
  url.hash = '';
  return { baseUrl: url.href.replace(/\/+$/, ''), query };
}

async function azureKey({ connection, credentials }: OpenAiModel, call: VendorCall): Promise<string> {
  if (connection.type !== 'azure_openai') return NO_KEY;
  if (connection.credential.type === 'key') return connection.credential.apiKey;
  return azureToken(connection, connection.credential, credentials, call);
}

/** Headers that the client sets. */
const CLIENT_HEADERS = /^(accept|authorization|content-type|user-agent|openai-(organization|project)|x-stainless-.*)$/;

/** The client adds the headers of OPENAI_CUSTOM_HEADERS, which are meant for another endpoint than this one. */
function withoutHeadersOfEnvironment(send: typeof fetch, own: Readonly<Record<string, string>>): typeof fetch {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  return (input, init) => {
    const headers = [...new Headers(init?.headers)].filter(([name]) => CLIENT_HEADERS.test(name) || names.has(name));
    return send(input, { ...init, headers });
  };
}
