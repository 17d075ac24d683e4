import { COST_SUM_PICO_MAX } from '../../model/limits.ts';
import type { SpanCost } from '../../model/span-cost.ts';
import type { Field } from './define-table.ts';
import { int64 } from './define-table.ts';

/** Sums of the cost rows of spans; amounts in 10⁻¹² dollars, where a missing one counts nothing. */
export interface CostSums {
  costSpanCount: number;
  costTokensPrompt: number;
  costTokensCompletion: number;
  costPromptPico: number;
  costCompletionPico: number;
}

export const NO_COSTS: Readonly<CostSums> = {
  costSpanCount: 0,
  costTokensPrompt: 0,
  costTokensCompletion: 0,
  costPromptPico: 0,
  costCompletionPico: 0,
};

/** Columns of the sums in `traces` and `sessions`. */
export const COST_FIELDS = {
  costSpanCount: int64('cost_span_count'),
  costTokensPrompt: int64('cost_tokens_prompt'),
  costTokensCompletion: int64('cost_tokens_completion'),
  costPromptPico: int64('cost_prompt_pico'),
  costCompletionPico: int64('cost_completion_pico'),
} satisfies Record<keyof CostSums, Field<number>>;

export const COST_KEYS = Object.keys(COST_FIELDS) as (keyof CostSums)[];
export const COST_NAMES: readonly string[] = Object.values(COST_FIELDS).map(({ name }) => name);

/** The sums of spans, as SQL. */
export const SUM_OF_SPAN_COSTS = `count(cost_tokens_prompt) AS cost_span_count,
  coalesce(sum(cost_tokens_prompt), 0) AS cost_tokens_prompt,
  coalesce(sum(cost_tokens_completion), 0) AS cost_tokens_completion,
  ${costSum('cost_prompt_pico')}, ${costSum('cost_completion_pico')}`;

/** The sums of traces' sums, as SQL. */
export const SUM_OF_COST_SUMS = `coalesce(sum(cost_span_count), 0) AS cost_span_count,
  coalesce(sum(cost_tokens_prompt), 0) AS cost_tokens_prompt,
  coalesce(sum(cost_tokens_completion), 0) AS cost_tokens_completion,
  ${costSum('cost_prompt_pico')}, ${costSum('cost_completion_pico')}`;

function costSum(column: string): string {
  return `least(coalesce(sum(${column}), 0), ${COST_SUM_PICO_MAX})::BIGINT AS ${column}`;
}

/** Whether the sums of two sources differ, as SQL. */
export const costsDiffer = (a: string, b: string): string =>
  `(${COST_NAMES.map((name) => `${a}.${name} IS DISTINCT FROM ${b}.${name}`).join(' OR ')})`;

/** Adds what a span costs. */
export function addCost(sums: CostSums, cost: SpanCost): void {
  sums.costSpanCount++;
  sums.costTokensPrompt += cost.tokensPrompt;
  sums.costTokensCompletion += cost.tokensCompletion;
  sums.costPromptPico = Math.min(COST_SUM_PICO_MAX, sums.costPromptPico + (cost.promptPico ?? 0));
  sums.costCompletionPico = Math.min(COST_SUM_PICO_MAX, sums.costCompletionPico + (cost.completionPico ?? 0));
}

/** Adds what a trace costs. */
export function addCosts(sums: CostSums, added: CostSums): void {
  sums.costSpanCount += added.costSpanCount;
  sums.costTokensPrompt += added.costTokensPrompt;
  sums.costTokensCompletion += added.costTokensCompletion;
  sums.costPromptPico = Math.min(COST_SUM_PICO_MAX, sums.costPromptPico + added.costPromptPico);
  sums.costCompletionPico = Math.min(COST_SUM_PICO_MAX, sums.costCompletionPico + added.costCompletionPico);
}
