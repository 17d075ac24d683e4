import { context } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { createClient, HttpError, type SpandrelClient } from '@spandrel/client';

/** What became of a request. */
export type SendOutcome =
  | { readonly kind: 'sent'; readonly rejectedSpanCount: number; readonly detail: string }
  /** The server may take the same request later. */
  | { readonly kind: 'away'; readonly detail: string; readonly waitMs: number | undefined }
  /** The server will never take it. */
  | { readonly kind: 'rejected'; readonly detail: string; readonly isTooLarge: boolean };

/** Bytes up to which a page that is being closed may still send a request. */
const KEEPALIVE_BYTES_MAX = 60_000;
const COMPRESSED_BYTES_MIN = 1_024;
const LOCAL_HOSTS = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Sends OTLP requests to one address. */
export class BatchSender {
  readonly #client: SpandrelClient;
  readonly #timeoutMs: number;
  readonly #compresses: boolean;

  constructor(options: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
    readonly warn: (message: string) => void;
  }) {
    const { url, headers, timeoutMs, warn } = options;
    this.#timeoutMs = timeoutMs;
    this.#compresses = !LOCAL_HOSTS.test(new URL(url).hostname);
    const retry = { attemptCountMax: 1, silenceMs: timeoutMs };
    this.#client = createClient({ options: { baseUrl: url, headers, retry, warn } });
  }

  /** Never rejects. The payload is a request, or several one after another, which protobuf reads as one. */
  async send(payload: Uint8Array): Promise<SendOutcome> {
    try {
      const response = await context.with(suppressTracing(context.active()), () => this.#post(payload));
      return readPartialSuccess(new Uint8Array(await response.arrayBuffer()));
    } catch (error) {
      return toOutcome(error);
    }
  }

  async #post(payload: Uint8Array): Promise<Response> {
    const isCompressed =
      this.#compresses && payload.length >= COMPRESSED_BYTES_MIN && 'CompressionStream' in globalThis;
    const body = isCompressed ? await compress(payload) : payload;
    return this.#client.fetch('', {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', ...(isCompressed && { 'content-encoding': 'gzip' }) },
      body: body as Uint8Array<ArrayBuffer>,
      signal: AbortSignal.timeout(this.#timeoutMs),
      // Of use in a browser alone, where it lets a request outlive its page.
      keepalive: !globalThis.process && body.length <= KEEPALIVE_BYTES_MAX,
    });
  }
}

async function compress(payload: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([payload as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function readPartialSuccess(body: Uint8Array): SendOutcome {
  try {
    const { partialSuccess } = ProtobufTraceSerializer.deserializeResponse(body) ?? {};
    const rejectedSpanCount = Number(partialSuccess?.rejectedSpans ?? 0);
    return { kind: 'sent', rejectedSpanCount, detail: partialSuccess?.errorMessage ?? '' };
  } catch {
    return { kind: 'sent', rejectedSpanCount: 0, detail: '' };
  }
}

/** Statuses that say that this request, and not the server or the key, is wrong. */
const REJECTED = new Set([400, 413, 415, 422]);

function toOutcome(error: unknown): SendOutcome {
  const detail = error instanceof Error ? error.message : String(error);
  if (!(error instanceof HttpError)) return { kind: 'away', detail, waitMs: undefined };
  if (REJECTED.has(error.status)) return { kind: 'rejected', detail, isTooLarge: error.status === 413 };
  const seconds = Number(error.response.headers.get('retry-after') ?? Number.NaN);
  return { kind: 'away', detail, waitMs: Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : undefined };
}
