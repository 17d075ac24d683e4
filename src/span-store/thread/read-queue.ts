import { SpandrelError } from '../../model/errors.ts';
import type { ReadClass } from '../contract/read-options.ts';

export interface ReadQueueOptions {
  /** Reads running at once, by class. */
  readonly concurrency: Readonly<Record<ReadClass, number>>;
  /** Reads running at once, all classes together. */
  readonly runningCountMax: number;
  readonly waitingCountMax: number;
}

/** Who goes first when a place is free: people who look at a page, then programs, then what takes its time. */
const CLASSES = ['interface', 'api', 'export', 'background'] as const satisfies readonly ReadClass[];

/** Lets so many reads of each class run at once; the others wait in line, by class. */
export class ReadQueue {
  readonly #options: ReadQueueOptions;
  readonly #running: Record<ReadClass, number> = { interface: 0, api: 0, export: 0, background: 0 };
  readonly #waiting: Record<ReadClass, (() => void)[]> = { interface: [], api: [], export: [], background: [] };

  constructor(options: ReadQueueOptions) {
    this.#options = options;
  }

  /** Calls `start` when it is its turn, perhaps at once. `leave` ends the turn, or the waiting for it. */
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
      while (this.#waiting[readClass].length > 0 && this.#hasPlace(readClass)) this.#waiting[readClass].shift()!();
    }
  }

  #hasPlace(readClass: ReadClass): boolean {
    const { concurrency, runningCountMax } = this.#options;
    const runningCount = CLASSES.reduce((sum, one) => sum + this.#running[one], 0);
    return runningCount < runningCountMax && this.#running[readClass] < concurrency[readClass];
  }
}
