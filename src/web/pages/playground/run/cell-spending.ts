import type { RunBudget } from '../state/draft.ts';
import type { CellFacts } from './cell.ts';
import type { RunSpending, RunState } from './run-state.ts';

/** What the variants of a run of cells have spent of its budget. A run may need several streams. */
export class CellSpending {
  readonly #budget: RunBudget;
  readonly #spent = new Map<string, { callCount: number; cost: number }>();
  readonly #report: (variantId: string, changes: Partial<RunState>) => void;

  /** @param report Shows what a variant has spent */
  constructor(budget: RunBudget | undefined, report: (variantId: string, changes: Partial<RunState>) => void) {
    this.#budget = budget ?? {};
    this.#report = report;
  }

  /** Shows the budget of a variant that starts, or that it has none. */
  begin(variantId: string): void {
    this.#report(variantId, { spending: this.#spendingOf(variantId), stopReason: undefined });
  }

  /** Counts a call. One that was not made has no facts. */
  add(variantId: string, facts: CellFacts | undefined): void {
    if (!facts) return;
    const { callCount, cost } = this.#spentOf(variantId);
    this.#spent.set(variantId, { callCount: callCount + 1, cost: cost + (facts.cost ?? 0) });
    if (this.#hasBudget) this.#report(variantId, { spending: this.#spendingOf(variantId) });
  }

  /** The server makes no further call of the variant. */
  stop(variantId: string, reason: string): void {
    this.#report(variantId, { stopReason: reason });
  }

  /** Maximums of the next stream. Undefined: no limit. Null: all is spent. */
  left(variantId: string): RunBudget | undefined | null {
    if (!this.#hasBudget) return undefined;
    const { maxCalls, maxCost } = this.#budget;
    const { callCount, cost } = this.#spentOf(variantId);
    if ((maxCalls !== undefined && callCount >= maxCalls) || (maxCost !== undefined && cost >= maxCost)) return null;
    return {
      ...(maxCalls !== undefined && { maxCalls: maxCalls - callCount }),
      ...(maxCost !== undefined && { maxCost: maxCost - cost }),
    };
  }

  get #hasBudget(): boolean {
    return this.#budget.maxCalls !== undefined || this.#budget.maxCost !== undefined;
  }

  #spentOf(variantId: string) {
    return this.#spent.get(variantId) ?? { callCount: 0, cost: 0 };
  }

  #spendingOf(variantId: string): RunSpending | undefined {
    if (!this.#hasBudget) return undefined;
    const { maxCalls = null, maxCost = null } = this.#budget;
    return { ...this.#spentOf(variantId), maxCalls, maxCost, isExact: true };
  }
}
