import {
  AnswerError,
  ArgumentError,
  ConnectionError,
  HttpError,
  readDetail,
  SpandrelError,
  toShownUrl,
} from './errors.ts';

/** How often, and for how long, a request is repeated. */
export interface RetryOptions {
  /** Requests in all, the first one included. Default 5; 1 repeats nothing. */
  readonly attemptCountMax?: number;
  /** Time from the first request to the start of the last one, in milliseconds. Default 60,000. */
  readonly deadlineMs?: number;
  /** Time without a byte of the response after which an attempt has failed, in milliseconds. Default 60,000. */
  readonly silenceMs?: number;
}

export interface SendOptions extends RetryOptions {
  readonly fetch: (request: Request, init?: RequestInit) => Promise<Response>;
  /** Texts that no message contains, such as the key. */
  readonly secrets: readonly string[];
  /** Called with each response. */
  readonly onResponse?: (response: Response) => void;
}

const ATTEMPT_COUNT_MAX = 5;
const DEADLINE_MS = 60_000;
const SILENCE_MS = 60_000;
/** Waiting times before repeats: random from 0 to this, doubled each time. */
const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 8_000;
const RETRIED_STATUSES = new Set([429, 502, 503, 504]);
/** The first of two equal requests is running, so its response is there soon. */
const RUNNING = 'IDEMPOTENT_REQUEST_RUNNING';
/** Bytes of the body of an error that are read. */
const ERROR_BYTES_MAX = 64 * 1024;
/** POST requests that store nothing, or store the same when they are repeated, so they need no key. */
const REPEATABLE_POST =
  /\/v1\/(spans|(span|trace|session|document)_annotations|sessions\/delete|experiment_evaluations|experiments\/[^/]+\/runs|prompt_versions\/[^/]+\/tags)$/;

/** An attempt that is repeated if time is left. */
class RetryableFailure extends Error {
  readonly failure: SpandrelError;
  /** Time that the server asks for. */
  readonly waitMs: number | undefined;
  constructor(failure: SpandrelError, waitMs?: number) {
    super(failure.message);
    this.failure = failure;
    this.waitMs = waitMs;
  }
}

/**
 * Sends a request and repeats it after connection errors, 429, 502, 503 and 504. Requests that create something carry an
 * `Idempotency-Key`, so the server executes them once. JSON bodies are complete when this returns.
 *
 * @throws {HttpError} for every other status outside of 200 to 299
 * @throws {ConnectionError} {AnswerError} or the reason of the request's signal
 */
export async function send(request: Request, options: SendOptions): Promise<Response> {
  const { attemptCountMax = ATTEMPT_COUNT_MAX, deadlineMs = DEADLINE_MS } = options;
  const startedAt = performance.now();
  const keyed = withIdempotencyKey(request);
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await sendOnce(keyed, options, attempt);
      if (response.body) requestsOf.set(response.body, [request, keyed]);
      return response;
    } catch (error) {
      if (!(error instanceof RetryableFailure)) throw error;
      const waitMs = error.waitMs ?? Math.random() * Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** (attempt - 1));
      const isLate = performance.now() - startedAt + waitMs > deadlineMs;
      if (attempt >= attemptCountMax || isLate) throw error.failure;
      await wait(waitMs, request.signal);
    }
  }
}

/** A request that is collected as garbage no longer passes on its signal, which ends a body that is being read. */
const requestsOf = new WeakMap<ReadableStream, readonly Request[]>();

function withIdempotencyKey(request: Request): Request {
  const isKeyed = request.method !== 'POST' || request.headers.has('idempotency-key');
  if (isKeyed || REPEATABLE_POST.test(new URL(request.url).pathname)) return request;
  const headers = new Headers(request.headers);
  headers.set('idempotency-key', crypto.randomUUID());
  return new Request(request, { headers });
}

async function sendOnce(request: Request, options: SendOptions, attempt: number): Promise<Response> {
  const silence = new Silence(options.silenceMs ?? SILENCE_MS);
  const url = toShownUrl(request.url);
  try {
    const signal = anySignal(request.signal, silence.signal);
    // A clone, because a body can be read once. The signal is stated again, because Node 20 loses that of a request to which nothing refers.
    const response = await silence.race(options.fetch(new Request(request.clone(), { signal }), { signal }));
    options.onResponse?.(response);
    if (!response.ok) await fail(request, response, options, attempt, silence);
    checkContentType(request, response);
    return isJson(response) && response.status !== 204 ? await readWhole(response, silence) : response;
  } catch (error) {
    if (request.signal?.aborted) throw request.signal.reason;
    if (error instanceof RetryableFailure || error instanceof SpandrelError) throw error;
    throw new RetryableFailure(toConnectionError(url, error, silence, attempt, options.secrets));
  }
}

