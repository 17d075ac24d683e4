// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each row.
import type { TraceCosts } from '../../contract/costs.ts';
import { readColumns } from '../../duckdb/result-columns.ts';
import { Parameters } from '../../duckdb/sql.ts';
import type { ReadContext } from '../read-context.ts';

/** A DOUBLE is exact to 2^53 picodollars, 9,000 dollars per trace. The sum of a trace without prices is 0. */
const PICOS = `coalesce(CAST(nullif(cost_prompt_pico + cost_completion_pico, 0) AS DOUBLE), 'nan'::DOUBLE)`;

export async function listTraceCosts(
  context: ReadContext,
  { projectIds }: { readonly projectIds: readonly number[] },
): Promise<TraceCosts> {
  if (projectIds.length === 0) {
    return { idWords: new Uint32Array(), tokens: new Float64Array(), picos: new Float64Array() };
  }
  const parameters = new Parameters();
  const columns = await readColumns(
    context,
    `SELECT trace_id_high, trace_id_low, CAST(cost_tokens_prompt + cost_tokens_completion AS DOUBLE), ${PICOS}
     FROM store.traces
     WHERE project_id IN (${projectIds.map((id) => parameters.integer(id)).join(', ')}) AND cost_span_count > 0
       AND trace_id_text IS NULL`,
    parameters,
  );
  const [high, low] = [columns.words(0), columns.words(1)];
  const idWords = new Uint32Array(4 * columns.rowCount);
  for (let row = 0; row < columns.rowCount; row++) {
    idWords[4 * row] = high[2 * row]!;
    idWords[4 * row + 1] = high[2 * row + 1]!;
    idWords[4 * row + 2] = low[2 * row]!;
    idWords[4 * row + 3] = low[2 * row + 1]!;
  }
  return { idWords, tokens: columns.doubles(2), picos: columns.doubles(3) };
}
