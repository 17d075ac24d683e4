import { SPAN_LINE_BYTES_MAX } from '../../model/limits/datasets.ts';
import { JSON_SIGN_COUNT_MAX } from '../../model/limits/requests.ts';
import { createUploadQueue, type UploadQueue } from '../datasets/upload-queue.ts';

/** Limits of one line of an import, so that the lines that are read at once fit in memory. */
export interface LineLimits {
  readonly lineBytesMax: number;
  /** Number of JSON values. */
  readonly lineValueCountMax: number;
}

/** Number of concurrent imports, and the limits of each. */
export interface ImportQueue extends UploadQueue, LineLimits {}

export function createImportQueue(runningCountMax?: number, limits: Partial<LineLimits> = {}): ImportQueue {
  const { lineBytesMax = SPAN_LINE_BYTES_MAX, lineValueCountMax = JSON_SIGN_COUNT_MAX } = limits;
  return { ...createUploadQueue(runningCountMax), lineBytesMax, lineValueCountMax };
}
