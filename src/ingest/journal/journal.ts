import { crc32c } from '../../../native-bindings/crc32c.ts';
import { expectPresent } from '../../base/expect-present.ts';
import type { Log } from '../../base/log.ts';
import { SpandrelError } from '../../model/errors.ts';
import { GROUP_COMMIT_BYTES_MAX, SEGMENT_BYTES, STORAGE_PROBE_MS } from '../../model/limits/ingest.ts';
import { alignedBytes, encodeRecordFront, placeRecord, type RecordHead } from './journal-format.ts';
import { LOST_CHANGES, recoverTail } from './journal-recovery.ts';
import { type OpenFile, SegmentWriter, SyncFailed } from './journal-segment-writer.ts';

/** One write and one fdatasync, for metrics. */
export interface GroupCommit {
  readonly recordCount: number;
  readonly bytes: number;
  readonly writeMs: number;
  readonly syncMs: number;
}

export interface JournalOptions {
  readonly dir: string;
  readonly log: Log;
  /** Position up to which the store has the log. The log continues at or after it. Default: 0. */
  readonly startPosition?: number;
  /**
   * Called once, when fdatasync has failed or the end of the log is unknown: the process must stop and must not retry.
   */
  readonly onFatal: (error: Error) => void;
  /** Called after each group, before its records are acknowledged. */
  readonly onCommit?: (commit: GroupCommit) => void;
  readonly segmentBytes?: number;
  readonly probeMs?: number;
  readonly openFile?: OpenFile;
}

/** A record that is being written. */
interface Pending {
  readonly front: Buffer;
  readonly payload: Uint8Array;
  /** Includes the padding. */
  readonly bytes: number;
  readonly resolve: (endPosition: number) => void;
  readonly reject: (error: Error) => void;
}

/** A record of at most this many bytes is copied into one buffer. A longer payload is written from its own buffer. */
const COPIED_BYTES_MAX = 16 * 1024;
const PADDING = Buffer.alloc(8);
/** Free space that the disk must have before the journal accepts records again. */
const PROBE_BYTES_MIN = 1024 * 1024;

/**
 * The append-only log of every change of the span store. While one group of records is written and synced, the next
 * group collects, so that many requests share one fdatasync and a single request does not wait.
 */
export class Journal {
  readonly #log: Log;
  readonly #options: JournalOptions;
  readonly #writer: SegmentWriter;
  #queue: Pending[] = [];
  #committing: Promise<void> | undefined;
  #rejection: SpandrelError | undefined;
  #probeTimer: NodeJS.Timeout | undefined;
  #probing: Promise<void> | undefined;
  #isClosed = false;

  static async open(options: JournalOptions): Promise<Journal> {
    const { dir, log, startPosition = 0, segmentBytes = SEGMENT_BYTES, openFile } = options;
    const tail = await recoverTail(dir, startPosition, log);
    const writer = await SegmentWriter.open({ dir, segmentBytes, openFile }, tail);
    if (writer.endPosition < startPosition) {
      // Records at positions before the store's position would never be applied.
      const fields = { journalPosition: writer.endPosition, storePosition: startPosition };
      log.error(fields, `The span store is ahead of the journal: part of the journal is missing. ${LOST_CHANGES}`);
      await writer.rotate(0, alignedBytes(startPosition));
    }
    return new Journal(options, writer);
  }

  private constructor(options: JournalOptions, writer: SegmentWriter) {
    this.#options = options;
    this.#log = options.log;
    this.#writer = writer;
  }

  /** All records before this position are on the disk. */
  get durablePosition(): number {
    return this.#writer.endPosition;
  }

  /** Start of the current segment. */
  get currentSegmentPosition(): number {
    return this.#writer.firstPosition;
  }

  /** The error of an append now: `DISK_FULL`, or `SHUTTING_DOWN` after `close`. */
  get rejection(): SpandrelError | undefined {
    return this.#rejection;
  }

