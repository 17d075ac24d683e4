import { statfsSync } from 'node:fs';
import { SpandrelError } from '../../model/errors.ts';
import { CHECKPOINT_FREE_BYTES_MIN } from '../../model/limits/ingest.ts';
import { STORE_CHECKPOINT_INTERVAL_MS, STORE_CHECKPOINT_ROW_COUNT } from '../../model/limits/span-store.ts';

/** Uncheckpointed data, as a multiple of the checkpoint threshold, above which writes stop. */
const OVERDUE_FACTOR = 1.5;

/** Amount of data since the last checkpoint. */
export class UncheckpointedData {
  /** Directory of the database. */
  readonly #dir: string;
  /** Bytes of text after which a checkpoint is due. */
  readonly #checkpointBytes: number;
  #checkpointedAt = performance.now();
  rowCount = 0;
  bytes = 0;
  deletedSpanCount = 0;
  hasChanges = false;

  constructor(dir: string, checkpointBytes: number) {
    this.#dir = dir;
    this.#checkpointBytes = checkpointBytes;
  }

  /** Enough data or time has accumulated for a checkpoint. */
  get isDue(): boolean {
    return (
      this.rowCount >= STORE_CHECKPOINT_ROW_COUNT ||
      this.bytes >= this.#checkpointBytes ||
      performance.now() - this.#checkpointedAt >= STORE_CHECKPOINT_INTERVAL_MS
    );
  }

  /** The disk was full when a checkpoint was due, and uncheckpointed data would soon fill the buffers. */
  get isOverdue(): boolean {
    return (
      this.rowCount >= OVERDUE_FACTOR * STORE_CHECKPOINT_ROW_COUNT ||
      this.bytes >= OVERDUE_FACTOR * this.#checkpointBytes
    );
  }

  /**
   * A checkpoint that exceeds the free space makes the database unusable, and a reopened database lacks data until the
   * journal is applied again. So a checkpoint begins only if there is enough free space.
   *
   * @throws {SpandrelError} `DISK_FULL`
   */
  expectSpace(): void {
    const { bavail, bsize } = statfsSync(this.#dir);
    if (bavail * bsize >= CHECKPOINT_FREE_BYTES_MIN + this.bytes) return;
    throw new SpandrelError('DISK_FULL', 'the disk has too little free space for a checkpoint of the span store');
  }

  /** Called after a checkpoint. */
  reset(): void {
    this.rowCount = 0;
    this.bytes = 0;
    this.deletedSpanCount = 0;
    this.hasChanges = false;
    this.#checkpointedAt = performance.now();
  }
}
