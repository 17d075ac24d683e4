import { createWriteStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { SpandrelError } from '../model/errors.ts';

/** A file that was made for one reader. It has no name any more: it goes when it was read, or nobody wants it. */
export interface SpanFile {
  readonly bytes: number;
  /** To be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** A Parquet file of somebody's, to be read in pieces. Who opened it closes it: then it is gone. */
export interface OpenSpanFile {
  readonly rowCount: number;
  /**
   * Rows from one (the first is 0) on, in the file's order. In the place of one that is longer than `SPAN_LINE_BYTES_MAX` is
   * undefined.
   *
   * @throws {SpandrelError} `QUERY_INVALID` when the file is damaged there
   */
  read(firstRow: number, rowCount: number): Promise<SpanFilePage>;
  close(): Promise<void>;
}

/** Columns of a file of spans that hold texts, some of JSON. */
export type SpanFileText =
  | 'traceId'
  | 'spanId'
  | 'parentId'
  | 'name'
  | 'spanKind'
  | 'statusCode'
  | 'statusMessage'
  | 'sessionId'
  | 'userId'
  | 'modelName'
  | 'provider'
  | 'input'
  | 'inputMimeType'
  | 'output'
  | 'outputMimeType'
  | 'metadata'
  | 'attributes'
  | 'longAttributes'
  | 'events'
  | 'annotations';

/** A row as it is in the file: nothing of it was checked, and anything may be missing. */
export type SpanFileRow = Readonly<Record<SpanFileText, string | null>> & {
  readonly startTimeUnixNano: bigint | null;
  readonly endTimeUnixNano: bigint | null;
};

export interface SpanFilePage {
  readonly rows: readonly (SpanFileRow | undefined)[];
  /** Of the texts. */
  readonly bytes: number;
}

/** Files on their way out, or in: the one directory beside the database that its statements may use. */
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

/** @throws {SpandrelError} `DISK_FULL` */
export async function writeWhole(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await pipeline(chunks, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw isFull ? new SpandrelError('DISK_FULL', 'The disk is full', { cause: error }) : error;
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
