import { expectPresent } from '../../../base/expect-present.ts';
import { AGGREGATED } from '../../cache/project-bins.ts';
import type { AggregateQuery, Measure, MeasuredResult, MeasuredValue } from '../../contract/aggregate.ts';
import { isFiltered } from '../match/filter-conditions.ts';
import type { ReadContext } from '../read-context.ts';
import { findLatencyQuantiles, findRangeTotals } from './known-ranges.ts';
import { nsToMs } from './quantile-sql.ts';

/** Columns that are summed in memory, by value. */
const COLUMNS: Readonly<Partial<Record<MeasuredValue, string>>> = {
  tokensPrompt: 'tokens_prompt',
  tokensCompletion: 'tokens_completion',
  costTokensPrompt: 'cost_tokens_prompt',
  costTokensCompletion: 'cost_tokens_completion',
  promptPico: 'cost_prompt_pico',
  completionPico: 'cost_completion_pico',
  spanCount: 'span_count',
};

type Results = Record<string, MeasuredResult<Measure>>;

/** Aggregates of a range of a project from memory. Undefined if the database must be read. */
export async function findKnownAggregates(context: ReadContext, query: AggregateQuery): Promise<Results | undefined> {
  const { grain, projectId, projects, modelIds, isRangeOfTraces, bins, groupBy } = query;
  if (grain === 'sessions' || grain === 'tokenTypes' || projectId === undefined || isFiltered(query)) return undefined;
  if (projects || modelIds || isRangeOfTraces || bins || groupBy) return undefined;
  const kind = grain === 'spans' ? 'spans' : 'traces';
  const indexOf = (one: Measure) =>
    one.by === 'sum' ? (AGGREGATED[kind].columns as readonly string[]).indexOf(COLUMNS[one.of] ?? '') : -1;
  const measures = Object.entries(query.measures);
  if (measures.some(([, one]) => one.by !== 'rows' && one.by !== 'quantiles' && indexOf(one) < 0)) return undefined;
  const range = { ...query, projectId };
  const results: Results = {};
  if (measures.some(([, { by }]) => by !== 'quantiles')) {
    const totals = await findRangeTotals(context, kind, range);
    if (!totals) return undefined;
    for (const [name, one] of measures) {
      if (one.by === 'rows') results[name] = totals.count;
      else if (one.by === 'sum') {
        results[name] = Number(expectPresent(totals.values[indexOf(one)], 'each column has a sum'));
      }
    }
  }
  for (const [name, one] of measures) {
    if (one.by !== 'quantiles') continue;
    const latencies = kind === 'spans' ? 'spanLatencies' : kind;
    const found = await findLatencyQuantiles(context, latencies, range, one.probabilities);
    if (found === undefined) return undefined;
    results[name] = found?.map(nsToMs) ?? null;
  }
  return results;
}
