import { COST_SUM_PICO_MAX } from '../../model/limits/models.ts';
import type { SpanCost } from '../../model/models/span-cost.ts';
import { type Field, int64 } from './define-table.ts';

/** Aggregated costs of spans. Amounts are in 10⁻¹² dollars, and a missing amount counts as 0. */
export interface CostAggregates {
  costSpanCount: number;
  costTokensPrompt: number;
  costTokensCompletion: number;
  costPromptPico: number;
  costCompletionPico: number;
}

export const NO_COSTS: Readonly<CostAggregates> = {
  costSpanCount: 0,
  costTokensPrompt: 0,
  costTokensCompletion: 0,
  costPromptPico: 0,
  costCompletionPico: 0,
};

/** Columns of the aggregates in `traces` and `sessions`. */
export const COST_FIELDS = {
  costSpanCount: int64('cost_span_count'),
  costTokensPrompt: int64('cost_tokens_prompt'),
  costTokensCompletion: int64('cost_tokens_completion'),
  costPromptPico: int64('cost_prompt_pico'),
  costCompletionPico: int64('cost_completion_pico'),
} satisfies Record<keyof CostAggregates, Field<number>>;

export const COST_KEYS = Object.keys(COST_FIELDS) as (keyof CostAggregates)[];
export const COST_NAMES: readonly string[] = Object.values(COST_FIELDS).map(({ name }) => name);

/** SQL text: aggregates of spans. */
export const SUM_OF_SPAN_COSTS = `count(cost_tokens_prompt) AS cost_span_count,
  coalesce(sum(cost_tokens_prompt), 0) AS cost_tokens_prompt,
  coalesce(sum(cost_tokens_completion), 0) AS cost_tokens_completion,
  ${costSum('cost_prompt_pico')}, ${costSum('cost_completion_pico')}`;

/** SQL text: aggregates of the aggregates of traces. */
export const SUM_OF_COST_SUMS = `coalesce(sum(cost_span_count), 0) AS cost_span_count,
  coalesce(sum(cost_tokens_prompt), 0) AS cost_tokens_prompt,
  coalesce(sum(cost_tokens_completion), 0) AS cost_tokens_completion,
  ${costSum('cost_prompt_pico')}, ${costSum('cost_completion_pico')}`;

function costSum(column: string): string {
  return `least(coalesce(sum(${column}), 0), ${COST_SUM_PICO_MAX})::BIGINT AS ${column}`;
}

/** SQL text: whether the aggregates of two sources differ. */
export const costsDiffer = (a: string, b: string): string =>
  `(${COST_NAMES.map((name) => `${a}.${name} IS DISTINCT FROM ${b}.${name}`).join(' OR ')})`;

/** Adds the cost of a span. */
export function addCost(sums: CostAggregates, cost: SpanCost): void {
  sums.costSpanCount++;
  sums.costTokensPrompt += cost.tokensPrompt;
  sums.costTokensCompletion += cost.tokensCompletion;
  sums.costPromptPico = Math.min(COST_SUM_PICO_MAX, sums.costPromptPico + (cost.promptPico ?? 0));
  sums.costCompletionPico = Math.min(COST_SUM_PICO_MAX, sums.costCompletionPico + (cost.completionPico ?? 0));
}

/** Adds the costs of a trace. */
export function addCosts(sums: CostAggregates, added: CostAggregates): void {
  sums.costSpanCount += added.costSpanCount;
  sums.costTokensPrompt += added.costTokensPrompt;
  sums.costTokensCompletion += added.costTokensCompletion;
  sums.costPromptPico = Math.min(COST_SUM_PICO_MAX, sums.costPromptPico + added.costPromptPico);
  sums.costCompletionPico = Math.min(COST_SUM_PICO_MAX, sums.costCompletionPico + added.costCompletionPico);
}
