import type { Dispatcher } from 'undici';
import { ModelError } from '../contract/model-error.ts';

/** Headers of the connection, which the transport sets itself. With them, a caller could smuggle requests or name another host. */
const RESERVED_HEADERS = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect', 'te', 'trailer'],
  ...['proxy-authorization', 'proxy-connection', 'accept-encoding'],
]);

export interface PreparedRequest {
  readonly url: URL;
  readonly dispatch: Dispatcher.DispatchOptions & { readonly origin: URL };
}

/**
 * Converts the arguments of `fetch`. A compressed response would arrive late and could grow, so none is allowed.
 *
 * @throws {ModelError} for a URL or header that cannot be sent
 */
export function toRequest(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): PreparedRequest {
  const url = toUrl(input);
  const headers = ['accept-encoding', 'identity'];
  for (const [name, value] of readHeaders(init?.headers)) {
    if (!RESERVED_HEADERS.has(name)) headers.push(name, value);
  }
  const { body } = init ?? {};
  if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('The body of a call to a model is text or bytes');
  }
  return {
    url,
    dispatch: {
      origin: new URL(url.origin),
      path: `${url.pathname}${url.search}`,
      method: (init?.method ?? 'GET').toUpperCase() as Dispatcher.HttpMethod,
      headers,
      body: body ?? null,
    },
  };
}

function toUrl(input: Parameters<typeof fetch>[0]): URL {
  const text = typeof input === 'string' || input instanceof URL ? String(input) : input.url;
  if (!URL.canParse(text)) throw new ModelError('rejected', 'The base URL of the model endpoint is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ModelError('rejected', 'The base URL of a model endpoint must begin with https:// or http://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new ModelError('rejected', 'The base URL of a model endpoint must not contain credentials. Use a header.');
  }
  return url;
}

function readHeaders(given: RequestInit['headers']): Headers {
  try {
    return new Headers(given);
  } catch {
    // The error of `Headers` repeats the value, which may be a secret.
    throw new ModelError('rejected', 'A header of the request has a name or value that HTTP does not allow.');
  }
}
