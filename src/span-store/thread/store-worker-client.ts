import { availableParallelism, cpus } from 'node:os';
import { Worker } from 'node:worker_threads';
import { readMachineMemory } from '../../base/memory/machine-memory.ts';
import { SpandrelError } from '../../model/errors.ts';
import { READ_CONCURRENCY, READ_DEADLINE_MS, READ_QUEUE_COUNT_MAX, READ_SHARES } from '../../model/limits/reads.ts';
import { STORE_RESTART_MS_MAX, STORE_TEMP_BYTES_MAX } from '../../model/limits/span-store.ts';
import { planMemory } from '../../model/memory-plan.ts';
import type { ReadClass, ReadOptions } from '../contract/read-options.ts';
import type { SpanWriter } from '../contract/writer.ts';
import type { ChangeClock } from './change-clock.ts';
import { unpackResult } from './codecs/packed-results.ts';
import { ReadQueue } from './read-queue.ts';
import type { SpanStoreOptions } from './span-store-options.ts';
import { SpanStoreMetrics } from './store-metrics.ts';
import {
  type FromStoreThread,
  fromErrorMessage,
  type StoreCalls,
  type ToStoreThread,
  toErrorMessage,
} from './store-protocol.ts';

/** Threads of libuv's pool for reads. Of its 4 threads, the writer and the journal use one each. */
const CONCURRENT_READ_COUNT = 2;

const RESTART_MS_MIN = 100;

interface Call {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

type State = 'opening' | 'open' | 'down' | 'closing' | 'closed';

/** Calls that change the store, at a position of the journal. */
type WriteName = Exclude<keyof SpanWriter, 'appliedPosition' | 'checkpointedPosition'>;

type CallResult<Name extends keyof StoreCalls> = Awaited<ReturnType<StoreCalls[Name]>>;

/** Starts the store thread, restarts it when it ends, sends calls to it, and queues reads. */
export class StoreWorkerClient {
  readonly #options: SpanStoreOptions;
  readonly #metrics: SpanStoreMetrics | undefined;
  readonly #queue: ReadQueue;
  readonly #calls = new Map<number, Call>();
  readonly #changes: ChangeClock;
  #nextId = 1;
  #readNames: readonly string[] = [];
  #worker: Worker | undefined;
  #state: State = 'opening';
  #restartTimer: NodeJS.Timeout | undefined;
  #restartMs = RESTART_MS_MIN;
  /** A restart resets the applied position to a checkpoint. Writes are rejected until a caller has read the position. */
  #mustAskPosition = false;

