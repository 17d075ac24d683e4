import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Domain } from '../../domain/domain.ts';
import { errorResponse } from '../../server/error-response.ts';
import type { HttpRequest, HttpResponse } from '../../server/route.ts';
import { BodyHash } from './body-hash.ts';

/** Header with which a client names a request that is executed once. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';
/** Header of a response that is that of an earlier request. */
export const REPLAYED_HEADER = 'idempotency-replayed';

/** `repeatable`: a second execution stores nothing twice. `once`: it would. */
export type IdempotencyRule = 'repeatable' | 'once';

type Handle = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * Executes a request with a key unless it has been executed, and otherwise repeats its response. A request without a key is
 * executed. The key belongs to the caller, the method, the path, the query and the body.
 */
export async function handleOnce(
  request: HttpRequest,
  { domain, rule, handle }: { readonly domain: Domain; readonly rule: IdempotencyRule; readonly handle: Handle },
): Promise<HttpResponse> {
  const key = request.header(IDEMPOTENCY_KEY_HEADER);
  if (key === undefined) return handle(request);
  const body = new HashedBody(request);
  const claim = await domain.idempotency.claim({
    key,
    targetHash: createHash('sha256').update(`${request.method} ${request.path}?${request.query}`).digest(),
    bodyHash: body.isStreamed ? undefined : await body.readToEnd(),
    isRepeatable: rule === 'repeatable',
  });
  if (claim.kind === 'repeated') {
    const { status, headers, body: bytes } = domain.idempotency.repeat(claim, await body.readToEnd());
    return { status, headers: { ...headers, [REPLAYED_HEADER]: 'true' }, body: bytes };
  }
  const response = await handle(body.request).then(
    (handled) => handled,
    async (error) => {
      const rejection = errorResponse(error);
      if (rejection) return rejection;
      await domain.idempotency.release(claim);
      throw error;
    },
  );
  if (isWorthRepeating(response, body.isRead)) {
    await domain.idempotency.record(claim, { bodyHash: () => body.readToEnd(), response: toStored(response) });
  } else {
    await domain.idempotency.release(claim);
  }
  return response;
}

/**
 * Rejections that may not hold for the next attempt: the credential, the time that the body took, the load, and a stop. All
 * of them are made before anything is stored.
 */
const PASSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 408, 425, 429, 499]);

/** A rejection before the end of the body is not worth reading the rest. */
const isWorthRepeating = ({ status, body }: HttpResponse, isBodyRead: boolean): boolean =>
  status < 500 && !PASSING_STATUSES.has(status) && !isStream(body) && (status < 400 || isBodyRead);

const isStream = (body: HttpResponse['body']): body is AsyncIterable<Uint8Array> =>
  body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);

const toStored = ({ status, headers = {}, body }: HttpResponse) => ({
  status,
  headers,
  body: isStream(body) || body === undefined ? Buffer.alloc(0) : Buffer.from(body),
});

/** Bytes of a body that are hashed without yielding to the event loop: some milliseconds. */
const HASHED_BYTES = 1024 * 1024;

async function* inChunks(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < body.byteLength; from += HASHED_BYTES) {
    if (from > 0) await yieldToEventLoop();
    yield body.subarray(from, from + HASHED_BYTES);
  }
}

/** Body of a request, hashed before the handler owns it, or while the handler reads it. */
class HashedBody {
  readonly isStreamed: boolean;
  /** The request for the handler. */
  readonly request: HttpRequest;
  readonly #hash: BodyHash;
  readonly #chunks: AsyncIterator<Uint8Array>;
  #isRead = false;
  #digest: Buffer | undefined;

  constructor(request: HttpRequest) {
    const { bodyStream } = request;
    this.#hash = new BodyHash(request.header('content-type'));
    this.#chunks = (bodyStream ?? inChunks(request.body))[Symbol.asyncIterator]();
    this.isStreamed = bodyStream !== undefined;
    this.request = this.isStreamed ? { ...request, bodyStream: this.#hashed() } : request;
  }

  get isRead(): boolean {
    return this.#isRead;
  }

  /** Hash of the whole body. Reads what the handler has left. */
  async readToEnd(): Promise<Buffer> {
    if (this.#digest) return this.#digest;
    for await (const _ of this.#hashed());
    this.#digest = this.#hash.digest();
    return this.#digest;
  }

  /** Does not close the body when its reader stops early: the rest is part of the hash. */
  async *#hashed(): AsyncGenerator<Uint8Array> {
    for (let next = await this.#chunks.next(); !next.done; next = await this.#chunks.next()) {
      this.#hash.update(next.value);
      yield next.value;
    }
    this.#isRead = true;
  }
}
