import * as zlib from 'node:zlib';
import { SpandrelError } from '../../model/errors.ts';
import { DECODED_BYTES_MAX } from '../../model/limits/requests.ts';
import type { OtlpRequest } from '../ingest.ts';
import { zstdFrames } from './zstd-frames.ts';

const CHUNK_BYTES_MIN = 16 * 1024;
const CHUNK_BYTES_MAX = 1024 * 1024;
/** Maximum compression ratio of deflate. */
const DEFLATE_RATIO_MAX = 1_032;

type Inflater = (body: Uint8Array, options: { maxOutputLength: number; chunkSize: number }) => Buffer;

/** Several gzip members yield their concatenation. `deflate` means the zlib format. */
const INFLATERS: Record<Exclude<OtlpRequest['encoding'], 'identity'>, Inflater | undefined> = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  zstd: zstdInflater(),
};

export const canInflate = (encoding: OtlpRequest['encoding']): boolean =>
  encoding === 'identity' || INFLATERS[encoding] !== undefined;

/**
 * Inflates a body.
 *
 * @throws {SpandrelError} `BODY_TOO_LARGE` above `bytesMax`, before more than that is in memory; `BODY_UNREADABLE` if
 * it is corrupt or incomplete; `CONTENT_ENCODING_UNSUPPORTED` if this version of Node cannot inflate it
 */
export function inflate(
  body: Uint8Array,
  encoding: OtlpRequest['encoding'],
  bytesMax: number = DECODED_BYTES_MAX,
): Uint8Array {
  if (encoding === 'identity') return body.length > bytesMax ? tooLarge(bytesMax) : body;
  const inflater = INFLATERS[encoding];
  if (!inflater) throw new SpandrelError('CONTENT_ENCODING_UNSUPPORTED', `Unsupported content encoding: ${encoding}`);
  try {
    return inflater(body, { maxOutputLength: bytesMax, chunkSize: chunkBytes(body, encoding, bytesMax) });
  } catch (cause) {
    if (cause instanceof SpandrelError) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(bytesMax);
    throw new SpandrelError('BODY_UNREADABLE', `The body is not ${encoding}: ${(cause as Error).message}`, { cause });
  }
}

/** Large chunks avoid the copy that each default chunk of 16 KiB needs. */
function chunkBytes(body: Uint8Array, encoding: OtlpRequest['encoding'], bytesMax: number): number {
  const guessed = Math.min(Math.max(8 * body.length, CHUNK_BYTES_MIN), CHUNK_BYTES_MAX);
  if (encoding !== 'gzip' || body.length < 4) return guessed;
  // The gzip trailer states the length of the text. A single chunk of this length needs no second buffer to join chunks
  // in and leaves no chunks to the garbage collector. A false length is harmless, because unwritten memory costs
  // nothing.
  const { buffer, byteOffset, length } = body;
  const stated = new DataView(buffer, byteOffset, length).getUint32(length - 4, true);
  return Math.max(guessed, Math.min(stated, bytesMax, DEFLATE_RATIO_MAX * length) + 1);
}

/** Undefined before Node 22.15. */
function zstdInflater(): Inflater | undefined {
  const { zstdDecompressSync } = zlib as { zstdDecompressSync?: Inflater };
  if (!zstdDecompressSync) return undefined;
  return (body, { maxOutputLength, chunkSize }) => {
    const frames = zstdFrames(body);
    if (!frames) throw new Error('it is incomplete or not a sequence of zstd frames');
    let bytesLeft = maxOutputLength;
    const parts = frames.map((frame) => {
      // Zero would mean no limit. A further frame may still be empty.
      const part = zstdDecompressSync(frame, { maxOutputLength: Math.max(bytesLeft, 1), chunkSize });
      bytesLeft -= part.length;
      if (bytesLeft < 0) return tooLarge(maxOutputLength);
      return part;
    });
    const [only, ...others] = parts;
    return only && others.length === 0 ? only : Buffer.concat(parts);
  };
}

function tooLarge(bytesMax: number): never {
  throw new SpandrelError('BODY_TOO_LARGE', `The body has more than ${bytesMax} bytes when inflated`);
}