  constructor(options: SpanStoreOptions, changes: ChangeClock) {
    this.#options = options;
    this.#changes = changes;
    this.#queue = new ReadQueue({
      concurrency: READ_CONCURRENCY,
      runningCountMax: options.concurrentReadCount ?? CONCURRENT_READ_COUNT,
      waitingCountMax: READ_QUEUE_COUNT_MAX,
      shares: READ_SHARES,
      now: () => performance.now(),
    });
    this.#metrics = options.registry && new SpanStoreMetrics(options.registry, () => this.call('stats', []));
  }

  /** Names of the reads that the thread runs; known after `start`. */
  get readNames(): readonly string[] {
    return this.#readNames;
  }

  /** Starts the thread and waits until its database is open. */
  async start(): Promise<void> {
    const { dir, threadCount, blockRowCount, recentSpanBytes, rangeSumBytes } = this.#options;
    const memory =
      this.#options.memory ?? planMemory({ ...readMachineMemory(), coreCount: availableParallelism() }).store;
    const worker = new Worker(new URL('./store-worker.cjs', import.meta.url), {
      name: 'span-store',
      workerData: {
        dir,
        memoryBytesMax: memory.bufferBytesMax,
        blockFilterBytes: memory.blockFilterBytesMax,
        checkpointBytes: memory.checkpointBytes,
        tempBytesMax: STORE_TEMP_BYTES_MAX,
        threadCount: threadCount ?? cpus().length,
        blockRowCount,
        recentSpanBytes: recentSpanBytes ?? memory.recentSpanBytesMax,
        rangeSumBytes: rangeSumBytes ?? memory.rangeSumBytesMax,
      },
    });
    await new Promise<void>((resolve, reject) => {
      worker.on('message', (message: FromStoreThread) => {
        if (message.type === 'opened') {
          this.#readNames = message.reads;
          this.#worker = worker;
          this.#state = 'open';
          resolve();
        } else if (message.type === 'openFailed') {
          reject(fromErrorMessage(message.error));
        } else this.#receive(worker, message);
      });
      worker.on('error', (error) => this.#options.log.error({ error: error.message }, 'The store thread failed'));
      worker.on('exit', () => {
        reject(new SpandrelError('STORE_UNAVAILABLE', 'the store thread ended before its database was open'));
        if (this.#worker === worker) this.#onExit();
      });
    });
  }

  /** Runs a read on the thread when the queue permits. Rejects at the deadline of its class, or when the signal fires. */
  async read(method: string, argument: unknown, { readClass = 'api', signal }: ReadOptions = {}): Promise<unknown> {
    if (signal?.aborted) throw cancelled();
    // Since the restart, ingest has not read which changes the store lacks.
    if (this.#mustAskPosition) throw this.#unavailable();
    const startedAt = performance.now();
    const deadlineMs = this.#options.readDeadlineMs?.[readClass] ?? READ_DEADLINE_MS[readClass];
    const { promise: givenUp, reject: giveUp } = withRejection();
    const timer = setTimeout(() => giveUp(timedOut(deadlineMs)), deadlineMs);
    const onAbort = () => giveUp(cancelled());
    signal?.addEventListener('abort', onAbort, { once: true });
    const read = this.#enqueueRead(readClass, method, argument);
    try {
      return await Promise.race([read.result, givenUp]);
    } catch (error) {
      read.cancel();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#metrics?.observeRead(readClass, (performance.now() - startedAt) / 1000);
    }
  }

  /** `cancel` does nothing after the end of the read. */
  #enqueueRead(
    readClass: ReadClass,
    method: string,
    argument: unknown,
  ): { readonly result: Promise<unknown>; cancel(): void } {
    let turn: { leave(): void } | undefined;
    let callId: number | undefined;
    const result = new Promise<unknown>((resolve, reject) => {
      turn = this.#queue.enter(readClass, () => {
        callId = this.#nextId;
        // The read leaves the queue when the thread has responded, because a cancelled statement takes a moment to stop.
        this.#call(method, [argument])
          .finally(() => turn?.leave())
          .then((result) => resolve(unpackResult(method, argument, result)), reject);
      });
    });
    return {
      result,
      cancel: () => {
        if (callId === undefined) turn?.leave();
        else this.#post({ type: 'cancel', id: callId });
      },
    };
  }

  /** Calls a method that changes the store. `transfer`: buffers that are moved to the thread. */
  async write<Name extends WriteName>(
    method: Name,
    args: Parameters<StoreCalls[Name]>,
    { rowCount = 0, transfer }: { readonly rowCount?: number; readonly transfer?: ArrayBuffer[] } = {},
  ): Promise<CallResult<Name>> {
    if (this.#mustAskPosition && this.#state === 'open') {
      throw new SpandrelError(
        'STORE_UNAVAILABLE',
        'the span store was reopened since the last write: read its position and continue from there',
      );
    }
    const startedAt = performance.now();
    const result = await this.call(method, args, transfer);
    this.#metrics?.observeWrite(method, (performance.now() - startedAt) / 1000, rowCount);
    return result;
  }

  /** The position up to which the journal is applied, from which writes continue, also after a restart of the thread. */
  async askAppliedPosition(): Promise<number> {
    const position = await this.call('appliedPosition', []);
    this.#mustAskPosition = false;
    return position;
  }

  /** Calls a method of the store without waiting for other calls. */
  call<Name extends keyof StoreCalls>(
    method: Name,
    args: Parameters<StoreCalls[Name]>,
    transfer?: ArrayBuffer[],
  ): Promise<CallResult<Name>> {
    return this.#call(method, args, transfer) as Promise<CallResult<Name>>;
  }

  #call(method: string, args: readonly unknown[], transfer?: ArrayBuffer[]): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise<unknown>((resolve, reject) => {
      if (this.#state !== 'open') return reject(this.#unavailable());
      this.#calls.set(id, { resolve, reject });
      try {
        this.#post({ type: 'call', id, method, args }, transfer);
      } catch (error) {
        this.#calls.delete(id);
        reject(error);
      }
    });
  }

  async close(): Promise<void> {
    if (this.#state === 'closing' || this.#state === 'closed') return;
    const wasOpen = this.#state === 'open';
    clearTimeout(this.#restartTimer);
    const worker = this.#worker;
    try {
      if (wasOpen) {
        const closed = this.call('close', []);
        this.#state = 'closing';
        await closed;
      }
    } finally {
      this.#state = 'closed';
      await worker?.terminate();
      this.#rejectAll();
    }
  }

  #post(message: ToStoreThread, transfer?: ArrayBuffer[]): void {
    this.#worker?.postMessage(message, transfer);
  }

  #unavailable(): SpandrelError {
    return this.#state === 'closing' || this.#state === 'closed'
      ? new SpandrelError('STORE_UNAVAILABLE', 'the span store is closed')
      : new SpandrelError('STORE_UNAVAILABLE', 'the span store is being reopened; try again later');
  }

  #receive(worker: Worker, message: FromStoreThread): void {
    switch (message.type) {
      case 'result': {
        const call = this.#calls.get(message.id);
        this.#calls.delete(message.id);
        call?.resolve(message.result);
        break;
      }
      case 'failed': {
        const call = this.#calls.get(message.id);
        this.#calls.delete(message.id);
        call?.reject(fromErrorMessage(message.error));
        break;
      }
      case 'resolveProjects':
        void this.#answer(worker, message.id, this.#options.resolveProjects(message.names, message.position));
        break;
      case 'removeProject':
        void this.#answer(worker, message.id, this.#options.removeProject?.(message.project, message.position));
        break;
      case 'log':
        this.#options.log[message.level](message.fields, message.message);
        break;
      case 'changed':
        this.#changes.record(message.change);
        break;
      case 'checkpointed':
        // Reset only here. A thread that ends at every checkpoint, as on a full disk, must not restart immediately every time.
        this.#restartMs = RESTART_MS_MIN;
        this.#metrics?.observeCheckpoint(message.seconds);
        this.#options.onCheckpoint?.(message.checkpoint);
        break;
    }
  }

  async #answer(worker: Worker, id: number, result: Promise<unknown> | undefined): Promise<void> {
    try {
      worker.postMessage({ type: 'projects', id, ids: await result });
    } catch (error) {
      worker.postMessage({ type: 'projectsFailed', id, error: toErrorMessage(error) });
    }
  }

  #onExit(): void {
    if (this.#state === 'closing' || this.#state === 'closed') return;
    this.#state = 'down';
    this.#worker = undefined;
    this.#mustAskPosition = true;
    this.#rejectAll();
    this.#options.log.error({}, 'The store thread ended and is restarted; the journal adds missing data');
    this.#restartLater();
  }

  #restartLater(): void {
    this.#restartTimer = setTimeout(async () => {
      try {
        await this.start();
        this.#options.log.info({}, 'The span store is open again');
      } catch (error) {
        this.#options.log.error({ error: (error as Error).message }, 'Could not open the span store; retrying');
        if (this.#state === 'down') this.#restartLater();
      }
    }, this.#restartMs);
    this.#restartMs = Math.min(STORE_RESTART_MS_MAX, 2 * this.#restartMs);
  }

  #rejectAll(): void {
    for (const { reject } of this.#calls.values()) reject(this.#unavailable());
    this.#calls.clear();
  }
}

function withRejection(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject!: (error: Error) => void;
  const promise = new Promise<never>((_, rejectPromise) => {
    reject = rejectPromise;
  });
  return { promise, reject };
}

const cancelled = () => new SpandrelError('CANCELLED', 'the read was cancelled');

const timedOut = (deadlineMs: number) =>
  new SpandrelError(
    'QUERY_TIMED_OUT',
    `the query took longer than ${deadlineMs / 1000} s; select a shorter time range`,
  );
