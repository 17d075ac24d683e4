import type { CallStart, LimitedCall } from '../rate-limits/limited-call.ts';
import { keyOfItem, type WorkItem } from './work-items.ts';

/** Work on an item that has started. */
export interface Call extends LimitedCall {
  readonly item: WorkItem;
  readonly controller: AbortController;
  /** Resolves when the call and its records have ended. */
  ended: Promise<void>;
  /** Why the call was aborted. */
  abortedBy: 'timeout' | 'end' | undefined;
}

/** The calls of a job that have started and not ended. */
export class CallsInFlight {
  readonly #calls = new Map<string, Call>();
  #taskCount = 0;
  #modelCallCount = 0;

  get size(): number {
    return this.#calls.size;
  }

  get taskCount(): number {
    return this.#taskCount;
  }

  get modelCallCount(): number {
    return this.#modelCallCount;
  }

  hasEvaluation(key: string): boolean {
    return this.#calls.has(`evaluation ${key}`);
  }

  add(item: WorkItem, start: CallStart): Call {
    const controller = new AbortController();
    const ended = Promise.resolve();
    const call: Call = { item, start, controller, isLimitUsedUp: false, abortedBy: undefined, ended };
    this.#calls.set(keyOfItem(item), call);
    this.#count(call, 1);
    return call;
  }

  remove(call: Call): void {
    if (this.#calls.delete(keyOfItem(call.item))) this.#count(call, -1);
  }

  ofEvaluators(rowIds: readonly number[]): Call[] {
    return [...this.#calls.values()].filter(
      ({ item }) => item.kind === 'evaluation' && rowIds.includes(item.evaluatorRowId),
    );
  }

  abortAll(): void {
    for (const call of this.#calls.values()) abortCall(call, 'end');
  }

  #count({ item, start }: Call, by: 1 | -1): void {
    if (item.kind === 'task') this.#taskCount += by;
    if (start.limitKey !== null) this.#modelCallCount += by;
  }
}

/** The first reason counts. */
export function abortCall(call: Call, by: 'timeout' | 'end'): void {
  if (call.abortedBy) return;
  call.abortedBy = by;
  call.controller.abort();
}
