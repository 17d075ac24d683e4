import type { DropReason, DropReport } from './drop-report.ts';
import { joinBytes } from './frames.ts';
import { BATCH_BYTES, FIRST_PAUSE_MS, HEARTBEAT_MS, PAUSE_MS_MAX, REQUEST_BYTES_MAX } from './limits.ts';
import type { BatchSender, SendOutcome } from './send-batches.ts';
import type { Batch, SpillStore } from './spill-store.ts';

export interface QueueOptions {
  readonly sender: BatchSender;
  /** Undefined: batches are only in memory. */
  readonly store: SpillStore | undefined;
  readonly memoryBytesMax: number;
  readonly drops: DropReport;
  readonly warn: (message: string) => void;
}

/**
 * Closed batches, the oldest first. A batch is written to a file, sent, and released. While the server is away, batches wait
 * in files, and without files in memory; both have a limit.
 */
export class BatchQueue {
  readonly #options: QueueOptions;
  #batches: Batch[] = [];
  #memoryBytes = 0;
  #saving: Promise<void> | undefined;
  #sending: Promise<void> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #firstLook: Promise<void> | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #isAway = false;
  #isClosed = false;
  #sentSpanCount = 0;
  /** Batches of the request that runs. */
  #inFlight: ReadonlySet<Batch> = new Set();

