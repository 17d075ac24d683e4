import { RESPONSE_CHUNK_BYTES } from '../../model/limits/requests.ts';
import type { HttpResponse } from '../route.ts';
import { compressStream, compressWhole, isCompressible } from './compress-response.ts';
import type { BodyWriter, Exchange, ResponseHead } from './exchange.ts';

/** State of a response that the stall watch observes. */
export interface SendProgress {
  bytes: number;
  /** True while the client has not received everything that was written. */
  isBlocked: boolean;
}

/**
 * Sends a response over an exchange: compressed if that is worth it, without a body for HEAD, in parts with
 * backpressure if it is long. Resolves when everything is written or the client has disconnected.
 *
 * @throws the error of the response's stream, and an error for a header value that would break the response
 */
export async function sendResponse(
  exchange: Exchange,
  response: HttpResponse,
  extraHeaders: Readonly<Record<string, string>>,
  closesConnection: boolean,
  progress: SendProgress,
): Promise<void> {
  const { status, body } = response;
  const headers: Record<string, string> = { ...response.headers, ...extraHeaders };
  const vary = [response.headers?.vary, extraHeaders.vary].filter((value) => value !== undefined);
  if (vary.length > 0) headers.vary = vary.join(', ');
  const cookies = response.cookies ?? [];
  const head: ResponseHead = { status, headers, cookies, closesConnection };
  for (const [name, value] of Object.entries(headers)) assertHeaderValue(name, value);
  for (const cookie of cookies) assertHeaderValue('set-cookie', cookie);
  const isHead = exchange.method === 'HEAD';

  if (status === 204 || status === 304) return exchange.send(head, undefined);
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array(0));
    const pending = startGzip(exchange, headers, bytes.byteLength) ? compressWhole(bytes) : bytes;
    const encoded = pending instanceof Promise ? await pending : pending;
    if (isHead) return exchange.sendHead(head, encoded.byteLength);
    if (encoded.byteLength > RESPONSE_CHUNK_BYTES) {
      const writer = exchange.openBody(head, encoded.byteLength);
      return writeWhole(exchange, writer, encoded, progress);
    }
    progress.bytes += encoded.byteLength;
    return exchange.send(head, encoded);
  }

  const source = startGzip(exchange, headers, undefined) ? compressStream(body) : body;
  const iterator = source[Symbol.asyncIterator]();
  if (isHead) {
    await iterator.return?.();
    return exchange.sendHead(head, undefined);
  }
  return writeStream(exchange, exchange.openBody(head, undefined), iterator, progress);
}

/** Decides whether to use gzip, and sets the headers. */
function startGzip(exchange: Exchange, headers: Record<string, string>, bodyBytes: number | undefined): boolean {
  const accept = exchange.headers.get('accept');
  const acceptEncoding = exchange.headers.get('accept-encoding');
  if (!isCompressible({ accept, acceptEncoding }, headers, bodyBytes)) return false;
  headers['content-encoding'] = 'gzip';
  headers.vary = headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`;
  return true;
}

async function writeWhole(
  exchange: Exchange,
  writer: BodyWriter,
  bytes: Uint8Array,
  progress: SendProgress,
): Promise<void> {
  for (let offset = 0; offset < bytes.byteLength && !exchange.signal.aborted; offset += RESPONSE_CHUNK_BYTES) {
    await writeChunk(writer, bytes.subarray(offset, offset + RESPONSE_CHUNK_BYTES), progress);
  }
  if (!exchange.signal.aborted) writer.end();
}

async function writeStream(
  exchange: Exchange,
  writer: BodyWriter,
  iterator: AsyncIterator<Uint8Array>,
  progress: SendProgress,
): Promise<void> {
  // The source may wait a long time for its next chunk, so it learns immediately that the chunk is no longer needed.
  const stop = () => void Promise.resolve(iterator.return?.()).catch(() => {});
  exchange.signal.addEventListener('abort', stop, { once: true });
  try {
    while (!exchange.signal.aborted) {
      const next = await iterator.next();
      if (next.done) break;
      for (let offset = 0; offset < next.value.byteLength; offset += RESPONSE_CHUNK_BYTES) {
        await writeChunk(writer, next.value.subarray(offset, offset + RESPONSE_CHUNK_BYTES), progress);
        if (exchange.signal.aborted) return;
      }
    }
  } finally {
    exchange.signal.removeEventListener('abort', stop);
    if (exchange.signal.aborted) stop();
  }
  if (!exchange.signal.aborted) writer.end();
}

async function writeChunk(writer: BodyWriter, chunk: Uint8Array, progress: SendProgress): Promise<void> {
  const writable = writer.write(chunk);
  if (writable !== undefined) {
    progress.isBlocked = true;
    await writable;
    progress.isBlocked = false;
  }
  progress.bytes += chunk.byteLength;
}

/** uWebSockets.js writes a header unchanged, so a line break would start another header. */
function assertHeaderValue(name: string, value: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters.
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value))
    throw new Error(`The value of header ${name} contains a control character`);
}
