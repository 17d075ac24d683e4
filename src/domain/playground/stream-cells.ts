import { SpandrelError } from '../../model/errors.ts';
import { CHAT_CELLS_AT_ONCE_MAX } from '../../model/limits/chat.ts';
import type { ChatEvent } from '../../model/playground/chat-event.ts';
import type { Ports } from '../ports.ts';
import { type CellBudget, openCellBudget } from './cell-budget.ts';
import { type ChatInput, streamChat } from './stream-chat.ts';

/** An event of one of several chat completions. */
export interface KeyedEvent {
  /** Chosen by the caller. */
  readonly key: string;
  readonly event: ChatEvent;
}

export interface CellsInput {
  /** Cells of one variant share its budget. */
  readonly cells: readonly { readonly key: string; readonly variant: number; readonly input: ChatInput }[];
  readonly maxConcurrency: number;
}

/**
 * Runs many chat completions, some at a time, in the order of the list. A completion that cannot start is an error event of
 * its key, and the others go on.
 *
 * @throws {SpandrelError} `QUERY_INVALID` before the first event
 */
export async function* streamCells(ports: Ports, input: CellsInput, signal: AbortSignal): AsyncGenerator<KeyedEvent> {
  const { cells, maxConcurrency } = input;
  if (!(maxConcurrency >= 1 && maxConcurrency <= CHAT_CELLS_AT_ONCE_MAX)) {
    throw new SpandrelError('QUERY_INVALID', `maxConcurrency must be from 1 to ${CHAT_CELLS_AT_ONCE_MAX}`);
  }
  const budgets = new Map<number, CellBudget | undefined>();
  for (const { variant, input: chat } of cells)
    if (!budgets.has(variant)) budgets.set(variant, openCellBudget(ports, chat.budget));
  const starts = cells.map(
    ({ key, variant, input: chat }) =>
      () =>
        withErrors(key, streamChat(ports, chat, signal, budgets.get(variant)), signal),
  );
  yield* mergeStreams(starts, maxConcurrency);
}

async function* withErrors(
  key: string,
  events: AsyncIterable<ChatEvent>,
  signal: AbortSignal,
): AsyncGenerator<KeyedEvent> {
  try {
    for await (const event of events) yield { key, event };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SpandrelError)) throw error;
    const cell = { exampleRowId: null, repetitionNumber: null };
    yield { key, event: { type: 'error', message: error.message, spanRowId: null, runRowId: null, ...cell } };
  }
}

/**
 * Yields the items of several streams as they arrive, of at most `maxConcurrency` at a time. The next item of a stream is
 * asked for when its last one was taken, so a slow reader slows the streams.
 */
export async function* mergeStreams<Item>(
  starts: readonly (() => AsyncGenerator<Item>)[],
  maxConcurrency: number,
): AsyncGenerator<Item> {
  const running = new Set<AsyncGenerator<Item>>();
  const waiting = [...starts].reverse();
  /** Steps that have ended, in that order, so that a fast stream does not keep others from being read. */
  const ended: Step<Item>[] = [];
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  const advance = (stream: AsyncGenerator<Item>) => {
    stream.next().then(
      (result) => {
        ended.push({ stream, result });
        wake();
      },
      (error) => {
        failure ??= { error };
        wake();
      },
    );
  };
  try {
    for (;;) {
      while (running.size < maxConcurrency) {
        const stream = waiting.pop()?.();
        if (!stream) break;
        running.add(stream);
        advance(stream);
      }
      if (running.size === 0) return;
      if (failure) throw failure.error;
      const step = ended.shift();
      if (!step) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if (step.result.done) {
        running.delete(step.stream);
      } else {
        yield step.result.value;
        advance(step.stream);
      }
    }
  } finally {
    // Streams whose step has not ended cannot be awaited: they end with the signal of their work.
    for (const stream of running) void stream.return(undefined).catch(() => undefined);
  }
}

interface Step<Item> {
  readonly stream: AsyncGenerator<Item>;
  readonly result: IteratorResult<Item>;
}
