import type { TraceSkeleton } from '../../../model/traces/trace-skeleton.ts';
import { type ResultColumns, readColumns } from '../../duckdb/result-columns.ts';
import { toText } from '../../duckdb/select-list.ts';
import { Parameters } from '../../duckdb/sql.ts';
import type { TraceRow } from '../../duckdb/trace-rows.ts';
import { LATENCY_NS } from '../list-order.ts';
import type { ReadContext } from '../read-context.ts';
import { readTracesByRowId } from '../rows/find-ids.ts';
import { inTraces } from '../rows/trace-clusters.ts';
import { cumulate } from './cumulate-spans.ts';
import { toParentIndices } from './parent-indices.ts';

/** Columns of traces for drawing them. One statement per trace, because there are few and they may be large. */
export async function findTraceSkeletons(
  context: ReadContext,
  traceRowIds: readonly number[],
): Promise<Map<number, TraceSkeleton>> {
  const found = new Map<number, TraceSkeleton>();
  for (const trace of await readTracesByRowId(context, traceRowIds)) {
    found.set(trace.rowId, await readSkeleton(context, trace));
  }
  return found;
}

async function readSkeleton(context: ReadContext, trace: TraceRow): Promise<TraceSkeleton> {
  const parameters = new Parameters();
  const base = trace.start;
  const columns = await readColumns(
    context,
    `SELECT CAST(start_ns::HUGEINT - ${parameters.bigint(base)} AS DOUBLE), CAST(${LATENCY_NS} AS DOUBLE),
       CAST(row_id AS DOUBLE), CAST(COALESCE(tokens_prompt, 0) + COALESCE(tokens_completion, 0) AS DOUBLE),
       span_id, COALESCE(parent_span_id, 0::UBIGINT), parent_span_id IS NULL, span_kind, status_code, name, span_id_text
     FROM store.spans WHERE ${inTraces([trace], parameters)} ORDER BY start_ns, row_id`,
    parameters,
  );
  const starts = columns.doubles(0);
  const first = starts[0] ?? 0;
  const spanIdWords = columns.words(4);
  const parents = toParentIndices({ spanIds: spanIdWords, parentIds: columns.words(5), isRoot: columns.bytes(6) });
  const tokenCounts = columns.doubles(3);
  const cumulativeTokenCounts = tokenCounts.slice();
  cumulate(parents, [cumulativeTokenCounts]);
  return {
    startTimeUnixNano: base + BigInt(first),
    rowIds: columns.doubles(2),
    spanIdWords,
    textIds: presentTexts(columns.texts(10)),
    parents,
    ...toDictionary(columns),
    spanKinds: columns.bytes(7),
    statusCodes: columns.bytes(8),
    offsetsMs: starts.map((start) => (start - first) / 1e6),
    latenciesMs: columns.doubles(1).map((ns) => ns / 1e6),
    tokenCounts,
    cumulativeTokenCounts,
  };
}

/** Distinct names, and which one a span has. */
function toDictionary(columns: ResultColumns): Pick<TraceSkeleton, 'names' | 'nameIndices'> {
  const indices = new Map<string, number>();
  const nameIndices = new Uint32Array(columns.rowCount);
  let row = 0;
  for (const text of columns.texts(9)) {
    const name = toText(text);
    let index = indices.get(name);
    if (index === undefined) {
      index = indices.size;
      indices.set(name, index);
    }
    nameIndices[row++] = index;
  }
  return { names: [...indices.keys()], nameIndices };
}

function presentTexts(texts: Iterable<string | null>): Map<number, string> {
  const present = new Map<number, string>();
  let index = 0;
  for (const text of texts) {
    if (text !== null) present.set(index, text);
    index++;
  }
  return present;
}
