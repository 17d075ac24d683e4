import { Readable } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import type { TextEncoding } from '../../../tabular/text-encoding.ts';
import { DATASET_INFLATED_BYTES_MAX } from '../../../model/limits/datasets.ts';
import { uploadInvalid } from '../upload-invalid.ts';

export type FileEncoding = 'gzip' | 'deflate' | 'none';

/**
 * Yields the text of a file in chunks of any length, without its byte order mark.
 *
 * @param encoding The encoding that the caller states
 * @throws {SpandrelError} `DATASET_UPLOAD_INVALID` when the file has another encoding.
 */
export async function* decodeText(
  file: AsyncIterable<Uint8Array>,
  encoding: TextEncoding = 'utf-8',
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      throw uploadInvalid(`The file is not valid ${decoder.encoding.toUpperCase()}`, error);
    }
  };
  for await (const chunk of file) yield decode(chunk);
  yield decode();
}

/** @throws {SpandrelError} `DATASET_UPLOAD_INVALID` when it is not such an archive, or too large. */
export async function* unpackFile(file: AsyncIterable<Uint8Array>, encoding: FileEncoding): AsyncGenerator<Uint8Array> {
  let byteCount = 0;
  for await (const chunk of encoding === 'none' ? file : inflate(file, encoding)) {
    byteCount += chunk.byteLength;
    if (byteCount > DATASET_INFLATED_BYTES_MAX) {
      throw uploadInvalid(`The file inflates to more than ${DATASET_INFLATED_BYTES_MAX} bytes`);
    }
    yield chunk;
  }
}

async function* inflate(file: AsyncIterable<Uint8Array>, encoding: 'gzip' | 'deflate'): AsyncGenerator<Uint8Array> {
  const source = Readable.from(file, { objectMode: false });
  const inflater = encoding === 'gzip' ? createGunzip() : createInflate();
  // An error of the source is passed to its reader.
  source.on('error', (error) => inflater.destroy(error));
  source.pipe(inflater);
  try {
    yield* inflater;
  } catch (error) {
    const isArchive = !(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'));
    throw isArchive ? error : uploadInvalid(`The file is not valid ${encoding}: ${(error as Error).message}`, error);
  } finally {
    source.destroy();
    inflater.destroy();
  }
}