async function fail(
  request: Request,
  response: Response,
  { secrets }: SendOptions,
  attemptCount: number,
  silence: Silence,
): Promise<never> {
  const text = await readBeginning(response, silence);
  const isRepeatedDelete = request.method === 'DELETE' && response.status === 404 && attemptCount > 1;
  const detail = isRepeatedDelete
    ? 'an earlier attempt may have deleted it'
    : redact(readDetail(text, response.headers.get('content-type') ?? ''), secrets);
  const { status, statusText, headers } = response;
  const copy = new Response(text, { status, statusText, headers });
  const error = new HttpError({
    method: request.method,
    url: toShownUrl(request.url),
    response: copy,
    detail,
    attemptCount,
    hasCredential: ['authorization', 'api_key'].some((name) => request.headers.has(name)),
  });
  const isRetried = RETRIED_STATUSES.has(status) || error.errorCode === RUNNING;
  if (isRetried) throw new RetryableFailure(error, readRetryAfter(headers.get('retry-after')));
  throw error;
}

async function readBeginning(response: Response, silence: Silence): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let byteCount = 0;
  while (byteCount < ERROR_BYTES_MAX) {
    const { done, value } = await silence.race(reader.read());
    if (done) return text + decoder.decode();
    byteCount += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}

/** A response with a body that has arrived, so that a connection that ends early is an attempt that failed. */
async function readWhole(response: Response, silence: Silence): Promise<Response> {
  const parts: Uint8Array[] = [];
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = reader ? await silence.race(reader.read()) : { done: true };
    if (value) parts.push(value);
    if (done) break;
  }
  const { status, statusText, headers } = response;
  const kept = new Headers(headers);
  // The body is decoded, so what the headers say of its coding and length is wrong.
  kept.delete('content-encoding');
  kept.delete('content-length');
  return new Response(new Blob(parts as Uint8Array<ArrayBuffer>[]), { status, statusText, headers: kept });
}

const isJson = ({ headers }: Response): boolean => /^application\/json\b/i.test(headers.get('content-type') ?? '');

function checkContentType(request: Request, response: Response): void {
  const type = response.headers.get('content-type') ?? '';
  const path = new URL(request.url).pathname;
  if (!/^text\/html/i.test(type) || path.endsWith('/report')) return;
  const url = toShownUrl(request.url);
  throw new AnswerError(
    `${request.method} ${url} answered with an HTML page, expected JSON. Is this the address of a Spandrel server, and not of a proxy or a sign-in page?`,
    url,
  );
}

/** Milliseconds of a `Retry-After` header: seconds or a date. */
function readRetryAfter(text: string | null): number | undefined {
  if (!text) return undefined;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function toConnectionError(
  url: string,
  error: unknown,
  silence: Silence,
  attempt: number,
  secrets: readonly string[],
): SpandrelError {
  const reason = redact(silence.hasEnded ? `no byte came for ${silence.ms / 1_000} s` : describe(error), secrets);
  const attempts = attempt > 1 ? ` after ${attempt} attempts` : '';
  const { origin } = new URL(url);
  // The cause may hold headers of the request, so it is not kept.
  return new ConnectionError(
    `Could not get a response from ${url}${attempts}: ${reason}. Is the server running at ${origin}? SPANDREL_ENDPOINT sets its address.`,
    url,
  );
}

/** What Node says in words of its own. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'no machine has this name'],
  [
    /other side closed|terminated|UND_ERR_SOCKET|ECONNRESET/,
    'the connection ended before the whole response was there',
  ],
  [/HPE_|HTTP\/1\.1 protocol/, 'what listens there does not speak HTTP (it may be the port of gRPC)'],
  [/bad port/, 'Node and browsers do not send requests to this port'],
];

/** The innermost reason, which fetch hides under «fetch failed». */
function describe(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause; depth++) inner = inner.cause;
  if (!(inner instanceof Error)) return String(inner);
  const { code } = inner as { readonly code?: unknown };
  const known = REASONS.find(([pattern]) => pattern.test(`${String(code)} ${inner.message}`));
  if (known) return known[1];
  return inner.message || (typeof code === 'string' ? code : inner.name);
}

const redact = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((shown, secret) => (secret.length > 3 ? shown.replaceAll(secret, '***') : shown), text);

/** Resolves after a time; rejects with the signal's reason. */
export function wait(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
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

const anySignal = (first: AbortSignal | null, second: AbortSignal): AbortSignal =>
  first ? AbortSignal.any([first, second]) : second;

/** Ends an attempt when no byte arrives for a time, also if the given `fetch` does not look at its signal. */
class Silence {
  readonly ms: number;
  hasEnded = false;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    if (!(ms > 0)) throw new ArgumentError(`silenceMs must be positive, and is ${ms}.`);
    this.ms = ms;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits for a promise, and at most for the time. */
  async race<T>(promise: Promise<T>): Promise<T> {
    const silence = new Promise<never>((_, reject) => {
      this.#timer = setTimeout(() => {
        this.hasEnded = true;
        reject(new Error('silence'));
        this.#controller.abort();
      }, this.ms);
    });
    try {
      return await Promise.race([promise, silence]);
    } finally {
      clearTimeout(this.#timer);
    }
  }
}
