import { statfs } from 'node:fs/promises';
import type { Log } from '../../base/log.ts';
import { SpandrelError } from '../../model/errors.ts';
import {
  STORAGE_PROBE_MS,
  STORE_RESERVE_BYTES,
  STORE_RESERVE_PER_JOURNAL_BYTE,
  STORE_RESERVE_SHARE_MAX,
} from '../../model/limits/ingest.ts';

export interface FreeSpaceReserveOptions {
  /** A directory on the disk of the span store. */
  readonly dir: string;
  /** End position of the journal. */
  readonly durablePosition: () => number;
  /** Journal position of the store's last checkpoint. May reject while the store is being opened. */
  readonly checkpointedPosition: () => Promise<number>;
  readonly log: Log;
}

/**
 * Reserves free space on the disk for the store. A checkpoint needs space for acknowledged data a second time, and the
 * journal frees its own space only afterwards. Without the reserve, a disk that the journal has filled stays full.
 */
export class FreeSpaceReserve {
  readonly #options: FreeSpaceReserveOptions;
  readonly #timer: NodeJS.Timeout;
  #measured: { readonly freeBytes: number; readonly diskBytes: number; readonly position: number } | undefined;
  #checkpointedPosition: number;
  #wasFull = false;

  static async open(options: FreeSpaceReserveOptions): Promise<FreeSpaceReserve> {
    const reserve = new FreeSpaceReserve(options);
    await reserve.#measure();
    return reserve;
  }

  private constructor(options: FreeSpaceReserveOptions) {
    this.#options = options;
    this.#checkpointedPosition = options.durablePosition();
    this.#timer = setInterval(() => void this.#measure(), STORAGE_PROBE_MS).unref();
  }

  /** Reason why nothing more may be acknowledged. Undefined while there is enough free space. */
  get rejection(): SpandrelError | undefined {
    if (this.#measured === undefined) return undefined;
    const { freeBytes, diskBytes, position } = this.#measured;
    const journalPosition = this.#options.durablePosition();
    const leftBytes = freeBytes - (journalPosition - position);
    const owedBytes = STORE_RESERVE_PER_JOURNAL_BYTE * Math.max(0, journalPosition - this.#checkpointedPosition);
    if (leftBytes >= owedBytes + Math.min(STORE_RESERVE_BYTES, diskBytes * STORE_RESERVE_SHARE_MAX)) return undefined;
    return new SpandrelError('DISK_FULL', 'The disk is full: nothing is acknowledged until there is free space');
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** An unreadable disk does not count as full, because the journal notices when it is. */
  async #measure(): Promise<void> {
    const { dir, durablePosition, checkpointedPosition, log } = this.#options;
    const position = durablePosition();
    this.#checkpointedPosition = await checkpointedPosition().catch(() => this.#checkpointedPosition);
    const { bavail, blocks, bsize } = await statfs(dir).catch(() => NOTHING_KNOWN);
    this.#measured = blocks === 0 ? undefined : { freeBytes: bavail * bsize, diskBytes: blocks * bsize, position };
    const isFull = this.rejection !== undefined;
    if (isFull !== this.#wasFull) {
      const fields = { freeBytes: this.#measured?.freeBytes, dir };
      if (isFull)
        log.error(
          fields,
          'The disk is nearly full: exporters are told to retry. Free some space on it; the server continues automatically',
        );
      else log.info(fields, 'The disk has enough free space again');
    }
    this.#wasFull = isFull;
  }
}

const NOTHING_KNOWN = { bavail: 0, blocks: 0, bsize: 0 };
