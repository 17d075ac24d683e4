/** An event of a chat completion, or of one over a dataset. Ids are row ids. */
export type ChatEvent = ChatCell & ChatEventBody;

/** The cell of an event. Both are null for events of the whole experiment; the example is null without a dataset. */
export interface ChatCell {
  readonly exampleRowId: number | null;
  /** Counts from 1. */
  readonly repetitionNumber: number | null;
}

export type ChatEventBody =
  | { readonly type: 'experiment'; readonly experimentRowId: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly arguments: string }
  /** The cell is attempted again: its text and tool calls so far are void. */
  | { readonly type: 'restart' }
  /** A budget does not allow the call of the cell. It has no result. */
  | { readonly type: 'stopped'; readonly reason: string }
  /** A result can be read by its span and run when this event is sent. */
  | { readonly type: 'result'; readonly spanRowId: number | null; readonly runRowId: number | null }
  | {
      readonly type: 'error';
      readonly message: string;
      readonly spanRowId: number | null;
      readonly runRowId: number | null;
    }
  | {
      readonly type: 'evaluation';
      readonly evaluatorName: string;
      /** Null when it failed. */
      readonly annotationRowId: number | null;
      readonly traceId: string | null;
      readonly error: string | null;
    };
