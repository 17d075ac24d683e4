import type { Variant } from '../../../components/prompt/variant/variant.ts';
import { fingerprintOf } from '../../../components/prompt/variant/version-input.ts';
import type { RunBudget } from '../state/draft.ts';
import { queuedCell } from './cell.ts';
import { CellSpending } from './cell-spending.ts';
import type { CellAddress, CellStore } from './cell-store.ts';
import type { RunState } from './run-state.ts';

/** A cell that a run fills, with its repetitions. */
export interface RunCell {
  readonly caseId: string;
  readonly variables: object | null;
}

/** A variant with the cells to fill. */
export interface RunColumn {
  readonly variant: Variant;
  readonly cells: readonly RunCell[];
}

export interface RunOptions {
  readonly repetitions: number;
  readonly isStreamed: boolean;
  readonly budget?: RunBudget | undefined;
}

/** Follows columns until their cells have ended. Rejects when the stream fails as a whole. */
export type FollowColumns = (
  columns: readonly RunColumn[],
  options: RunOptions,
  store: CellStore,
  signal: AbortSignal,
  spending: CellSpending,
) => Promise<void>;

interface Group {
  columns: readonly RunColumn[];
  readonly options: RunOptions;
  readonly spending: CellSpending;
  controller: AbortController;
}

/**
 * Streams at a time. A browser opens six connections to a server, and the page needs some for its queries. More variants
 * share streams.
 */
const STREAM_COUNT_MAX = 4;

/** Runs of typed inputs and spans. Columns of one group share a stream. */
export class RunController {
  readonly #store: CellStore;
  readonly #follow: FollowColumns;
  readonly #groups = new Set<Group>();
  readonly #listeners = new Set<() => void>();
  #states: ReadonlyMap<string, RunState> = new Map();

  constructor(store: CellStore, follow: FollowColumns) {
    this.#store = store;
    this.#follow = follow;
  }

  /** Runs by variant. Another map after each change. */
  states = (): ReadonlyMap<string, RunState> => this.#states;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  setState(variantId: string, changes: Partial<RunState>): void {
    const before = this.#states.get(variantId) ?? NO_RUN;
    this.#states = new Map([...this.#states, [variantId, { ...before, ...changes }]]);
    for (const listener of this.#listeners) listener();
  }

  /** Fills cells, which lose their earlier outputs. A variant that runs is stopped first. */
  run(columns: readonly RunColumn[], options: RunOptions): void {
    for (const { variant } of columns) this.stop(variant.id);
    for (const { variant, cells } of columns) {
      const fingerprint = fingerprintOf(variant);
      for (const { caseId } of cells) {
        for (let repetition = 1; repetition <= options.repetitions; repetition++) {
          this.#store.set({ variantId: variant.id, caseId, repetition }, queuedCell(fingerprint));
        }
      }
    }
    const spending = new CellSpending(options.budget, (variantId, changes) => this.setState(variantId, changes));
    for (const { variant } of columns) spending.begin(variant.id);
    for (const group of divide(columns, STREAM_COUNT_MAX)) this.#start(group, options, spending);
  }

  /** Stops a variant. Others that share its stream go on in another one. */
  stop(variantId: string): void {
    for (const group of [...this.#groups]) {
      if (!group.columns.some(({ variant }) => variant.id === variantId)) continue;
      this.#groups.delete(group);
      group.controller.abort();
      const rest = group.columns
        .filter(({ variant }) => variant.id !== variantId)
        .map((column) => ({ ...column, cells: this.#unfinished(column, group.options.repetitions) }))
        .filter(({ cells }) => cells.length > 0);
      if (rest.length > 0) this.#start(rest, group.options, group.spending);
    }
    this.#store.stop(variantId);
    if (this.#states.get(variantId)?.isRunning) this.setState(variantId, { isRunning: false });
  }

  stopAll(): void {
    for (const [variantId, { isRunning }] of this.#states) if (isRunning) this.stop(variantId);
  }

  /** Cells of which a repetition has not ended. They run again as a whole. */
  #unfinished({ variant, cells }: RunColumn, repetitions: number): readonly RunCell[] {
    const fingerprint = fingerprintOf(variant);
    return cells.filter(({ caseId }) => {
      const addresses = Array.from(
        { length: repetitions },
        (_, index): CellAddress => ({ variantId: variant.id, caseId, repetition: index + 1 }),
      );
      const isOpen = addresses.some((address) => {
        const status = this.#store.get(address)?.status;
        return status === 'queued' || status === 'running';
      });
      if (isOpen) for (const address of addresses) this.#store.set(address, queuedCell(fingerprint));
      return isOpen;
    });
  }

  #start(columns: readonly RunColumn[], options: RunOptions, spending: CellSpending): void {
    const group: Group = { columns, options, spending, controller: new AbortController() };
    this.#groups.add(group);
    for (const { variant } of columns) {
      const before = this.#states.get(variant.id);
      this.setState(variant.id, {
        isRunning: true,
        startedAt: before?.isRunning ? before.startedAt : Date.now(),
        problem: undefined,
      });
    }
    const { signal } = group.controller;
    const end = (problem: string | undefined) => {
      if (!this.#groups.delete(group)) return;
      for (const { variant } of columns) {
        if (problem !== undefined) this.#fail(variant.id, problem);
        this.#store.stop(variant.id);
        this.setState(variant.id, { isRunning: false, problem });
      }
    };
    this.#follow(columns, options, this.#store, signal, spending).then(
      () => end(undefined),
      (error: unknown) => end(error instanceof Error ? error.message : String(error)),
    );
  }

  /** Shows the reason of a failed stream where outputs would be. */
  #fail(variantId: string, message: string): void {
    for (const [caseId, cell, repetition] of [...this.#store.cellsOf(variantId)]) {
      if (cell.status !== 'queued' && cell.status !== 'running') continue;
      this.#store.apply({ variantId, caseId, repetition }, { type: 'error', message, facts: undefined });
    }
  }
}

const NO_RUN: RunState = { isRunning: false, startedAt: 0, problem: undefined, experimentId: undefined };

/** Deals items to at most so many groups. */
function divide<Item>(items: readonly Item[], countMax: number): readonly (readonly Item[])[] {
  const groups: Item[][] = Array.from({ length: Math.min(countMax, items.length) }, () => []);
  for (const [index, item] of items.entries()) groups[index % groups.length]!.push(item);
  return groups;
}
