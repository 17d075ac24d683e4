// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each span.
import type { SpanSums } from '../../../model/traces/span-sums.ts';
import { readColumns } from '../../duckdb/result-columns.ts';
import { Parameters } from '../../duckdb/sql.ts';
import type { ReadContext } from '../read-context.ts';
import { readTracesByRowId } from '../rows/find-ids.ts';
import { recentRowsOfTraces, type StoredRow } from '../rows/read-rows.ts';
import { hullOf, inTraces, type TraceRowRange, toClusters } from '../rows/trace-clusters.ts';
import { cumulate } from './cumulate-spans.ts';
import { type ParentColumns, toParentIndices } from './parent-indices.ts';

/** Sums of spans with their descendants, by trace; traces that are not stored are absent. */
export async function findSpanSums(
  context: ReadContext,
  traceRowIds: readonly number[],
): Promise<Map<number, SpanSums>> {
  const found = new Map<number, SpanSums>();
  for (const cluster of toClusters(await readTracesByRowId(context, traceRowIds))) {
    for (const [traceRowId, sums] of toSums(await readSpansOf(context, cluster))) found.set(traceRowId, sums);
  }
  return found;
}

/** Spans of some traces, a span at each index. */
interface SpanColumnsOfTraces extends ParentColumns {
  readonly traces: Float64Array;
  readonly rowIds: Float64Array;
  readonly statusCodes: ArrayLike<number>;
  readonly tokensPrompt: Float64Array;
  readonly tokensCompletion: Float64Array;
}

const COLUMNS = [
  'trace_row_id',
  'row_id',
  'span_id',
  'parent_span_id',
  'status_code',
  'tokens_prompt',
  'tokens_completion',
] as const;

async function readSpansOf(context: ReadContext, traces: readonly TraceRowRange[]): Promise<SpanColumnsOfTraces> {
  const recent = recentRowsOfTraces(context, COLUMNS, hullOf(traces), new Set(traces.map(({ rowId }) => rowId)));
  if (recent) return toColumns(recent);
  const parameters = new Parameters();
  const columns = await readColumns(
    context,
    `SELECT CAST(trace_row_id AS DOUBLE), CAST(row_id AS DOUBLE), span_id, COALESCE(parent_span_id, 0::UBIGINT),
       parent_span_id IS NULL, status_code, CAST(COALESCE(tokens_prompt, 0) AS DOUBLE),
       CAST(COALESCE(tokens_completion, 0) AS DOUBLE)
     FROM store.spans WHERE ${inTraces(traces, parameters)}`,
    parameters,
  );
  return {
    traces: columns.doubles(0),
    rowIds: columns.doubles(1),
    spanIds: columns.words(2),
    parentIds: columns.words(3),
    isRoot: columns.bytes(4),
    statusCodes: columns.bytes(5),
    tokensPrompt: columns.doubles(6),
    tokensCompletion: columns.doubles(7),
  };
}

function toColumns(rows: readonly StoredRow<(typeof COLUMNS)[number]>[]): SpanColumnsOfTraces {
  const numbers = (name: (typeof COLUMNS)[number]) => Float64Array.from(rows, (row) => Number(row[name] ?? 0));
  const words = (name: 'span_id' | 'parent_span_id') =>
    new Uint32Array(BigUint64Array.from(rows, (row) => row[name] ?? 0n).buffer);
  return {
    traces: numbers('trace_row_id'),
    rowIds: numbers('row_id'),
    spanIds: words('span_id'),
    parentIds: words('parent_span_id'),
    isRoot: Uint8Array.from(rows, (row) => (row.parent_span_id === null ? 1 : 0)),
    statusCodes: numbers('status_code'),
    tokensPrompt: numbers('tokens_prompt'),
    tokensCompletion: numbers('tokens_completion'),
  };
}

const ERROR = 2;

function toSums(spans: SpanColumnsOfTraces): Map<number, SpanSums> {
  const parents = toParentIndices(spans);
  const errorCounts = Float64Array.from(spans.statusCodes, (code) => (code === ERROR ? 1 : 0));
  const { traces, rowIds, tokensPrompt, tokensCompletion } = spans;
  cumulate(parents, [errorCounts, tokensPrompt, tokensCompletion]);
  const childCounts = new Uint32Array(rowIds.length);
  for (const parent of parents) if (parent >= 0) childCounts[parent]!++;
  const indices = new Map<number, number[]>();
  for (const [index, trace] of traces.entries()) {
    const ofTrace = indices.get(trace);
    if (ofTrace) ofTrace.push(index);
    else indices.set(trace, [index]);
  }
  return new Map(
    Array.from(indices, ([trace, ofTrace]) => {
      const take = (column: Float64Array) => Float64Array.from(ofTrace, (index) => column[index]!);
      const sums: SpanSums = {
        rowIds: take(rowIds),
        childCounts: Uint32Array.from(ofTrace, (index) => childCounts[index]!),
        errorCounts: take(errorCounts),
        tokensPrompt: take(tokensPrompt),
        tokensCompletion: take(tokensCompletion),
      };
      return [trace, sums];
    }),
  );
}
