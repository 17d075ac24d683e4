import type { Log } from '../base/log.ts';
import { SpandrelError } from '../model/errors.ts';
import { COMMIT_BYTES_MAX, COMMIT_INTERVAL_MS_MIN, COMMIT_ROW_COUNT_MAX } from '../model/limits/ingest.ts';
import type { SpanWriter } from '../span-store/contract/writer.ts';
import type { DecodedBatch, DecodeTask, RecordProblem } from './decode/decode-batch.ts';
import { isOutOfMemory } from './decode/decode-pool.ts';

/** One applied batch, for metrics. */
export interface AppliedBatch {
  readonly endPosition: number;
  readonly rowCount: number;
  /** Rows that the store already had. */
  readonly duplicateCount: number;
  /** Duplicates that differ from the stored span with the same ID. */
  readonly differingCount: number;
  /** Number of dropped annotations. */
  readonly droppedAnnotationCount: number;
  /** Duration of the store's transaction. */
  readonly durationMs: number;
}

export interface ProjectorOptions {
  readonly writer: SpanWriter;
  readonly decode: (task: Omit<DecodeTask, 'journalDir'>) => Promise<DecodedBatch>;
  /** The journal may be read up to this position. */
  readonly durablePosition: () => number;
  readonly onApplied: (batch: AppliedBatch) => void;
  /** Called when a batch could not be applied; it is retried. */
  readonly onFailed?: (error: Error) => void;
  readonly onProblem: (problem: RecordProblem) => void;
  readonly log: Log;
  readonly rowCountMax?: number;
  readonly bytesMax?: number;
  readonly retryMs?: { readonly min: number; readonly max: number };
}

/**
 * If more than this waits, the next batch is decoded while the store applies the current one. Otherwise waiting
 * produces larger batches.
 */
const AHEAD_BYTES_MIN = 1024 * 1024;
/** Interval at which an idle projector verifies that the store still has the applied data. */
const IDLE_CHECK_MS = 1_000;
const RETRY_MS = { min: 100, max: 5_000 };
const LOG_INTERVAL_MS = 60_000;

/**
 * Applies the journal to the store in order. The same loop runs live and after a start. It continues at the store's own
 * position, which it reads again after every failure, so each record is applied once, however often it is retried.
 */
export class Projector {
  readonly #options: ProjectorOptions;
  readonly #loop: Promise<void>;
  #appliedPosition: number;
  #isStopped = false;
  #isFailing = false;
  /** Ends the current wait of the loop. */
  #wake: () => void = () => {};
  #waiters: { readonly position: number; readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  #batchStartMs = -COMMIT_INTERVAL_MS_MIN;
  #loggedMs = -LOG_INTERVAL_MS;
  /** Set after a batch could not be decoded at all. Records are then decoded one by one to find the one that fails. */
  #isCareful = false;
  #giveUpFirst: string | undefined;

  constructor(options: ProjectorOptions, appliedPosition: number) {
    this.#options = options;
    this.#appliedPosition = appliedPosition;
    this.#loop = this.#run();
  }

  get appliedPosition(): number {
    return this.#appliedPosition;
  }

  /** Whether the latest attempt failed. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Call it when the journal has grown. */
  notify(): void {
    this.#wake();
  }

