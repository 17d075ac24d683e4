import { crc32c } from '../../native-bindings/crc32c.ts';
import type { Log } from '../base/log.ts';
import { SpandrelError } from '../model/errors.ts';
import { GROUP_COMMIT_BYTES_MAX, SEGMENT_BYTES, STORAGE_PROBE_MS } from '../model/limits.ts';
import { alignedBytes, encodeRecordFront, placeRecord, type RecordHead } from './journal-format.ts';
import { LOST_CHANGES, recoverTail } from './journal-recovery.ts';
import { type OpenFile, SegmentWriter, SyncFailed } from './journal-segment-writer.ts';

/** One write and one fdatasync, for people who watch. */
export interface GroupCommit {
  readonly recordCount: number;
  readonly bytes: number;
  readonly writeMs: number;
  readonly syncMs: number;
}

export interface JournalOptions {
  readonly dir: string;
  readonly log: Log;
  /** Position up to which the store has the log; the log goes on no earlier. Default 0. */
  readonly startPosition?: number;
  /** Called once, when fdatasync failed or the end of the log is in doubt: the process must stop, and must not retry. */
  readonly onFatal: (error: Error) => void;
  /** Called after each group, before its records are acknowledged. */
  readonly onCommit?: (commit: GroupCommit) => void;
  readonly segmentBytes?: number;
  readonly probeMs?: number;
  readonly openFile?: OpenFile;
}

/** A record on its way to the disk. */
interface Pending {
  readonly front: Buffer;
  readonly payload: Uint8Array;
  /** With the padding. */
  readonly bytes: number;
  readonly resolve: (endPosition: number) => void;
  readonly reject: (error: Error) => void;
}

/** A record of at most this many bytes is copied into one buffer; a longer payload is written from where it is. */
const COPIED_BYTES_MAX = 16 * 1024;
const PADDING = Buffer.alloc(8);
/** Room that the disk must have before the journal takes records again. */
const PROBE_BYTES_MIN = 1024 * 1024;

/**
 * The append-only log of everything that changes the span store. While one group of records is written and synced,
 * the next one gathers: many requests share one fdatasync, and a lone one waits for nothing.
 */
export class Journal {
  readonly #log: Log;
  readonly #options: JournalOptions;
  readonly #writer: SegmentWriter;
  #queue: Pending[] = [];
  #committing: Promise<void> | undefined;
  #refusal: SpandrelError | undefined;
  #probeTimer: NodeJS.Timeout | undefined;
  #probing: Promise<void> | undefined;
  #isClosed = false;

