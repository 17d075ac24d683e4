import { createWriteStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { SpandrelError } from '../../model/errors.ts';
import type { FileGap, SpanFile } from '../contract/span-files.ts';

const CHUNK_BYTES = 256 * 1024;

/** Opens a file and removes its name, so that it is deleted after a crash or if its reader goes away. */
export async function openNameless(path: string, signal: AbortSignal | undefined): Promise<SpanFile> {
  const file = await open(path, 'r');
  await rm(path);
  const { size } = await file.stat();
  const close = () => void file.close().catch(() => undefined);
  if (signal?.aborted) {
    close();
    throw new SpandrelError('CANCELLED', 'the read was cancelled');
  }
  // Only the signal reports a caller who goes away before the first chunk.
  signal?.addEventListener('abort', close, { once: true });
  return { bytes: size, chunks: readAll(file, () => signal?.removeEventListener('abort', close)) };
}

/** @throws {SpandrelError} `DISK_FULL` */
export async function writeWhole(path: string, chunks: AsyncIterable<Uint8Array>, gap?: FileGap): Promise<void> {
  try {
    if (gap) await writeAround(path, chunks, gap);
    else await pipeline(chunks, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw isFull ? new SpandrelError('DISK_FULL', 'The disk is full', { cause: error }) : error;
  }
}

async function writeAround(path: string, chunks: AsyncIterable<Uint8Array>, gap: FileGap): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    let position = 0;
    for await (const chunk of chunks) {
      const before = chunk.subarray(0, Math.max(0, gap.offset - position));
      const after = chunk.subarray(before.byteLength);
      await file.writeFile(before);
      if (after.byteLength > 0) await writeAt(file, after, Math.max(position, gap.offset) + gap.bytes);
      position += chunk.byteLength;
    }
  } finally {
    await file.close();
  }
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let offset = 0; offset < bytes.byteLength; ) {
    offset += (await file.write(bytes, offset, bytes.byteLength - offset, position + offset)).bytesWritten;
  }
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
