import { setImmediate as turn } from 'node:timers/promises';
import { GRAPHQL_SLICE_MS } from '../../model/limits.ts';

interface Queue {
  readonly work: (() => void)[];
  next: number;
}

/**
 * Yielding work of all GraphQL requests together: in each iteration of the event loop it runs for one slice of time, and
 * requests take turns. So an acknowledgement waits for one slice, whatever the requests ask for and however many there are.
 */
export class TimeSlices {
  /** Waiting work of each request that has some, by the signal that ends the request. */
  readonly #queues = new Map<AbortSignal, Queue>();
  #isRunning = false;
  /** When the first work of this iteration began. */
  #startedAt: number | undefined;

  /** Whether this iteration's slice is used up. */
  isOver(): boolean {
    if (this.#startedAt !== undefined) return performance.now() - this.#startedAt > GRAPHQL_SLICE_MS;
    this.#startedAt = performance.now();
    setImmediate(() => {
      this.#startedAt = undefined;
    });
    return false;
  }

  /** Resolves when it is the request's turn; never when its signal has fired before. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => this.run([resolve], signal));
  }

  /** Promises of the same items, which resolve one after the other, as the request has its turn. */
  release<Item>(items: readonly Item[], signal: AbortSignal): Promise<Item>[] {
    const work: (() => void)[] = [];
    const released = items.map((item) => new Promise<Item>((resolve) => work.push(() => resolve(item))));
    this.run(work, signal);
    return released;
  }

  /** Calls a function when all of the request's work that waits now has run, and the microtasks that it left. */
  afterWork(signal: AbortSignal, then: () => void): void {
    const check = () => {
      if (signal.aborted) return;
      if (this.#queues.has(signal)) setImmediate(check);
      else then();
    };
    setImmediate(check);
  }

  /** Calls functions one after the other, as the request has its turn; not once its signal has fired. */
  run(work: readonly (() => void)[], signal: AbortSignal): void {
    const queue = this.#queues.get(signal);
    if (queue) for (const one of work) queue.work.push(one);
    else this.#queues.set(signal, { work: [...work], next: 0 });
    if (this.#isRunning) return;
    this.#isRunning = true;
    queueMicrotask(() => this.#drain());
  }

  async #drain(): Promise<void> {
    while (this.#queues.size > 0) {
      for (const [signal, queue] of this.#queues) {
        if (signal.aborted || queue.next === queue.work.length) {
          this.#queues.delete(signal);
          continue;
        }
        queue.work[queue.next++]!();
        // What was released runs in a microtask; its time counts.
        await undefined;
        if (this.isOver()) await turn();
      }
    }
    this.#isRunning = false;
  }
}
