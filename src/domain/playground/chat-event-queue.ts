import type { ChatEvent } from '../../model/playground/chat-event.ts';

/**
 * Events from several calls to one reader. Pieces that wait for the reader are merged per cell, so a slow reader costs one
 * event per cell and kind. Nothing is lost, and the order within a cell stays.
 */
export class ChatEventQueue {
  #waiting: Slot[] = [];
  /** Last slot of each cell that waits. */
  readonly #last = new Map<string, Slot>();
  #wake: (() => void) | undefined;
  #end: { readonly error?: unknown } | undefined;

  push(event: ChatEvent): void {
    if (this.#end) return;
    const cell = `${event.exampleRowId} ${event.repetitionNumber}`;
    const last = this.#last.get(cell);
    const merged = last && merge(last.event, event);
    if (merged) {
      last.event = merged;
      return;
    }
    const slot = { cell, event };
    this.#waiting.push(slot);
    this.#last.set(cell, slot);
    this.#notify();
  }

  /** Ends the iteration after the waiting events; with an error, it rejects then. Later events are dropped. */
  end(failure: { readonly error?: unknown } = {}): void {
    this.#end ??= failure;
    this.#notify();
  }

  /**
   * The events, for one reader. One generator, because each of a chain takes its part of the time of a chunk.
   *
   * @param begin Starts what pushes events, when the first one is asked for
   * @param leave Called when the reader has had all events or leaves
   */
  async *read(begin: () => Promise<void>, leave: () => void): AsyncGenerator<ChatEvent, void, undefined> {
    try {
      await begin();
      for (;;) {
        const slots = this.#waiting;
        this.#waiting = [];
        for (const slot of slots) {
          if (this.#last.get(slot.cell) === slot) this.#last.delete(slot.cell);
          yield slot.event;
        }
        if (slots.length > 0) continue;
        if (this.#end) {
          if ('error' in this.#end) throw this.#end.error;
          return;
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      leave();
    }
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

interface Slot {
  readonly cell: string;
  event: ChatEvent;
}

/** One event in place of two neighbours. Undefined when both are needed. */
function merge(first: ChatEvent, second: ChatEvent): ChatEvent | undefined {
  if (first.type === 'text' && second.type === 'text') return { ...first, text: first.text + second.text };
  if (first.type === 'toolCall' && second.type === 'toolCall' && first.id === second.id) {
    return { ...first, name: first.name || second.name, arguments: first.arguments + second.arguments };
  }
  return undefined;
}
