import { STREAM_CHARS_MAX, STREAM_EVENT_COUNT_MAX } from '../../model/limits/jobs.ts';
import type { ChatEvent } from '../../model/playground/chat-event.ts';

interface Slot {
  readonly cell: string;
  event: ChatEvent;
}

/**
 * Events of a job that wait for the reader of its stream. Pieces of a cell are merged while they wait. Nothing is lost: while
 * the buffer is full the job starts no further task, and calls in flight end.
 */
export class EventBuffer {
  readonly #waiting: Slot[] = [];
  /** Index of the first slot that was not read. Slots before it are removed now and then. */
  #first = 0;
  readonly #lastOfCell = new Map<string, Slot>();
  #chars = 0;
  #end: { readonly error?: Error } | undefined;
  #wake: (() => void) | undefined;
  #fullSince: number | undefined;
  readonly #onDrain: () => void;

  constructor(onDrain: () => void) {
    this.#onDrain = onDrain;
  }

  get isFull(): boolean {
    return this.#fullSince !== undefined;
  }

  /** Time, by `Date.now()`, since when the buffer is full and nothing was read. */
  get stalledSince(): number | undefined {
    return this.#fullSince;
  }

  push(event: ChatEvent): void {
    if (this.#end) return;
    const cell = `${event.exampleRowId}:${event.repetitionNumber}`;
    const last = this.#lastOfCell.get(cell);
    const merged = last && merge(last.event, event);
    this.#chars += charsOf(event);
    if (last && merged) last.event = merged;
    else {
      const slot = { cell, event };
      this.#waiting.push(slot);
      this.#lastOfCell.set(cell, slot);
    }
    if (this.#size > STREAM_EVENT_COUNT_MAX || this.#chars > STREAM_CHARS_MAX) this.#fullSince ??= Date.now();
    this.#notify();
  }

  /** The reader gets what waits, and then the end or the error. */
  end(error?: Error): void {
    this.#end ??= error ? { error } : {};
    this.#notify();
  }

  /** The reader gets nothing any more. */
  cancel(): void {
    this.#end = {};
    this.#waiting.length = 0;
    this.#first = 0;
    this.#lastOfCell.clear();
    this.#fullSince = undefined;
    this.#notify();
  }

  async *read(): AsyncGenerator<ChatEvent, void, undefined> {
    for (;;) {
      const slot = this.#shift();
      if (slot) yield slot.event;
      else if (this.#end?.error) throw this.#end.error;
      else if (this.#end) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  get #size(): number {
    return this.#waiting.length - this.#first;
  }

  #shift(): Slot | undefined {
    const slot = this.#waiting[this.#first];
    if (!slot) return undefined;
    this.#first++;
    if (this.#first >= 1_000 && this.#first * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#first);
      this.#first = 0;
    }
    if (this.#lastOfCell.get(slot.cell) === slot) this.#lastOfCell.delete(slot.cell);
    this.#chars -= charsOf(slot.event);
    if (this.#fullSince === undefined) return slot;
    this.#fullSince = Date.now();
    if (this.#size <= STREAM_EVENT_COUNT_MAX / 2 && this.#chars <= STREAM_CHARS_MAX / 2) {
      this.#fullSince = undefined;
      this.#onDrain();
    }
    return slot;
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

function charsOf(event: ChatEvent): number {
  if (event.type === 'text') return event.text.length;
  return event.type === 'toolCall' ? event.arguments.length + event.name.length : 0;
}

/** One event that replaces two of the same cell. Undefined when both are needed. */
function merge(first: ChatEvent, second: ChatEvent): ChatEvent | undefined {
  if (first.type === 'text' && second.type === 'text') return { ...first, text: first.text + second.text };
  if (first.type === 'toolCall' && second.type === 'toolCall' && first.id === second.id) {
    return { ...first, name: first.name || second.name, arguments: first.arguments + second.arguments };
  }
  return undefined;
}
