import { Anthropic } from '@anthropic-ai/sdk';
import { MODEL_CALL_MS_MAX } from '../../model/limits/model-calls.ts';
import type { SentRequest } from '../contract/chat-model.ts';
import { ModelError } from '../contract/model-error.ts';
import type { ConnectionOf, Protocol } from '../protocol.ts';
import { toReportedError } from '../response-error.ts';
import { toSentRequest } from '../sent-request.ts';
import type { VendorCall } from '../transport/vendor-transport.ts';
import { readMessage, readMessageEvents } from './read-response.ts';
import { toBody } from './to-body.ts';

type Connection = ConnectionOf<'anthropic'>;

const BASE_URL = 'https://api.anthropic.com';
const PATH = '/v1/messages';

/** The package builds URL and headers. The body is replaced by the exact one when it is sent. */
const PLACEHOLDER = { model: '', max_tokens: 1, messages: [] };

export const protocol: Protocol<Connection> = {
  async call({ modelName, connection }, request, { call, onPiece, onSend }) {
    const body = toBody(modelName, request);
    const sent = toSentRequest({ body, url: urlsOf(connection), contentKeys: ['model', 'messages', 'system'] });
    const client = openClient(connection, call, sent.bodyText);
    onSend(sent);
    const response = await client.messages.create(PLACEHOLDER).asResponse();
    if (!request.isStreamed) return readMessage(await response.text(), onPiece);
    return readMessageEvents(response, onPiece, (event) => toReportedError(event, call));
  },

  /** Calls a model that does not exist, so that nothing is charged: the vendor checks the key first. */
  async test({ connection }, call) {
    const body = { model: UNKNOWN_MODEL, max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] };
    try {
      await openClient(connection, call, JSON.stringify(body)).messages.create(PLACEHOLDER).asResponse();
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  },
};

const UNKNOWN_MODEL = 'spandrel-test-does-not-exist';

function isNotFound(error: unknown): boolean {
  const { cause } = error as { readonly cause?: unknown };
  const found = error instanceof ModelError ? error : cause;
  return found instanceof ModelError && found.status === 404;
}

/** Addresses of a call, without a query, which may contain a key. */
function urlsOf({ baseUrl = BASE_URL }: Connection): NonNullable<SentRequest['url']> {
  return { full: `${withoutSlash(baseUrl.replace(/[?#].*$/, ''))}${PATH}`, path: PATH };
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Variables of the process that the package would read are given here, or removed from its requests. */
function openClient(
  { baseUrl = BASE_URL, apiKey, headers }: Connection,
  call: VendorCall,
  bodyText: string,
): Anthropic {
  const authorization = `Bearer ${apiKey}`;
  return new Anthropic({
    apiKey,
    baseURL: withoutSlash(baseUrl),
    webhookKey: null,
    maxRetries: 0,
    timeout: MODEL_CALL_MS_MAX,
    logLevel: 'off',
    openTelemetry: false,
    fetch: (url, init) =>
      call.fetch(url as string, {
        ...(init as RequestInit),
        headers: { ...ownHeaders(init?.headers as Headers), authorization, ...lowerCased(headers) },
        body: bodyText,
      }),
  });
}

/** `ANTHROPIC_CUSTOM_HEADERS` may contain a credential, and would be sent to any base URL. */
function ownHeaders(headers: Headers): Record<string, string> {
  const isOwn = (name: string) => OWN_HEADERS.has(name) || name.startsWith('x-stainless-');
  return Object.fromEntries([...headers].filter(([name]) => isOwn(name)));
}

const OWN_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'user-agent', 'anthropic-version']);

const lowerCased = (headers: Connection['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
