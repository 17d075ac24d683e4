import { SpandrelError } from '../../../model/errors.ts';
import { SUBSCRIPTION_EVENT_CHARS, SUBSCRIPTION_WAITING_CHARS_MAX } from '../../../model/limits/subscriptions.ts';
import type { EventSource } from './event-source.ts';

interface Slot<Event> {
  readonly cell: string;
  event: Event;
  chars: number;
}

/** Characters that all responses of the server hold. */
export interface HeldChars {
  /** @throws {SpandrelError} `STORE_UNAVAILABLE` when all of them would have too many */
  holdChars(count: number): void;
  releaseChars(count: number): void;
}

/** Events that wait for their reader. Nothing is lost, and the events of a cell keep their order. */
export class EventQueue<Event> {
  readonly #source: Pick<EventSource<Event>, 'cellOf' | 'merge' | 'charsOf'>;
  readonly #held: HeldChars;
  readonly #charsMax: number;
  #waiting: Slot<Event>[] = [];
  /** The last event of each cell. */
  readonly #last = new Map<string, Slot<Event>>();
  #chars = 0;

  constructor(
    source: Pick<EventSource<Event>, 'cellOf' | 'merge' | 'charsOf'>,
    held: HeldChars,
    charsMax = SUBSCRIPTION_WAITING_CHARS_MAX,
  ) {
    this.#source = source;
    this.#held = held;
    this.#charsMax = charsMax;
  }

  get count(): number {
    return this.#waiting.length;
  }

  get chars(): number {
    return this.#chars;
  }

  /** @throws {SpandrelError} `SUBSCRIPTION_READER_SLOW`, `STORE_UNAVAILABLE`. Then the event is not kept. */
  push(event: Event): void {
    const { cellOf, merge, charsOf } = this.#source;
    const cell = cellOf(event);
    const last = this.#last.get(cell);
    const merged = last && merge(last.event, event);
    const chars = charsOf(event) + (merged ? 0 : SUBSCRIPTION_EVENT_CHARS);
    this.#hold(chars);
    if (last && merged) {
      last.event = merged;
      last.chars += chars;
      return;
    }
    const slot = { cell, event, chars };
    this.#waiting.push(slot);
    this.#last.set(cell, slot);
  }

  /** Removes the oldest events. */
  take(countMax: number): Event[] {
    const taken = this.#waiting.splice(0, countMax);
    for (const slot of taken) if (this.#last.get(slot.cell) === slot) this.#last.delete(slot.cell);
    this.#release(taken.reduce((sum, { chars }) => sum + chars, 0));
    return taken.map(({ event }) => event);
  }

  clear(): void {
    this.#waiting = [];
    this.#last.clear();
    this.#release(this.#chars);
  }

  #hold(count: number): void {
    if (this.#chars + count > this.#charsMax) {
      throw new SpandrelError(
        'SUBSCRIPTION_READER_SLOW',
        `The reader of a subscription may be at most ${this.#charsMax} characters behind; results are stored with their spans and runs`,
      );
    }
    this.#held.holdChars(count);
    this.#chars += count;
  }

  #release(count: number): void {
    this.#chars -= count;
    this.#held.releaseChars(count);
  }
}