  static async open(options: JournalOptions): Promise<Journal> {
    const { dir, log, startPosition = 0, segmentBytes = SEGMENT_BYTES, openFile } = options;
    const tail = await recoverTail(dir, startPosition, log);
    const writer = await SegmentWriter.open({ dir, segmentBytes, openFile }, tail);
    if (writer.endPosition < startPosition) {
      // Records with positions that the store has passed would never be applied.
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

  /** Everything before it is on the disk. */
  get durablePosition(): number {
    return this.#writer.endPosition;
  }

  /** Start of the segment that is being written. */
  get currentSegmentPosition(): number {
    return this.#writer.firstPosition;
  }

  /** Why an append would be refused now: `DISK_FULL`, or `SHUTTING_DOWN` once closed. */
  get refusal(): SpandrelError | undefined {
    return this.#refusal;
  }

  /**
   * Resolves, once the record is durable, with the position just after it. Records are in the order of the calls.
   * The payload must not change until then.
   *
   * @throws {SpandrelError} `DISK_FULL` when the disk takes no more.
   */
  append(head: RecordHead, payload: Uint8Array, payloadCrc = crc32c(payload)): Promise<number> {
    if (this.#refusal) return Promise.reject(this.#refusal);
    const front = encodeRecordFront(head, payload.length, payloadCrc);
    const bytes = alignedBytes(front.length + payload.length);
    return new Promise((resolve, reject) => {
      this.#queue.push({ front, payload, bytes, resolve, reject });
      this.#committing ??= this.#commitAll();
    });
  }

  /** Waits for what was appended, and takes no more. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const isBroken = this.#refusal?.code === 'SHUTTING_DOWN';
    this.#refusal = new SpandrelError('SHUTTING_DOWN', 'The server is stopping');
    await this.#committing;
    clearTimeout(this.#probeTimer);
    await this.#probing;
    if (isBroken) await this.#writer.release();
    else await this.#writer.close();
  }

  async #commitAll(): Promise<void> {
    // Requests that arrive in the same turn of the event loop share the first group already.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const group = await this.#takeGroup().catch((error: Error) =>
        error instanceof SyncFailed ? this.#break(error, []) : this.#refuse(error, []),
      );
      if (group) await this.#commit(group);
    }
    // In the same turn as the look at the queue, or a record appended in between would wait for ever.
    this.#committing = undefined;
  }

  /** The records that go together: as many as the segment and one group hold, and one at least. */
  async #takeGroup(): Promise<Pending[]> {
    const first = this.#queue[0]!;
    if (first.bytes > this.#writer.roomBytes) await this.#writer.rotate(first.bytes);
    const bytesMax = Math.min(this.#writer.roomBytes, Math.max(GROUP_COMMIT_BYTES_MAX, first.bytes));
    let bytes = 0;
    let count = 0;
    while (count < this.#queue.length && bytes + this.#queue[count]!.bytes <= bytesMax) {
      bytes += this.#queue[count]!.bytes;
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
      await this.#refuse(error as Error, group);
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
    for (const [index, record] of group.entries()) record.resolve(endPositions[index]!);
  }

  /** The disk took no more: says so to everybody who waits, and looks for room until there is some. */
  async #refuse(error: Error, group: readonly Pending[]): Promise<undefined> {
    const bytes = [...group, ...this.#queue].reduce((sum, record) => sum + record.bytes, 0);
    const refusal = new SpandrelError(
      'DISK_FULL',
      'The disk takes no more data: nothing is acknowledged until there is room',
      { cause: error },
    );
    // Set before the first await, so that no record is taken in between.
    if (!this.#isClosed) this.#refusal = refusal;
    const waiting = [...group, ...this.#queue];
    this.#queue = [];
    try {
      await this.#writer.cutTail();
    } catch (cutError) {
      this.#break(cutError as Error, waiting);
      return;
    }
    for (const record of waiting) record.reject(refusal);
    if (this.#isClosed) return;
    const fields = { error: error.message, dir: this.#options.dir };
    this.#log.error(
      fields,
      'The journal cannot be written: exporters are told to retry. Free space on this disk; the server goes on by itself',
    );
    this.#probeLater(Math.min(Math.max(bytes, PROBE_BYTES_MIN), GROUP_COMMIT_BYTES_MAX));
  }

  #probeLater(bytes: number): void {
    const probe = async () => {
      try {
        await this.#writer.probe(bytes);
        if (this.#isClosed) return;
        this.#refusal = undefined;
        this.#log.info({ dir: this.#options.dir }, 'The journal can be written again');
      } catch {
        if (!this.#isClosed) this.#probeLater(bytes);
      }
    };
    this.#probeTimer = setTimeout(() => {
      this.#probing = probe();
    }, this.#options.probeMs ?? STORAGE_PROBE_MS).unref();
  }

  /** After a failed fdatasync nobody knows what is on the disk, and a second one may say that all is well. */
  #break(error: Error, group: readonly Pending[]): undefined {
    const refusal = new SpandrelError('SHUTTING_DOWN', 'The journal failed and the server is stopping', {
      cause: error,
    });
    this.#refusal = refusal;
    for (const record of [...group, ...this.#queue]) record.reject(refusal);
    this.#queue = [];
    this.#log.error(
      { error: error.message, dir: this.#options.dir },
      'The journal could not be synced: the process must stop',
    );
    this.#options.onFatal(error);
  }
}

function buffersOf({ front, payload, bytes }: Pending): Uint8Array[] {
  const padding = PADDING.subarray(0, bytes - front.length - payload.length);
  return bytes <= COPIED_BYTES_MAX ? [Buffer.concat([front, payload, padding])] : [front, payload, padding];
}
