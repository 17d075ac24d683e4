import { SpandrelError } from '../../model/errors.ts';
import type { ReadClass } from '../contract/read-options.ts';

export interface ReadQueueOptions {
  /** Maximum concurrent reads by class. */
  readonly concurrency: Readonly<Record<ReadClass, number>>;
  /** Maximum concurrent reads of all classes. */
  readonly runningCountMax: number;
  readonly waitingCountMax: number;
  /** Shares of the time of reads by class, for classes that wait at the same time. */
  readonly shares: Readonly<Record<ReadClass, number>>;
  /** Milliseconds since any moment. */
  readonly now: () => number;
}

/** Classes by priority: users who look at a page, then programs, then long-running work. */
const CLASSES = ['interface', 'api', 'export', 'background'] as const satisfies readonly ReadClass[];
/** Classes whose reads may take long. Together they leave one concurrent read to the others. */
const LONG_CLASSES: readonly ReadClass[] = ['export', 'background'];

/**
 * Limits the concurrent reads of each class. Other reads wait in a queue per class. The next read is one of the class that has used the
 * least time for its share since it began to wait, so that no class waits forever, however many reads the others have.
 */
export class ReadQueue {
  readonly #options: ReadQueueOptions;
  readonly #running: Record<ReadClass, number> = { interface: 0, api: 0, export: 0, background: 0 };
  readonly #waiting: Record<ReadClass, (() => void)[]> = { interface: [], api: [], export: [], background: [] };
  /** Time of reads divided by the share of their class. A class without reads does not save time for later. */
  readonly #used: Record<ReadClass, number> = { interface: 0, api: 0, export: 0, background: 0 };

  constructor(options: ReadQueueOptions) {
    this.#options = options;
  }

  /** Calls `start` when the read may run, possibly immediately. `leave` ends the read, or removes it from the queue. */
  enter(readClass: ReadClass, start: () => void): { leave(): void } {
    const waiting = this.#waiting[readClass];
    if (waiting.length >= this.#options.waitingCountMax) {
      throw new SpandrelError('STORE_UNAVAILABLE', `${waiting.length} reads are waiting already; try again later`);
    }
    if (!this.#isActive(readClass)) {
      const active = CLASSES.filter((one) => this.#isActive(one)).map((one) => this.#used[one]);
      if (active.length > 0) this.#used[readClass] = Math.max(this.#used[readClass], Math.min(...active));
    }
    let state: 'waiting' | 'running' | 'left' = 'waiting';
    let startedAt = 0;
    const begin = () => {
      state = 'running';
      startedAt = this.#options.now();
      this.#running[readClass]++;
      start();
    };
    waiting.push(begin);
    this.#startNext();
    return {
      leave: () => {
        if (state === 'running') {
          this.#running[readClass]--;
          this.#used[readClass] += (this.#options.now() - startedAt) / this.#options.shares[readClass];
        } else if (state === 'waiting') waiting.splice(waiting.indexOf(begin), 1);
        state = 'left';
        this.#startNext();
      },
    };
  }

  #startNext(): void {
    for (let next = this.#nextClass(); next; next = this.#nextClass()) this.#waiting[next].shift()?.();
  }

  /** The class whose first waiting read starts now. Of classes that have used as much, the one with the higher priority. */
  #nextClass(): ReadClass | undefined {
    const startable = CLASSES.filter((one) => this.#waiting[one].length > 0 && this.#hasCapacity(one));
    const least = Math.min(...startable.map((one) => this.#used[one]));
    return startable.find((one) => this.#used[one] === least);
  }

  #isActive(readClass: ReadClass): boolean {
    return this.#running[readClass] + this.#waiting[readClass].length > 0;
  }

  #hasCapacity(readClass: ReadClass): boolean {
    const { concurrency, runningCountMax } = this.#options;
    const countOf = (classes: readonly ReadClass[]) => classes.reduce((sum, one) => sum + this.#running[one], 0);
    if (countOf(CLASSES) >= runningCountMax || this.#running[readClass] >= concurrency[readClass]) return false;
    return !LONG_CLASSES.includes(readClass) || countOf(LONG_CLASSES) < Math.max(1, runningCountMax - 1);
  }
}