  /**
   * Resolves when the store has everything before this position. Rejects with `SHUTTING_DOWN` if that cannot happen any
   * more.
   */
  applied(position: number): Promise<void> {
    if (position <= this.#appliedPosition) return Promise.resolve();
    if (this.#isStopped) return Promise.reject(shuttingDown());
    return new Promise((resolve, reject) => {
      this.#waiters.push({ position, resolve, reject });
      this.#wake();
    });
  }

  /** Stops after the current batch. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await this.#loop;
    for (const { reject } of this.#waiters.splice(0)) reject(shuttingDown());
  }

  async #run(): Promise<void> {
    const { min, max } = this.#options.retryMs ?? RETRY_MS;
    let retryMs = min;
    while (!this.#isStopped) {
      const positionBefore = this.#appliedPosition;
      try {
        await this.#project();
      } catch (error) {
        this.#isFailing = true;
        this.#options.onFailed?.(error as Error);
        this.#report(error as Error);
        if (this.#appliedPosition > positionBefore) retryMs = min;
        await this.#sleep(retryMs, () => this.#isStopped);
        retryMs = Math.min(2 * retryMs, max);
      }
    }
  }

  /** Runs until it is stopped or an operation fails. */
  async #project(): Promise<void> {
    let position = await this.#options.writer.appliedPosition();
    this.#setApplied(position);
    let ahead: Promise<DecodedBatch> | undefined;
    while (!this.#isStopped) {
      if (!ahead) {
        await this.#awaitRecords(position);
        if (this.#isStopped) return;
        ahead = this.#decode(position);
      }
      const batch = await ahead;
      for (const problem of batch.problems) this.#options.onProblem(problem);
      const startPosition = position;
      position = batch.endPosition;
      const isMuchWaiting = this.#options.durablePosition() - position >= AHEAD_BYTES_MIN;
      ahead = isMuchWaiting && !this.#isStopped ? this.#decode(position) : undefined;
      // The next round awaits it. If this round fails, its rejection must not count as unhandled.
      ahead?.catch(() => {});
      await this.#expectStoreAt(startPosition);
      await this.#apply(batch);
    }
  }

  /**
   * A restarted store is at its last checkpoint. Continuing here would leave a gap that is never filled, because the
   * store accepts any later position.
   */
  async #expectStoreAt(position: number): Promise<void> {
    const storePosition = await this.#options.writer.appliedPosition();
    if (storePosition !== position) throw new Error(`The store returned from position ${position} to ${storePosition}`);
  }

  async #decode(fromPosition: number): Promise<DecodedBatch> {
    const { rowCountMax = COMMIT_ROW_COUNT_MAX, bytesMax = COMMIT_BYTES_MAX } = this.#options;
    this.#batchStartMs = performance.now();
    try {
      const batch = await this.#options.decode({
        fromPosition,
        toPosition: this.#options.durablePosition(),
        rowCountMax: this.#isCareful ? 1 : rowCountMax,
        bytesMax,
        giveUpFirst: this.#giveUpFirst,
      });
      this.#isCareful = false;
      this.#giveUpFirst = undefined;
      return batch;
    } catch (error) {
      // A thread that ran out of memory on one record does so again. A failed read may succeed later.
      if (this.#isCareful && isOutOfMemory(error)) this.#giveUpFirst = (error as Error).message;
      this.#isCareful = true;
      throw error;
    }
  }

  async #apply({ content, endPosition }: DecodedBatch): Promise<void> {
    const { writer, onApplied } = this.#options;
    const startMs = performance.now();
    const rowCount = content.kind === 'rows' ? content.columns.rowCount : 0;
    let result = { duplicateCount: 0, differingCount: 0, droppedAnnotationCount: 0 };
    if (content.kind === 'rows') result = await writer.append(content.columns, endPosition, content.annotations);
    else if (content.kind === 'deletion') await writer.delete(content.deletion, endPosition);
    else if (content.kind === 'transfer') await writer.transfer(content.transfer, endPosition);
    else if (content.kind === 'costs') await writer.changeCosts(content.change, endPosition);
    else await writer.advance(endPosition);
    const { duplicateCount, differingCount, droppedAnnotationCount } = result;
    const durationMs = performance.now() - startMs;
    onApplied({ endPosition, rowCount, duplicateCount, differingCount, droppedAnnotationCount, durationMs });
    if (this.#isFailing) this.#options.log.info({ position: endPosition }, 'The span store accepts spans again');
    this.#isFailing = false;
    this.#setApplied(endPosition);
  }

  /** A single record is applied immediately. While more arrive, batches are spaced so that each is worth its commit. */
  async #awaitRecords(position: number): Promise<void> {
    const pendingBytes = () => this.#options.durablePosition() - position;
    while (!this.#isStopped && pendingBytes() <= 0) {
      await this.#sleep(IDLE_CHECK_MS, () => this.#isStopped || pendingBytes() > 0);
      if (pendingBytes() <= 0) await this.#expectStoreAt(position);
    }
    const spareMs = this.#batchStartMs + COMMIT_INTERVAL_MS_MIN - performance.now();
    const isUrgent = () => this.#isStopped || this.#waiters.length > 0 || pendingBytes() >= AHEAD_BYTES_MIN;
    if (spareMs > 0) await this.#sleep(spareMs, isUrgent);
  }

  /** Waits for this time, or until the condition is true. Each wake checks the condition. */
  async #sleep(ms: number, isOver: () => boolean): Promise<void> {
    const dueMs = performance.now() + ms;
    while (!isOver() && performance.now() < dueMs) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.ceil(dueMs - performance.now()));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = () => {};
  }

  /** The position may decrease: a restarted store is at its last checkpoint. */
  #setApplied(position: number): void {
    this.#appliedPosition = position;
    const isApplied = (waiter: { position: number }) => waiter.position <= position;
    for (const { resolve } of this.#waiters.filter(isApplied)) resolve();
    this.#waiters = this.#waiters.filter((waiter) => !isApplied(waiter));
  }

  #report(error: Error): void {
    if (performance.now() - this.#loggedMs < LOG_INTERVAL_MS) return;
    this.#loggedMs = performance.now();
    const fields = { err: error, position: this.#appliedPosition };
    this.#options.log.error(
      fields,
      'Could not write spans from the journal to the span store; they stay in the journal and the server retries',
    );
  }
}

const shuttingDown = () => new SpandrelError('SHUTTING_DOWN', 'The server is stopping');
