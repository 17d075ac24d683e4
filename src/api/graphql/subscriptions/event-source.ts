/**
 * The events of a running subscription and how they become payloads. Events belong to cells: the order of the events of
 * one cell is kept, and cells are independent of each other.
 */
// biome-ignore lint/suspicious/noExplicitAny: the transport does not look into events
export interface EventSource<Event = any> {
  /** Ends, or fails, soon after the signal of the subscription fires. A failure is the last payload. */
  readonly events: AsyncIterable<Event>;
  /**
   * Least time between two writes in milliseconds, in which the events of a cell are merged. The first event after a pause is sent at
   * once. Default: none.
   */
  readonly writeIntervalMs?: number;
  readonly cellOf: (event: Event) => string;
  /** One event in place of two neighbours of a cell. Undefined when both are needed. */
  readonly merge: (first: Event, second: Event) => Event | undefined;
  /** Number of characters of its texts. */
  readonly charsOf: (event: Event) => number;
  /** Object with the fields of the payload. Undefined when the event is not sent to this operation. */
  readonly toPayload: (event: Event) => object | undefined;
  /** A text of the event if the payloads of its cell differ in it alone. */
  readonly textOf: (event: Event) => string | undefined;
  /** The event with another such text. */
  readonly withText: (event: Event, text: string) => Event;
  /** Whether the payload has all its values, so that nothing is read for it. */
  readonly isComplete: (event: Event) => boolean;
}
