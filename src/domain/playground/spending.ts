import type { JobBudget, JobSpending } from '../../model/experiment-job.ts';

/** What a job may spend, has spent, and has yet to record. */
export class Spending {
  readonly #budget: JobBudget;
  #total: JobSpending;
  #unrecorded: JobSpending = { callCount: 0, cost: 0 };
  /** Since this process has started the job. */
  #calls = 0;
  #cost = 0;
  #unpricedModel: string | undefined;

  constructor({ budget, spent }: { readonly budget: JobBudget; readonly spent: JobSpending }) {
    this.#budget = budget;
    this.#total = spent;
  }

  /** @param call `unpricedModel`: a called model that has no price */
  add({ callCount, cost, unpricedModel }: JobSpending & { readonly unpricedModel?: string | undefined }): void {
    this.#unpricedModel ??= unpricedModel;
    this.#total = { callCount: this.#total.callCount + callCount, cost: this.#total.cost + cost };
    this.#unrecorded = { callCount: this.#unrecorded.callCount + callCount, cost: this.#unrecorded.cost + cost };
    this.#calls += callCount;
    this.#cost += cost;
  }

  /** Why no further call may start while others are in flight. Calls in flight are assumed to cost the mean. */
  problem(callsInFlight: number): string | undefined {
    const { callCountMax, costMax } = this.#budget;
    if (callCountMax !== null && this.#total.callCount + callsInFlight >= callCountMax) {
      return `The budget of ${callCountMax} calls is used up`;
    }
    if (costMax !== null && this.#unpricedModel !== undefined) {
      return `The budget of ${costMax} US dollars cannot be kept: the model ${this.#unpricedModel} has no price`;
    }
    const expected = this.#calls === 0 ? 0 : (callsInFlight * this.#cost) / this.#calls;
    if (costMax !== null && this.#total.cost + expected >= costMax) {
      return `The budget of ${costMax} US dollars is used up`;
    }
    return undefined;
  }

  /** Takes what is not recorded yet. Undefined for nothing. */
  take(): JobSpending | undefined {
    const taken = this.#unrecorded;
    if (taken.callCount === 0 && taken.cost === 0) return undefined;
    this.#unrecorded = { callCount: 0, cost: 0 };
    return taken;
  }

  /** Takes back what could not be recorded. */
  restore({ callCount, cost }: JobSpending): void {
    this.#unrecorded = { callCount: this.#unrecorded.callCount + callCount, cost: this.#unrecorded.cost + cost };
  }
}
