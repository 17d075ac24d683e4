import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina, type PiscinaTask, queueOptionsSymbol } from 'piscina';
import { SpandrelError } from '../../model/errors.ts';
import { DECODE_QUEUE_COUNT_MAX } from '../../model/limits/ingest.ts';
import { DECODE_HEAP_BYTES_MAX } from '../../model/limits/requests.ts';
import type { DecodedBatch, DecodeTask } from './decode-batch.ts';
import type { CheckResult, CheckTask } from './decode-worker.ts';

const MiB = 1024 * 1024;

export interface DecodePoolOptions {
  /** Default: the number of cores minus one, but at least two. */
  readonly threadCount?: number;
  /** True to start a thread at the first request instead of now. */
  readonly startsLazily?: boolean;
  readonly queueCountMax?: number;
  /** JavaScript heap of each thread. Default `DECODE_HEAP_BYTES_MAX`. */
  readonly heapBytesMax?: number;
  /** Maximum number of commas and opening brackets of a JSON body. Default `JSON_SIGN_COUNT_MAX`. */
  readonly jsonSignCountMax?: number;
}

/** The threads that inflate, check and decode. */
export class DecodePool {
  readonly #threads: Piscina;
  readonly #queueCountMax: number;

  readonly #jsonSignCountMax: number | undefined;

  constructor(options: DecodePoolOptions = {}) {
    const { threadCount, queueCountMax = DECODE_QUEUE_COUNT_MAX, heapBytesMax = DECODE_HEAP_BYTES_MAX } = options;
    this.#jsonSignCountMax = options.jsonSignCountMax;
    const count = threadCount ?? Math.max(2, availableParallelism() - 1);
    this.#queueCountMax = queueCountMax;
    this.#threads = new Piscina({
      filename: fileURLToPath(new URL('./decode-worker.cjs', import.meta.url)),
      minThreads: options.startsLazily ? 0 : count,
      maxThreads: count,
      idleTimeout: Number.POSITIVE_INFINITY,
      taskQueue: new ProjectorFirstQueue(),
      resourceLimits: { maxOldGenerationSizeMb: Math.floor(heapBytesMax / MiB) },
    });
  }

  /** Whether another check would be rejected. */
  get isFull(): boolean {
    return this.#threads.queueSize >= this.#queueCountMax;
  }

  /** Inflates and checks a request. The body is transferred to the thread and returned in the result. */
  async check(request: Omit<CheckTask, 'jsonSignCountMax'>): Promise<Extract<CheckResult, { isGood: true }>> {
    const task: CheckTask = { ...request, jsonSignCountMax: this.#jsonSignCountMax };
    const result: CheckResult = await this.#threads.run(task, { name: 'check', transferList: [task.body.buffer] });
    if (!result.isGood) throw new SpandrelError(result.code, result.message);
    return result;
  }

  decode(task: DecodeTask): Promise<DecodedBatch> {
    return this.#threads.run({ ...task, [queueOptionsSymbol]: { isFirst: true } }, { name: 'decode' });
  }

  close(): Promise<void> {
    return this.#threads.destroy();
  }
}

export const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * Puts the batches of the projector, which requests one at a time, before checks. Behind a full queue of checks, the
 * backlog would grow while the store is idle.
 */
class ProjectorFirstQueue {
  readonly #first: PiscinaTask[] = [];
  readonly #rest: PiscinaTask[] = [];

  get size(): number {
    return this.#first.length + this.#rest.length;
  }

  shift(): PiscinaTask | null {
    return this.#first.shift() ?? this.#rest.shift() ?? null;
  }

  push(task: PiscinaTask): void {
    (task[queueOptionsSymbol] ? this.#first : this.#rest).push(task);
  }

  remove(task: PiscinaTask): void {
    for (const tasks of [this.#first, this.#rest]) {
      const index = tasks.indexOf(task);
      if (index >= 0) tasks.splice(index, 1);
    }
  }
}
