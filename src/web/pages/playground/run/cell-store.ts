import { applyEvent, type Cell, type CellEvent, isEnded, type ListedCell } from './cell.ts';

/** Position of a cell. Repetitions count from 1. */
export interface CellAddress {
  readonly variantId: string;
  readonly caseId: string;
  readonly repetition: number;
}

/** Numbers of cells of a variant by what became of them. */
export interface Progress {
  readonly total: number;
  readonly ended: number;
  readonly failed: number;
  /** Part of those that have ended. */
  readonly stopped: number;
  readonly running: number;
  /** Part of those that have ended, whose responses are those of earlier runs. */
  readonly cached: number;
}

const NO_PROGRESS: Progress = { total: 0, ended: 0, failed: 0, stopped: 0, running: 0, cached: 0 };

/**
 * Outputs of the grid, outside of React: a run of 40,000 cells must render the few cells that are visible and no more.
 * Changes are announced once per frame.
 */
export class CellStore {
  readonly #cells = new Map<string, Map<string, Cell>>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #variantListeners = new Map<string, Set<() => void>>();
  readonly #progress = new Map<string, Progress>();
  readonly #changed = new Set<string>();
  readonly #changedVariants = new Set<string>();
  readonly #schedule: (work: () => void) => void;
  #isScheduled = false;

  /** @param schedule Runs work in the next frame. */
  constructor(schedule: (work: () => void) => void) {
    this.#schedule = schedule;
  }

  get(address: CellAddress): Cell | undefined {
    return this.#cells.get(address.variantId)?.get(inner(address));
  }

  progressOf = (variantId: string): Progress => this.#progress.get(variantId) ?? NO_PROGRESS;

  /** Cells of a variant with their case. */
  *cellsOf(variantId: string): Generator<ListedCell> {
    for (const [key, cell] of this.#cells.get(variantId) ?? []) yield toListed(key, cell);
  }

  /** Cells of a variant that have ended. Cheap when few have. */
  *endedCellsOf(variantId: string): Generator<ListedCell> {
    for (const [key, cell] of this.#cells.get(variantId) ?? []) if (isEnded(cell)) yield toListed(key, cell);
  }

  set(address: CellAddress, cell: Cell): void {
    const { variantId } = address;
    const cells = this.#cells.get(variantId) ?? new Map<string, Cell>();
    this.#cells.set(variantId, cells);
    const key = inner(address);
    const before = cells.get(key);
    if (before === cell) return;
    cells.set(key, cell);
    this.#count(variantId, before, cell);
    this.#changed.add(`${variantId}|${key}`);
    this.#announce(variantId);
  }

  /** Replaces all outputs of a variant by one cell for each case and repetition. */
  fill(variantId: string, caseIds: readonly string[], repetitions: number, cell: Cell): void {
    const cells = new Map<string, Cell>();
    for (const caseId of caseIds) {
      for (let repetition = 1; repetition <= repetitions; repetition++) cells.set(`${repetition}|${caseId}`, cell);
    }
    this.#cells.set(variantId, cells);
    this.#progress.set(variantId, { ...NO_PROGRESS, total: cells.size });
    this.#changeAll(variantId);
  }

  /** Applies an event to a cell. Events of a cell that no longer exists are ignored. */
  apply(address: CellAddress, event: CellEvent): void {
    const cell = this.get(address);
    if (cell) this.set(address, applyEvent(cell, event));
  }

  /** Marks all cells of a variant that have not ended. */
  stop(variantId: string): void {
    for (const [caseId, cell, repetition] of [...this.cellsOf(variantId)]) {
      if (!isEnded(cell)) this.apply({ variantId, caseId, repetition }, { type: 'stop' });
    }
  }

  /** Removes all outputs of a variant. */
  clear(variantId: string): void {
    this.#cells.delete(variantId);
    this.#progress.delete(variantId);
    this.#changeAll(variantId);
  }

  subscribe({ variantId, ...rest }: CellAddress, listener: () => void): () => void {
    return listen(this.#listeners, `${variantId}|${inner({ variantId, ...rest })}`, listener);
  }

  /** Calls the listener after frames in which any cell of the variant has changed. */
  subscribeToVariant(variantId: string, listener: () => void): () => void {
    return listen(this.#variantListeners, variantId, listener);
  }

  #count(variantId: string, before: Cell | undefined, after: Cell): void {
    const { total, ended, failed, stopped, running, cached } = this.progressOf(variantId);
    const step = (is: (cell: Cell) => boolean) => Number(is(after)) - Number(before !== undefined && is(before));
    this.#progress.set(variantId, {
      total: total + (before ? 0 : 1),
      ended: ended + step(isEnded),
      failed: failed + step(({ status }) => status === 'error'),
      stopped: stopped + step(({ status }) => status === 'stopped'),
      running: running + step(({ status }) => status === 'running'),
      cached: cached + step(({ facts }) => facts?.isCached === true),
    });
  }

  /** Marks the cells that have listeners. Those are few, and the cells may be many. */
  #changeAll(variantId: string): void {
    for (const key of this.#listeners.keys()) if (key.startsWith(`${variantId}|`)) this.#changed.add(key);
    this.#announce(variantId);
  }

  #announce(variantId: string): void {
    this.#changedVariants.add(variantId);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#isScheduled = false;
      const [cells, variants] = [[...this.#changed], [...this.#changedVariants]];
      this.#changed.clear();
      this.#changedVariants.clear();
      for (const key of cells) for (const listener of this.#listeners.get(key) ?? []) listener();
      for (const id of variants) for (const listener of this.#variantListeners.get(id) ?? []) listener();
    });
  }
}

function toListed(key: string, cell: Cell): ListedCell {
  const bar = key.indexOf('|');
  return [key.slice(bar + 1), cell, Number(key.slice(0, bar))];
}

const inner = ({ caseId, repetition }: CellAddress): string => `${repetition}|${caseId}`;

function listen(all: Map<string, Set<() => void>>, key: string, listener: () => void): () => void {
  const listeners = all.get(key) ?? new Set();
  all.set(key, listeners);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && all.get(key) === listeners) all.delete(key);
  };
}
