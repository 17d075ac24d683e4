import { type JobBudget, NO_SPENDING } from '../../model/experiment-job.ts';
import type { ChatModel, TokenUsage } from '../../llm/contract/chat-model.ts';
import { checkBudget } from '../experiments/jobs/check-budget.ts';
import type { Ports } from '../ports.ts';
import { CallCosts } from './call-costs.ts';
import { Spending } from './spending.ts';

type CalledModel = Pick<ChatModel, 'modelName' | 'provider'>;

/** @throws {SpandrelError} `QUERY_INVALID` */
export function openCellBudget(
  { models }: Pick<Ports, 'models'>,
  budget: JobBudget | undefined,
): CellBudget | undefined {
  if (!budget) return undefined;
  checkBudget(budget);
  return new CellBudget(budget, new CallCosts(models));
}

/** What all cells of a variant may spend together in one stream. */
export class CellBudget {
  readonly #budget: JobBudget;
  readonly #costs: CallCosts;
  readonly #spending: Spending;
  #inFlightCount = 0;
  #onEnd: (() => void)[] = [];

  constructor(budget: JobBudget, costs: CallCosts) {
    this.#budget = budget;
    this.#costs = costs;
    this.#spending = new Spending({ budget, spent: NO_SPENDING });
  }

  /**
   * Resolves when a call may start, which `end` ends then; or with the reason why none may. While the calls in flight may use
   * up the budget, it waits for them.
   */
  async begin({ modelName, provider }: CalledModel): Promise<string | undefined> {
    if (this.#budget.costMax !== null) {
      const { unpricedModel } = await this.#costs.of(modelName, provider, {});
      this.#spending.add({ callCount: 0, cost: 0, unpricedModel });
    }
    for (;;) {
      if (this.#spending.problem(this.#inFlightCount) === undefined) {
        this.#inFlightCount++;
        return undefined;
      }
      const problem = this.#spending.problem(0);
      if (problem !== undefined || this.#inFlightCount === 0) return problem;
      await new Promise<void>((resolve) => this.#onEnd.push(resolve));
    }
  }

  /** @param usage Tokens of the call. Undefined for a call that was not made. */
  async end({ modelName, provider }: CalledModel, usage: TokenUsage | undefined): Promise<void> {
    if (usage !== undefined) {
      this.#spending.add({ callCount: 1, ...(await this.#costs.of(modelName, provider, usage)) });
    }
    this.#inFlightCount--;
    const waiting = this.#onEnd;
    this.#onEnd = [];
    for (const resolve of waiting) resolve();
  }
}
