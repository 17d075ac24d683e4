import { promisify } from 'node:util';
import { createGzip, gzip, gzipSync } from 'node:zlib';

/** Smaller bodies gain less from gzip than it costs. */
const WORTH_BYTES_MIN = 1024;
/**
 * Up to this size, a synchronous gzip blocks the thread for less time (0.3 ms) than a trip to the thread pool costs.
 */
const SYNC_BYTES_MAX = 16 * 1024;
/** Takes half the time of the default level for a few percent more bytes. */
const OPTIONS = { level: 4 };

const gzipAsync = promisify(gzip);
const COMPRESSIBLE =
  /^(text\/|application\/(json|javascript|xml|x-ndjson|graphql-response\+json)|image\/svg)|\+json|\+xml/;

/**
 * Whether this response is sent as gzip: the client accepts it, the content compresses well, and it is not encoded yet.
 *
 * @param bodyBytes undefined for a stream of unknown length
 */
export function isCompressible(
  request: { readonly accept: string | undefined; readonly acceptEncoding: string | undefined },
  headers: Readonly<Record<string, string>>,
  bodyBytes: number | undefined,
): boolean {
  if (bodyBytes !== undefined && bodyBytes < WORTH_BYTES_MIN) return false;
  if (headers['content-encoding'] !== undefined) return false;
  if (!acceptsGzip(request.acceptEncoding) || request.accept?.includes('multipart/mixed')) return false;
  const contentType = headers['content-type'] ?? '';
  // An event must not wait in the compressor for the next one.
  return COMPRESSIBLE.test(contentType) && !contentType.startsWith('text/event-stream');
}

export function compressWhole(body: Uint8Array): Uint8Array | Promise<Uint8Array> {
  return body.byteLength <= SYNC_BYTES_MAX ? gzipSync(body, OPTIONS) : gzipAsync(body, OPTIONS);
}

/**
 * Compresses a stream chunk by chunk, holding at most one chunk. If the consumer stops early, the source is closed too.
 */
export async function* compressStream(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzipStream = createGzip(OPTIONS);
  const ready: Uint8Array[] = [];
  gzipStream.on('data', (chunk: Uint8Array) => ready.push(chunk));
  const ended = new Promise<void>((resolve, reject) => gzipStream.once('end', resolve).once('error', reject));
  try {
    for await (const chunk of source) {
      await new Promise<void>((resolve, reject) =>
        gzipStream.write(chunk, (error) => (error ? reject(error) : resolve())),
      );
      yield* ready.splice(0);
    }
    gzipStream.end();
    await ended;
    yield* ready.splice(0);
  } finally {
    gzipStream.destroy();
  }
}

function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  return acceptEncoding.split(',').some((part) => {
    const [coding, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return (coding === 'gzip' || coding === '*') && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
