import { type FileHandle, open, rm } from 'node:fs/promises';
import { SpandrelError } from '../model/errors.ts';

/** A file that was made for one reader. It has no name any more: it goes when it was read, or nobody wants it. */
export interface SpanFile {
  readonly bytes: number;
  /** To be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Files on their way out: the one directory beside the database that its statements may write to. */
export const EXPORTS_DIR = 'exports';

const CHUNK_BYTES = 256 * 1024;

/** Opens a file and takes its name away, so that neither a crash nor a caller who is gone leaves it behind. */
export async function openNameless(path: string, signal: AbortSignal | undefined): Promise<SpanFile> {
  const file = await open(path, 'r');
  await rm(path);
  const { size } = await file.stat();
  const close = () => void file.close().catch(() => undefined);
  if (signal?.aborted) {
    close();
    throw new SpandrelError('CANCELLED', 'the read was cancelled');
  }
  // Of a caller who goes before the first chunk nothing else is heard.
  signal?.addEventListener('abort', close, { once: true });
  return { bytes: size, chunks: readAll(file, () => signal?.removeEventListener('abort', close)) };
}

async function* readAll(file: FileHandle, onStart: () => void): AsyncGenerator<Uint8Array> {
  onStart();
  try {
    for (let position = 0; ; ) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