  constructor(options: QueueOptions) {
    this.#options = options;
    if (!options.store) return;
    this.#heartbeat = unref(setInterval(() => void this.#takeOver(), HEARTBEAT_MS));
    // Not in the first turn, in which a program starts.
    unref(setTimeout(() => void this.#takeOverOnce(), 100));
  }

  get waitingSpanCount(): number {
    return this.#batches.reduce((sum, { spanCount }) => sum + spanCount, 0);
  }

  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  get sentSpanCount(): number {
    return this.#sentSpanCount;
  }

  add(payload: Uint8Array, spanCount: number): void {
    if (this.#isClosed) {
      this.#options.drops.add('exit', spanCount, 'The tracer was shut down before.');
      return;
    }
    const byteCount = payload.length;
    this.#batches.push({ payload, byteCount, spanCount, createdAtMs: Date.now(), location: undefined, isSaved: false });
    this.#memoryBytes += byteCount;
    this.#limitMemory();
    this.#start();
  }

  /** Waits until everything was sent, or one request has failed and the rest is in files, and at most for a time. */
  async flush(timeoutMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([this.#drain(), timeout]);
    clearTimeout(timer);
  }

  /** Writes what is only in memory to a file, in this turn of the event loop. Without files it is dropped. */
  saveNow(): void {
    this.#options.store?.saveNow(this.#batches, { syncs: true });
    for (const batch of this.#batches.filter(({ isSaved }) => !isSaved))
      this.#drop(batch, 'exit', 'The process ended before they were sent, and they could not be kept in a file.');
  }

  /** Ends everything in this turn of the event loop. What was not sent is in files. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    clearInterval(this.#heartbeat);
    this.saveNow();
    this.#options.store?.close();
  }

  async #drain(): Promise<void> {
    await this.#takeOverOnce();
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    this.#start();
    while (this.#saving || this.#sending) {
      await this.#saving;
      await this.#sending;
    }
  }

  #start(): void {
    if (this.#options.store?.isWorking) this.#saving ??= this.#save();
    if (!this.#retryTimer) this.#sending ??= this.#send();
  }

  async #save(): Promise<void> {
    const { store } = this.#options;
    // Batches that are closed in the same turn share one fsync.
    await Promise.resolve();
    while (store?.isWorking) {
      const unsaved = this.#batches.filter(({ isSaved }) => !isSaved);
      if (unsaved.length === 0) break;
      await store.save(unsaved);
      this.#limitFiles();
    }
    // In the same turn as the last look at the batches, so that none is added to work that has ended.
    this.#saving = undefined;
    this.#limitMemory();
  }

  async #send(): Promise<void> {
    await Promise.resolve();
    let goesOn = true;
    while (goesOn) {
      // A batch that is in no file while its request runs would be lost with the process.
      while (this.#saving) await this.#saving;
      const batches = this.#takeForRequest();
      goesOn = batches.length > 0 && (await this.#sendUntilSettled(batches));
    }
    this.#sending = undefined;
    // What was added while the last request failed waits for the timer; anything else is sent now.
    if (this.#batches.length > 0 && !this.#retryTimer && !this.#isClosed) this.#start();
  }

  #takeForRequest(): Batch[] {
    let byteCount = 0;
    let count = 0;
    for (const batch of this.#batches) {
      if (count > 0 && byteCount + batch.byteCount > REQUEST_BYTES_MAX) break;
      byteCount += batch.byteCount;
      count++;
    }
    return this.#batches.slice(0, count);
  }

  /** Returns false when the server is away. */
  async #sendUntilSettled(batches: readonly Batch[]): Promise<boolean> {
    const loaded: Batch[] = [];
    const parts: Uint8Array[] = [];
    this.#inFlight = new Set(batches);
    for (const batch of batches) {
      const payload = batch.payload ?? (await this.#options.store?.load(batch));
      if (payload) {
        loaded.push(batch);
        parts.push(payload);
      } else this.#drop(batch, 'damaged-file', 'A spill file cannot be read.');
    }
    const outcome = loaded.length === 0 ? undefined : await this.#options.sender.send(joinBytes(parts));
    this.#inFlight = new Set();
    return outcome ? this.#settle(loaded, outcome) : true;
  }

  async #settle(batches: readonly Batch[], outcome: SendOutcome): Promise<boolean> {
    if (outcome.kind === 'away') {
      this.#wait(outcome);
      return false;
    }
    if (this.#isAway) this.#options.warn('The server takes spans again.');
    this.#isAway = false;
    this.#pauseMs = FIRST_PAUSE_MS;
    if (outcome.kind === 'sent') {
      const { rejectedSpanCount, detail } = outcome;
      const spanCount = batches.reduce((sum, batch) => sum + batch.spanCount, 0);
      this.#sentSpanCount += spanCount - rejectedSpanCount;
      this.#options.drops.add('rejected', rejectedSpanCount, `The server rejected them: ${detail}`);
      for (const batch of batches) this.#remove(batch);
      return true;
    }
    if (batches.length > 1) {
      // One batch may be the reason for which the server rejects all of them.
      for (const batch of batches) if (!(await this.#sendUntilSettled([batch]))) return false;
      return true;
    }
    for (const batch of batches) this.#drop(batch, 'rejected', `The server rejected them: ${outcome.detail}`);
    return true;
  }

  #wait({ detail, waitMs }: Extract<SendOutcome, { kind: 'away' }>): void {
    const { store, warn } = this.#options;
    if (!this.#isAway)
      warn(`Spans wait${store ? ` in ${store.path}` : ' in memory'} until the server takes them. ${detail}`);
    this.#isAway = true;
    const pauseMs = waitMs ?? this.#pauseMs * (0.5 + Math.random() / 2);
    this.#pauseMs = Math.min(PAUSE_MS_MAX, this.#pauseMs * 2);
    this.#dropOld();
    this.#mergeSmall();
    if (this.#isClosed) return;
    this.#retryTimer = unref(
      setTimeout(
        () => {
          this.#retryTimer = undefined;
          this.#start();
        },
        Math.min(pauseMs, PAUSE_MS_MAX),
      ),
    );
  }

  #takeOverOnce(): Promise<void> {
    this.#firstLook ??= this.#takeOver();
    return this.#firstLook;
  }

  async #takeOver(): Promise<void> {
    const { store } = this.#options;
    if (!store?.isWorking || this.#isClosed) return;
    const { batches, damagedFileCount } = await store.takeOver();
    if (damagedFileCount > 0)
      this.#options.warn(`The last batch of ${damagedFileCount} spill files was torn and is left out.`);
    this.#batches.push(...batches);
    this.#dropOld();
    this.#limitFiles();
    if (batches.length > 0) this.#start();
  }

  #dropOld(): void {
    const { store } = this.#options;
    if (!store) return;
    const oldest = Date.now() - store.ageMsMax;
    for (const batch of this.#batches.filter((batch) => batch.createdAtMs < oldest && !this.#inFlight.has(batch)))
      this.#drop(batch, 'too-old', `They waited for more than ${store.ageMsMax / 3_600_000} hours.`);
  }

  #mergeSmall(): void {
    const { store } = this.#options;
    if (!store) return;
    const merged: Batch[] = [];
    for (const batch of this.#batches) {
      const last = merged.at(-1);
      const isSmall = last !== undefined && last.byteCount + batch.byteCount <= BATCH_BYTES;
      if (!isSmall || !store.merge(last, batch)) merged.push(batch);
    }
    this.#batches = merged;
    this.#memoryBytes = merged.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0);
  }

  #limitFiles(): void {
    const { store } = this.#options;
    // Space is free when all batches of a file are gone, so the oldest file goes as a whole.
    while (store && store.excessBytes > 0) {
      const free = this.#batches.filter((batch) => batch.location && !this.#inFlight.has(batch));
      const segment = free[0]?.location?.segment;
      if (!segment) return;
      for (const batch of free.filter(({ location }) => location?.segment === segment))
        this.#drop(batch, 'spill-full', `${store.path} has its maximum of ${store.bytesMax} bytes.`);
    }
  }

  #limitMemory(): void {
    const { store, memoryBytesMax } = this.#options;
    if (this.#memoryBytes <= memoryBytesMax) return;
    if (store?.isWorking) {
      store.saveNow(this.#batches, { syncs: false });
      this.#limitFiles();
    }
    // The next ones to be sent stay in memory.
    for (const batch of this.#batches.toReversed()) {
      if (this.#memoryBytes <= memoryBytesMax / 2) return;
      if (!batch.isSaved || !batch.payload) continue;
      this.#memoryBytes -= batch.byteCount;
      batch.payload = undefined;
    }
    for (const batch of [...this.#batches]) {
      if (this.#memoryBytes <= memoryBytesMax) return;
      if (batch.payload && !this.#inFlight.has(batch))
        this.#drop(batch, 'memory-full', `Spans that wait have their maximum of ${memoryBytesMax} bytes.`);
    }
  }

  #drop(batch: Batch, reason: DropReason, detail: string): void {
    this.#remove(batch);
    this.#options.drops.add(reason, batch.spanCount, detail);
  }

  #remove(batch: Batch): void {
    const index = this.#batches.indexOf(batch);
    if (index < 0) return;
    this.#batches.splice(index, 1);
    if (batch.payload) this.#memoryBytes -= batch.byteCount;
    this.#options.store?.release(batch);
  }
}

/** Timers of tracing keep no process running. Browsers have no `unref`. */
function unref<Timer>(timer: Timer): Timer {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}
