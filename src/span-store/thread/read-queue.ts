import { SpandrelError } from '../../model/errors.ts';
import type { ReadClass } from '../contract/read-options.ts';

export interface ReadQueueOptions {
  /** Maximum concurrent reads by class. */
  readonly concurrency: Readonly<Record<ReadClass, number>>;
  /** Maximum concurrent reads of all classes. */
  readonly runningCountMax: number;
  readonly waitingCountMax: number;
}

/** Classes by priority: users who look at a page, then programs, then long-running work. */
const CLASSES = ['interface', 'api', 'export', 'background'] as const satisfies readonly ReadClass[];

/** Limits the concurrent reads of each class. Other reads wait in a queue per class. */
export class ReadQueue {
  readonly #options: ReadQueueOptions;
  readonly #running: Record<ReadClass, number> = { interface: 0, api: 0, export: 0, background: 0 };
  readonly #waiting: Record<ReadClass, (() => void)[]> = { interface: [], api: [], export: [], background: [] };

  constructor(options: ReadQueueOptions) {
    this.#options = options;
  }

  /** Calls `start` when the read may run, possibly immediately. `leave` ends the read, or removes it from the queue. */
  enter(readClass: ReadClass, start: () => void): { leave(): void } {
    const waiting = this.#waiting[readClass];
    if (waiting.length >= this.#options.waitingCountMax) {
      throw new SpandrelError('STORE_UNAVAILABLE', `${waiting.length} reads are waiting already; try again later`);
    }
    let state: 'waiting' | 'running' | 'left' = 'waiting';
    const begin = () => {
      state = 'running';
      this.#running[readClass]++;
      start();
    };
    waiting.push(begin);
    this.#startNext();
    return {
      leave: () => {
        if (state === 'running') this.#running[readClass]--;
        else if (state === 'waiting') waiting.splice(waiting.indexOf(begin), 1);
        state = 'left';
        this.#startNext();
      },
    };
  }

  #startNext(): void {
    for (const readClass of CLASSES) {
      while (this.#waiting[readClass].length > 0 && this.#hasCapacity(readClass)) this.#waiting[readClass].shift()?.();
    }
  }

  #hasCapacity(readClass: ReadClass): boolean {
    const { concurrency, runningCountMax } = this.#options;
    const runningCount = CLASSES.reduce((sum, one) => sum + this.#running[one], 0);
    return runningCount < runningCountMax && this.#running[readClass] < concurrency[readClass];
  }
}
