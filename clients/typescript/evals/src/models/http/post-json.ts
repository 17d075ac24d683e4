import { ModelError } from '../../errors.ts';
import { ownValue } from '../../own-value.ts';

/** An address with its credential. */
export interface Connection {
  readonly provider: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Never part of a message. */
  readonly apiKey: string | undefined;
  /** Where the key comes from, for messages. */
  readonly keySource: string;
  /** Goes before the time of a call. */
  readonly timeoutMs: number | undefined;
  readonly fetch: typeof globalThis.fetch;
}

export interface CallLimits {
  readonly signal?: AbortSignal;
  /** Default: 60,000. */
  readonly timeoutMs?: number;
  /** Bytes of the response: a model that never ends is stopped. Default: 32 MiB. */
  readonly bytesMax?: number;
}

const TIMEOUT_MS = 60_000;
const RESPONSE_BYTES_MAX = 32 * 1024 * 1024;
const ERROR_CHARS_MAX = 300;

export interface JsonResponse {
  readonly body: unknown;
  readonly headers: Headers;
}

/** Sends JSON and reads JSON. @throws {ModelError} with status and headers, also for a lost connection and a time limit */
export function postJson(
  connection: Connection,
  path: string,
  body: unknown,
  limits: CallLimits,
): Promise<JsonResponse> {
  return sendForJson(connection, path, { method: 'POST', body: JSON.stringify(body) }, limits);
}

export async function sendForJson(
  connection: Connection,
  path: string,
  init: { readonly method: string; readonly body?: string | FormData },
  limits: CallLimits,
): Promise<JsonResponse> {
  const { response, text } = await sendForText(connection, path, init, limits);
  try {
    return { body: JSON.parse(text), headers: response.headers };
  } catch (cause) {
    const shown = JSON.stringify(text.slice(0, ERROR_CHARS_MAX));
    // Half an answer of a server that broke off: the same request may succeed.
    throw new ModelError(`${urlOf(connection, path)} answered with no JSON: ${shown}`, {
      status: 502,
      headers: response.headers,
      cause,
    });
  }
}

export async function sendForText(
  connection: Connection,
  path: string,
  init: { readonly method: string; readonly body?: string | FormData },
  limits: CallLimits,
): Promise<{ readonly response: Response; readonly text: string }> {
  const { signal, bytesMax = RESPONSE_BYTES_MAX } = limits;
  const timeoutMs = connection.timeoutMs ?? limits.timeoutMs ?? TIMEOUT_MS;
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => controller.abort(timeoutError(connection, path, timeoutMs)), timeoutMs);
  try {
    const response = await connection.fetch(urlOf(connection, path), {
      ...init,
      headers: { ...(typeof init.body === 'string' && { 'content-type': 'application/json' }), ...connection.headers },
      signal: controller.signal,
      // A key goes to the host that it was given for.
      redirect: 'error',
    });
    const text = await readText(response, controller, bytesMax);
    if (!response.ok) throw toModelError(connection, path, response, text);
    return { response, text };
  } catch (error) {
    if (error instanceof ModelError || signal?.aborted) throw error;
    if (controller.signal.aborted) throw controller.signal.reason;
    throw lostConnection(connection, path, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

const urlOf = ({ baseUrl }: Connection, path: string): string => `${baseUrl}${path}`;

const timeoutError = (connection: Connection, path: string, timeoutMs: number): ModelError =>
  new ModelError(`${urlOf(connection, path)} did not answer within ${timeoutMs / 1000} s.`, { status: 408 });

function lostConnection(connection: Connection, path: string, error: unknown): ModelError {
  const cause = (error as { cause?: { message?: string; code?: string } }).cause;
  const reason = cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
  return new ModelError(`${urlOf(connection, path)} cannot be reached: ${reason}.`, { cause: error });
}

async function readText(response: Response, controller: AbortController, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > bytesMax) {
      controller.abort();
      throw new ModelError(`The response has more than ${bytesMax} bytes; the model does not end.`, {
        status: 413,
      });
    }
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toModelError(connection: Connection, path: string, response: Response, text: string): ModelError {
  const { status, headers } = response;
  const said = scrub(messageOf(text), connection.apiKey);
  const advice =
    status === 401 || status === 403 ? ` Check the key of ${connection.provider} (${connection.keySource}).` : '';
  return new ModelError(`${urlOf(connection, path)} answered ${status}: ${said}${advice}`, { status, headers });
}

function messageOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const error = ownValue(Array.isArray(body) ? body[0] : body, 'error');
    const message = ownValue(error, 'message') ?? ownValue(body, 'message') ?? error;
    const code = ownValue(error, 'code') ?? ownValue(error, 'type');
    if (typeof message === 'string')
      return `${message}${typeof code === 'string' && !message.includes(code) ? ` (${code})` : ''}`.slice(
        0,
        ERROR_CHARS_MAX,
      );
  } catch {
    // A page of a proxy.
  }
  return text.trim().slice(0, ERROR_CHARS_MAX) || 'nothing';
}

/** A short key is a placeholder of a server without keys, and would be found in words. */
const SECRET_CHARS_MIN = 8;

const scrub = (text: string, key: string | undefined): string =>
  key !== undefined && key.length >= SECRET_CHARS_MIN ? text.replaceAll(key, '[key]') : text;