  /**
   * Resolves with the position after the record when the record is durable. Records are in the order of the calls. The
   * payload must not change until then.
   *
   * @throws {SpandrelError} `DISK_FULL` when the disk is full
   */
  append(head: RecordHead, payload: Uint8Array, payloadCrc = crc32c(payload)): Promise<number> {
    if (this.#rejection) return Promise.reject(this.#rejection);
    const front = encodeRecordFront(head, payload.length, payloadCrc);
    const bytes = alignedBytes(front.length + payload.length);
    return new Promise((resolve, reject) => {
      this.#queue.push({ front, payload, bytes, resolve, reject });
      this.#committing ??= this.#commitAll();
    });
  }

  /** Waits for the appended records, and accepts no more. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const isBroken = this.#rejection?.code === 'SHUTTING_DOWN';
    this.#rejection = new SpandrelError('SHUTTING_DOWN', 'The server is stopping');
    await this.#committing;
    clearTimeout(this.#probeTimer);
    await this.#probing;
    if (isBroken) await this.#writer.release();
    else await this.#writer.close();
  }

  async #commitAll(): Promise<void> {
    // Requests of the same iteration of the event loop share the first group.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const group = await this.#takeGroup().catch((error: Error) =>
        error instanceof SyncFailed ? this.#break(error, []) : this.#rejectAll(error, []),
      );
      if (group) await this.#commit(group);
    }
    // Set in the same iteration as the check of the queue; otherwise a record appended in between would wait forever.
    this.#committing = undefined;
  }

  /** The records of one group: as many as fit into the segment and the limit of a group, and at least one. */
  async #takeGroup(): Promise<Pending[]> {
    const first = expectPresent(this.#queue[0], 'a group is taken only when records wait');
    if (first.bytes > this.#writer.freeBytes) await this.#writer.rotate(first.bytes);
    const bytesMax = Math.min(this.#writer.freeBytes, Math.max(GROUP_COMMIT_BYTES_MAX, first.bytes));
    let bytes = 0;
    let count = 0;
    for (const record of this.#queue) {
      if (bytes + record.bytes > bytesMax) break;
      bytes += record.bytes;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  async #commit(group: readonly Pending[]): Promise<void> {
    const endPositions: number[] = [];
    const buffers: Uint8Array[] = [];
    let position = this.#writer.endPosition;
    for (const record of group) {
      placeRecord(record.front, position);
      buffers.push(...buffersOf(record));
      position += record.bytes;
      endPositions.push(position);
    }
    const bytes = position - this.#writer.endPosition;

    const startMs = performance.now();
    try {
      await this.#writer.write(buffers, bytes);
    } catch (error) {
      await this.#rejectAll(error as Error, group);
      return;
    }
    const writtenMs = performance.now();
    try {
      await this.#writer.sync(bytes);
    } catch (error) {
      this.#break(error as Error, group);
      return;
    }
    const syncMs = performance.now() - writtenMs;
    this.#options.onCommit?.({ recordCount: group.length, bytes, writeMs: writtenMs - startMs, syncMs });
    for (const [index, record] of group.entries())
      record.resolve(expectPresent(endPositions[index], 'each record has an end'));
  }

  /** Handles a full disk: rejects all waiting records, and checks for free space until there is some. */
  async #rejectAll(error: Error, group: readonly Pending[]): Promise<undefined> {
    const bytes = [...group, ...this.#queue].reduce((sum, record) => sum + record.bytes, 0);
    const rejection = new SpandrelError(
      'DISK_FULL',
      'The disk is full: nothing is acknowledged until there is free space',
      { cause: error },
    );
    // Set before the first await, so that no record is accepted in between.
    if (!this.#isClosed) this.#rejection = rejection;
    const waiting = [...group, ...this.#queue];
    this.#queue = [];
    try {
      await this.#writer.cutTail();
    } catch (cutError) {
      this.#break(cutError as Error, waiting);
      return;
    }
    for (const record of waiting) record.reject(rejection);
    if (this.#isClosed) return;
    const fields = { err: error, dir: this.#options.dir };
    this.#log.error(
      fields,
      'Could not write the journal: exporters are told to retry. Free space on this disk; the server continues automatically',
    );
    this.#probeLater(Math.min(Math.max(bytes, PROBE_BYTES_MIN), GROUP_COMMIT_BYTES_MAX));
  }

  #probeLater(bytes: number): void {
    const probe = async () => {
      try {
        await this.#writer.probe(bytes);
        if (this.#isClosed) return;
        this.#rejection = undefined;
        this.#log.info({ dir: this.#options.dir }, 'The journal can be written again');
      } catch {
        if (!this.#isClosed) this.#probeLater(bytes);
      }
    };
    this.#probeTimer = setTimeout(() => {
      this.#probing = probe();
    }, this.#options.probeMs ?? STORAGE_PROBE_MS).unref();
  }

  /**
   * After a failed fdatasync the content of the disk is unknown, and a second fdatasync may succeed without writing it.
   */
  #break(error: Error, group: readonly Pending[]): undefined {
    const rejection = new SpandrelError('SHUTTING_DOWN', 'The journal failed and the server is stopping', {
      cause: error,
    });
    this.#rejection = rejection;
    for (const record of [...group, ...this.#queue]) record.reject(rejection);
    this.#queue = [];
    this.#log.error({ err: error, dir: this.#options.dir }, 'Could not sync the journal: the process stops');
    this.#options.onFatal(error);
  }
}

function buffersOf({ front, payload, bytes }: Pending): Uint8Array[] {
  const padding = PADDING.subarray(0, bytes - front.length - payload.length);
  return bytes <= COPIED_BYTES_MAX ? [Buffer.concat([front, payload, padding])] : [front, payload, padding];
}
