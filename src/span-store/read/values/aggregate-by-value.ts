import { expectPresent } from '../../../base/expect-present.ts';
import { ANNOTATION_TARGETS } from '../../../model/annotations/annotation.ts';
import {
  type AggregatesByValue,
  VALUE_QUANTILES,
  type ValueAggregates,
  type ValueQuery,
} from '../../contract/value-aggregates.ts';
import { toBigint, toText } from '../../duckdb/select-list.ts';
import { Parameters, type SqlValue } from '../../duckdb/sql.ts';
import { binOf } from '../aggregates/bin-sql.ts';
import { quantileList, toMs } from '../aggregates/quantile-sql.ts';
import { LATENCY_NS_INT64 } from '../list-order.ts';
import type { ReadContext } from '../read-context.ts';
import { spansWithValue } from './spans-with-value.ts';

type Score = ValueAggregates['scores'][number];

export const aggregateByValue = (context: ReadContext, query: ValueQuery): Promise<AggregatesByValue> =>
  context.inSnapshot(async () => toAggregates(query, await readGroups(context, query)));

/** Groups by value, by value and bin, and by project; then mean scores by value and name, and by value, bin and name. */
async function readGroups(context: ReadContext, query: ValueQuery): Promise<SqlValue[][]> {
  const parameters = new Parameters();
  const found = await spansWithValue(context, query, parameters);
  const isOfSpan = `target = ${parameters.utinyint(ANNOTATION_TARGETS.indexOf('span'))}`;
  return context.rows(
    `WITH found AS MATERIALIZED (${found}
     ), calls AS MATERIALIZED (
       SELECT row_id, value, project_id, ${binOf(query.bins, 'start_ns', parameters)} AS bin, start_ns, status_code,
         ${LATENCY_NS_INT64} AS latency, tokens_prompt, tokens_completion, cost_prompt_pico, cost_completion_pico
       FROM store.spans JOIN found USING (row_id)
       WHERE row_id BETWEEN (SELECT min(row_id) FROM found) AND (SELECT max(row_id) FROM found)
     ), annotated AS (
       SELECT value, bin, name, avg(score) AS mean FROM store.annotations JOIN calls ON target_row_id = calls.row_id
       WHERE ${isOfSpan} AND score IS NOT NULL AND NOT isnan(score) GROUP BY value, bin, name, target_row_id
     )
     SELECT value, bin, project_id, NULL AS name, count(*), count(*) FILTER (status_code = 2),
       quantile_cont(latency, ${quantileList(VALUE_QUANTILES)}), sum(tokens_prompt), sum(tokens_completion),
       sum(cost_prompt_pico::HUGEINT + cost_completion_pico)::DOUBLE, min(start_ns), max(start_ns), NULL
     FROM calls GROUP BY GROUPING SETS ((value), (value, bin), (project_id))
     UNION ALL
     SELECT value, bin, NULL, name, count(*), NULL, NULL, NULL, NULL, NULL, NULL, NULL, avg(mean)
     FROM annotated GROUP BY GROUPING SETS ((value, name), (value, bin, name))
     ORDER BY 1 NULLS FIRST, 2 NULLS FIRST, 4 NULLS FIRST, 5 DESC, 3`,
    parameters,
  );
}

function toAggregates({ values }: ValueQuery, rows: readonly SqlValue[][]): AggregatesByValue {
  const projects: { readonly projectId: number; readonly spanCount: number }[] = [];
  const aggregates: (ValueAggregates & { readonly scores: Score[] })[] = [];
  for (const row of rows) {
    const [index, bin, project, name, count, errors, latencies, prompt, completion, cost, first, last, mean] = row;
    if (index === null) projects.push({ projectId: Number(project), spanCount: Number(count) });
    else if (name !== null) {
      // The scores of a group follow the group.
      const { scores } = expectPresent(aggregates.at(-1), 'annotated spans are in a group');
      scores.push({ name: toText(name), spanCount: Number(count), meanScore: Number(mean) });
    } else {
      aggregates.push({
        value: expectPresent(values[Number(index)], 'a group has the index of a value'),
        startTimeUnixMicro: bin === null ? null : Number(bin),
        spanCount: Number(count),
        errorCount: Number(errors),
        latencies: toMs(latencies) ?? [],
        tokensPrompt: Number(prompt ?? 0),
        tokensCompletion: Number(completion ?? 0),
        costPico: cost === null ? null : Number(cost),
        firstStartUnixNano: toBigint(first),
        lastStartUnixNano: toBigint(last),
        scores: [],
      });
    }
  }
  return { aggregates, projects };
}
