const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 60_000;

const REPEATABLE_STATUSES = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);
const NETWORK_CODES = new Set([
  ...['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH'],
  ...['UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
]);

/** `error` and its causes. */
function* causes(error: unknown): Generator<Record<string, unknown>> {
  let at = error;
  for (let depth = 0; depth < 5 && typeof at === 'object' && at !== null; depth++) {
    yield at as Record<string, unknown>;
    at = (at as Record<string, unknown>).cause;
  }
}

/** The status of HTTP of an error of this package or of a vendor's. */
export function statusOf(error: unknown): number | undefined {
  for (const { status, statusCode } of causes(error)) {
    if (typeof status === 'number') return status;
    if (typeof statusCode === 'number') return statusCode;
  }
  return undefined;
}

/** The code of a system or network error, such as `ECONNREFUSED`. */
export function codeOf(error: unknown): string | undefined {
  for (const { code } of causes(error)) if (typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code)) return code;
  return undefined;
}

/** Whether the vendor said that there were too many requests. */
export const isRateLimit = (error: unknown): boolean => [429, 529].includes(statusOf(error) ?? 0);

export function isTimeout(error: unknown): boolean {
  if ([408, 504].includes(statusOf(error) ?? 0)) return true;
  for (const { name } of causes(error)) if (typeof name === 'string' && /timeout/i.test(name)) return true;
  return false;
}

/** Whether the same request may succeed later. An exhausted quota is none that waiting helps. */
export function isRepeatable(error: unknown): boolean {
  if (error instanceof Error && /insufficient_quota|exceeded your current quota/.test(error.message)) return false;
  const status = statusOf(error);
  if (status !== undefined) return REPEATABLE_STATUSES.has(status);
  if (isTimeout(error)) return true;
  for (const { code, message } of causes(error)) {
    if (typeof code === 'string' && NETWORK_CODES.has(code)) return true;
    if (typeof message === 'string' && /^(fetch failed|terminated|other side closed)$/.test(message)) return true;
  }
  return false;
}

/** Headers that say how long to wait, from an error of this package or of a vendor's. */
export function headersOf(error: unknown): Headers | undefined {
  for (const { headers, responseHeaders } of causes(error)) {
    const found = headers ?? responseHeaders;
    if (found instanceof Headers) return found;
    if (typeof found === 'object' && found !== null) {
      const texts = Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
      return new Headers(texts);
    }
  }
  return undefined;
}

/** Milliseconds of `retry-after-ms` or `retry-after`, which is seconds or a date. */
export function retryAfterMs(headers: Headers | undefined): number | undefined {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const after = headers?.get('retry-after');
  if (!after) return undefined;
  const seconds = Number(after);
  const found = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(after) - Date.now();
  return Number.isFinite(found) ? Math.max(0, found) : undefined;
}

/** How long to wait before attempt `attempt + 1`: as the vendor says, else longer each time, by chance so that calls spread. */
export const repeatWaitMs = (error: unknown, attempt: number): number =>
  Math.min(WAIT_MS_MAX, retryAfterMs(headersOf(error)) ?? FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));

/** Waits. @throws the reason of the signal when it fires */
export function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return void reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
