import type { DuckDBValue } from '@duckdb/node-api';
import { COST_SUM_PICO_MAX } from '../../model/limits.ts';
import type { SpanCost } from '../../model/span-cost.ts';
import type { ChunkWriter } from './chunk-writer.ts';
import { setInt64 } from './cost-details.ts';

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

/** In this order in SELECTs. */
const COST_COLUMNS = {
  cost_span_count: 'costSpanCount',
  cost_tokens_prompt: 'costTokensPrompt',
  cost_tokens_completion: 'costTokensCompletion',
  cost_prompt_pico: 'costPromptPico',
  cost_completion_pico: 'costCompletionPico',
} as const satisfies Record<string, keyof CostSums>;
export const COST_NAMES = Object.keys(COST_COLUMNS);

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

/** Assignments of the sums from a source, as SQL. */
export const setCosts = (source: string): string => COST_NAMES.map((name) => `${name} = ${source}.${name}`).join(', ');

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

/** Of a row that has them from this place on. */
export const toCostSums = (row: DuckDBValue[], at: number): CostSums => ({
  costSpanCount: Number(row[at]),
  costTokensPrompt: Number(row[at + 1]),
  costTokensCompletion: Number(row[at + 2]),
  costPromptPico: Number(row[at + 3]),
  costCompletionPico: Number(row[at + 4]),
});

export function writeCostSums(writer: ChunkWriter, rows: readonly CostSums[]): void {
  for (const [name, key] of Object.entries(COST_COLUMNS)) {
    writer.numbers(name, int64(rows, key));
  }
}

function int64(rows: readonly CostSums[], key: keyof CostSums): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(2 * rows.length);
  for (let index = 0; index < rows.length; index++) setInt64(words, index, rows[index]![key]);
  return words;
}
