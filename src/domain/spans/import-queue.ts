import { JSON_SIGN_COUNT_MAX, SPAN_LINE_BYTES_MAX } from '../../model/limits.ts';
import { createUploadQueue, type UploadQueue } from '../datasets/upload-queue.ts';

/** What one line of an import may be, so that memory holds as many as are read at once. */
export interface LineLimits {
  readonly lineBytesMax: number;
  /** JSON values. */
  readonly lineValueCountMax: number;
}

/** Imports that run at once, and what each may hold. */
export interface ImportQueue extends UploadQueue, LineLimits {}

export function createImportQueue(runningCountMax?: number, limits: Partial<LineLimits> = {}): ImportQueue {
  const { lineBytesMax = SPAN_LINE_BYTES_MAX, lineValueCountMax = JSON_SIGN_COUNT_MAX } = limits;
  return { ...createUploadQueue(runningCountMax), lineBytesMax, lineValueCountMax };
}
