import { setImmediate as turn } from 'node:timers/promises';
import { expectPresent } from '../../../base/expect-present.ts';
import { GRAPHQL_SLICE_MS } from '../../../model/limits/graphql.ts';

interface Queue {
  readonly work: (() => void)[];
  next: number;
}

/**
 * Runs the yielding work of all GraphQL requests for one time slice per iteration of the event loop, alternating
 * between the requests. So an acknowledgement waits for at most one slice, whatever the number and content of the
 * requests.
 */
export class TimeSlices {
  /** Waiting work by the signal that ends its request. */
  readonly #queues = new Map<AbortSignal, Queue>();
  #isRunning = false;
  /** Start of the first work in this iteration. */
  #startedAt: number | undefined;

  /** Whether the time slice of this iteration is used up. */
  isOver(): boolean {
    if (this.#startedAt !== undefined) return performance.now() - this.#startedAt > GRAPHQL_SLICE_MS;
    this.#startedAt = performance.now();
    setImmediate(() => {
      this.#startedAt = undefined;
    });
    return false;
  }

  /** Resolves when the request may continue. Never resolves if its signal fires first. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => this.run([resolve], signal));
  }

  /** Like `wait`, for a handler that has to end: rejects with the signal's reason if it fires first. */
  waitOrLeave(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => reject(signal.reason);
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.run([go], signal);
    });
  }

  /** Returns promises of the items. They resolve one after the other as the request may continue. */
  release<Item>(items: readonly Item[], signal: AbortSignal): Promise<Item>[] {
    const work: (() => void)[] = [];
    const released = items.map((item) => new Promise<Item>((resolve) => work.push(() => resolve(item))));
    this.run(work, signal);
    return released;
  }

  /** Calls a function after all waiting work of the request, and the microtasks that it queued, have run. */
  afterWork(signal: AbortSignal, then: () => void): void {
    const check = () => {
      if (signal.aborted) return;
      if (this.#queues.has(signal)) setImmediate(check);
      else then();
    };
    setImmediate(check);
  }

  /** Calls functions one after the other as the request may continue, until its signal fires. */
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
        expectPresent(queue.work[queue.next++], 'the queue has work left')();
        // The released work runs in a microtask, whose time counts toward the slice.
        await undefined;
        if (this.isOver()) await turn();
      }
    }
    this.#isRunning = false;
  }
}
