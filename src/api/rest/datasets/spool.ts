import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { SpandrelError } from '../../../model/errors.ts';
import { DATASET_FILE_MEMORY_BYTES } from '../../../model/limits/datasets.ts';

/** A file that waits for the rest of its form: in memory while it is small, else on disk without a name. */
export interface SpooledFile {
  /** To be read once. */
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** @throws {SpandrelError} `DISK_FULL` */
export async function spool(content: AsyncIterable<Uint8Array>, dir: string): Promise<SpooledFile> {
  const head: Uint8Array[] = [];
  let byteCount = 0;
  let file: FileHandle | undefined;
  try {
    for await (const chunk of content) {
      byteCount += chunk.byteLength;
      if (file === undefined && byteCount <= DATASET_FILE_MEMORY_BYTES) {
        head.push(chunk);
        continue;
      }
      file ??= await openNameless(dir);
      for (const bytes of [...head.splice(0), chunk]) await writeAll(file, bytes);
    }
  } catch (error) {
    await file?.close();
    throw error instanceof Error && 'code' in error && error.code === 'ENOSPC'
      ? new SpandrelError('DISK_FULL', 'The disk is full', { cause: error })
      : error;
  }
  return { read: () => (file ? readAll(file) : fromMemory(head)), close: async () => file?.close() };
}

/** Opens a file and removes its name at once, so that a crash leaves nothing behind. */
async function openNameless(dir: string): Promise<FileHandle> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, randomUUID());
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.byteLength; ) {
    offset += (await file.write(bytes, offset, bytes.byteLength - offset)).bytesWritten;
  }
}

async function* fromMemory(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function* readAll(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const READ_BYTES = 256 * 1024;
