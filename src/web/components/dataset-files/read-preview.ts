import type { CsvDelimiter, TextEncoding } from '../../../tabular/text-encoding.ts';
import { fetchResponse, RequestFailure, statusFailure } from '../../data/request.ts';
import type { FileFormat, FilePreview, PreviewRequest } from './file-preview.ts';
import { toParquetPreview } from './parse-preview.ts';

/** Bytes at the start of a file that the preview reads. */
const PREVIEW_BYTES = 1024 * 1024;
/** Bytes at the start and at the end of a Parquet file that the server reads. Its columns are at the end. */
const PARQUET_HEAD_BYTES = 7 * 1024 * 1024;
const PARQUET_TAIL_BYTES = 1024 * 1024;

export interface PreviewOptions {
  readonly encoding?: TextEncoding | undefined;
  readonly delimiter?: CsvDelimiter | undefined;
}

/** Reads the start of a file. The page never holds more of it. */
export async function readPreview(
  file: File,
  format: FileFormat,
  options: PreviewOptions,
  signal: AbortSignal,
): Promise<FilePreview> {
  if (format === 'parquet') return readParquet(file, signal);
  const bytes = await file.slice(0, PREVIEW_BYTES).arrayBuffer();
  signal.throwIfAborted();
  return parseInWorker({ bytes, isWhole: file.size <= PREVIEW_BYTES, format, ...options }, signal);
}

function parseInWorker(request: PreviewRequest, signal: AbortSignal): Promise<FilePreview> {
  const worker = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<FilePreview>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<FilePreview>) => resolve(data));
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    signal.addEventListener('abort', () => reject(signal.reason));
    worker.postMessage(request, [request.bytes]);
  }).finally(() => worker.terminate());
}

async function readParquet(file: File, signal: AbortSignal): Promise<FilePreview> {
  const isWhole = file.size <= PARQUET_HEAD_BYTES + PARQUET_TAIL_BYTES;
  const headBytes = isWhole ? file.size : PARQUET_HEAD_BYTES;
  const body = isWhole
    ? file
    : new Blob([file.slice(0, PARQUET_HEAD_BYTES), file.slice(file.size - PARQUET_TAIL_BYTES)]);
  const path = `v1/dataset_uploads/parquet_preview?file_bytes=${file.size}&head_bytes=${headBytes}`;
  const headers = { 'content-type': 'application/octet-stream' };
  const response = await fetchResponse(path, 'Parquet preview', { method: 'POST', headers, body, signal });
  if (response.status === 422) throw new RequestFailure('rejected', await response.text());
  if (!response.ok) throw await statusFailure(response);
  return toParquetPreview((await response.json()).data, isWhole);
}
