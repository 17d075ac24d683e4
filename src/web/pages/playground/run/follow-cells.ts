import { subscribe } from '../../../data/streams/subscribe.ts';
import { playgroundCells } from '../generated/runs.ts';
import type { CellSpending } from './cell-spending.ts';
import type { CellStore } from './cell-store.ts';
import { toChatInput } from './chat-input.ts';
import { toCellEvent } from './payload-events.ts';
import type { RunColumn, RunOptions } from './run-controller.ts';
import { Slices } from './slices.ts';

/** Calls that the server makes at a time for one stream. */
const CELLS_AT_ONCE = 8;
/** The server limits the lists of a request. */
const CELL_COUNT_MAX = 1_000;

interface ListedCell {
  readonly key: string;
  readonly variant: number;
  readonly variantId: string;
  readonly caseId: string;
  readonly variables: unknown;
}

/** Runs the cells of columns, row by row, and applies what arrives to the store. */
export async function followCells(
  columns: readonly RunColumn[],
  options: RunOptions,
  store: CellStore,
  signal: AbortSignal,
  spending: CellSpending,
): Promise<void> {
  const cells = listCells(columns);
  const slices = new Slices();
  for (let from = 0; from < cells.length; from += CELL_COUNT_MAX) {
    const budgets = columns.map(({ variant }) => spending.left(variant.id));
    const variants = columns.map(({ variant }, index) => toChatInput(variant, options, budgets[index] ?? undefined));
    // Cells of variants that have spent their budget stay as they are, and are stopped at the end.
    const part = cells.slice(from, from + CELL_COUNT_MAX).filter(({ variant }) => budgets[variant] !== null);
    if (part.length === 0) continue;
    const byKey = new Map(part.map((cell) => [cell.key, cell]));
    const starts = new Starts(part, options.repetitions, store);
    starts.begin();
    const payloads = subscribe(
      playgroundCells,
      {
        input: {
          variants,
          cells: part.map(({ key, variant, variables }) => ({ key, variant, variables })),
          maxConcurrency: CELLS_AT_ONCE,
        },
      },
      signal,
    );
    for await (const { chatCompletionCells } of payloads) {
      await slices.pause();
      const { key, payload } = chatCompletionCells;
      const cell = byKey.get(key);
      const event = toCellEvent(payload, performance.now());
      if (!cell || !event) continue;
      const { variantId, caseId } = cell;
      const repetition = 'repetitionNumber' in payload ? payload.repetitionNumber : null;
      // A cell that could not start has one error for all repetitions.
      const repetitions = repetition === null ? starts.all : [repetition];
      for (const each of repetitions) store.apply({ variantId, caseId, repetition: each }, event);
      if (event.type === 'result') spending.add(variantId, event.facts);
      if (payload.__typename === 'ChatCompletionSubscriptionStop') spending.stop(variantId, payload.reason);
      const isEnd = repetition === null || event.type === 'result' || event.type === 'stop';
      if (isEnd) starts.end(key, repetitions.length);
    }
  }
}

/** Cells by row, so that the first rows are complete first. */
function listCells(columns: readonly RunColumn[]): readonly ListedCell[] {
  const rowCount = Math.max(0, ...columns.map(({ cells }) => cells.length));
  return Array.from({ length: rowCount }, (_, row) =>
    columns.flatMap(({ variant, cells }, index): ListedCell[] => {
      const cell = cells[row];
      if (!cell) return [];
      const { caseId, variables } = cell;
      return [{ key: `${index} ${row}`, variant: index, variantId: variant.id, caseId, variables }];
    }),
  ).flat();
}

/** The server starts the cells of a stream in their order, so the page knows which ones run. */
class Starts {
  readonly all: readonly number[];
  readonly #cells: readonly ListedCell[];
  readonly #store: CellStore;
  readonly #left = new Map<string, number>();
  #next = 0;

  constructor(cells: readonly ListedCell[], repetitions: number, store: CellStore) {
    this.#cells = cells;
    this.#store = store;
    this.all = Array.from({ length: repetitions }, (_, index) => index + 1);
  }

  begin(): void {
    for (let count = 0; count < CELLS_AT_ONCE; count++) this.#start();
  }

  /** A cell ends with its last repetition. */
  end(key: string, count: number): void {
    const left = (this.#left.get(key) ?? this.all.length) - count;
    this.#left.set(key, left);
    if (left === 0) this.#start();
  }

  #start(): void {
    const cell = this.#cells[this.#next++];
    if (!cell) return;
    const { variantId, caseId } = cell;
    for (const repetition of this.all) {
      this.#store.apply({ variantId, caseId, repetition }, { type: 'start', at: performance.now() });
    }
  }
}
