import { SpandrelError } from '../../model/errors.ts';
import { DATASET_UPLOAD_COUNT_MAX, DATASET_UPLOAD_QUEUE_COUNT_MAX } from '../../model/limits/datasets.ts';

/** Limits how many uploads or imports run at once. An upload holds a database connection until it ends. */
export interface UploadQueue {
  /** @throws {SpandrelError} `UPLOAD_QUEUE_FULL` */
  run<Result>(write: () => Promise<Result>): Promise<Result>;
}

export function createUploadQueue(runningCountMax: number = DATASET_UPLOAD_COUNT_MAX): UploadQueue {
  let runningCount = 0;
  const waiting: (() => void)[] = [];
  return {
    async run(write) {
      if (runningCount >= runningCountMax) {
        if (waiting.length >= DATASET_UPLOAD_QUEUE_COUNT_MAX) {
          throw new SpandrelError('UPLOAD_QUEUE_FULL', 'Too many requests.');
        }
        // An upload that ends passes its slot to the next one, so the count does not change.
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else {
        runningCount++;
      }
      try {
        return await write();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else runningCount--;
      }
    },
  };
}
