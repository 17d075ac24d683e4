// biome-ignore-all lint/style/noNonNullAssertion: sums were made for these rows, which are of these traces.
import { expectPresent } from '../../../base/expect-present.ts';
import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import type { SpanInTrace, SpanSummary } from '../../../model/spans/span.ts';
import { type TraceId, toSpanId, toTraceId } from '../../../model/traces/trace-ids.ts';
import type { SpansOfTraceQuery } from '../../contract/traces.ts';
import type { SpanValues } from '../../duckdb/schema.ts';
import { Parameters } from '../../duckdb/sql.ts';
import type { TraceRow } from '../../duckdb/trace-rows.ts';
import type { ReadContext } from '../read-context.ts';
import { readTracesByRowId } from '../rows/find-ids.ts';
import { recentRowsOfTraces, type StoredTuple, selectTuples, toTuple } from '../rows/read-rows.ts';
import { hullOf, inTraces, toClusters } from '../rows/trace-clusters.ts';
import { cumulateSpans } from './cumulate-spans.ts';

const COLUMNS = [
  'trace_row_id',
  'row_id',
  'span_id',
  'span_id_text',
  'parent_span_id',
  'parent_span_id_text',
  'name',
  'span_kind',
  'status_code',
  'start_ns',
  'end_ns',
  'tokens_prompt',
  'tokens_completion',
] as const;
type StoredSpan = StoredTuple<typeof COLUMNS>;

/**
 * Spans of traces with the sums of their descendants, which are computed here from the narrow columns of all spans of
 * the trace, not stored (docs/decisions/span-store-writes.md).
 */
export async function findSpansOfTraces(
  context: ReadContext,
  traceRowIds: readonly number[],
): Promise<Map<number, SpanSummary[]>> {
  const found = new Map<number, SpanSummary[]>();
  const traces = await readTracesByRowId(context, traceRowIds);
  if (traces.length === 0) return found;
  const traceIds = new Map(traces.map(({ rowId, text, high, low }) => [rowId, toTraceId(high, low, text)]));
  const rows: StoredSpan[] = [];
  for (const cluster of toClusters(traces)) for (const row of await readSpansOf(context, cluster)) rows.push(row);
  const sums = cumulateSpans(
    rows.map(([traceRowId, , id, , parentId, , , , status, , , prompt, completion]) => ({
      traceRowId: Number(traceRowId),
      id,
      parentId,
      errorCount: status === 2 ? 1 : 0,
      tokensPrompt: Number(prompt ?? 0),
      tokensCompletion: Number(completion ?? 0),
    })),
  );
  for (const [index, row] of rows.entries()) {
    const traceRowId = Number(row[0]);
    const sum = sums[index]!;
    const span: SpanSummary = {
      ...toSpanInTrace(row, traceIds.get(traceRowId)!),
      cumulativeErrorCount: sum.errorCount,
      cumulativeTokensPrompt: sum.tokensPrompt,
      cumulativeTokensCompletion: sum.tokensCompletion,
    };
    const spans = found.get(traceRowId);
    if (spans) spans.push(span);
    else found.set(traceRowId, [span]);
  }
  return found;
}

/** Spans of the traces. The spans of each trace are ordered by start time. */
async function readSpansOf(context: ReadContext, traces: readonly TraceRow[]): Promise<StoredSpan[]> {
  const traceRowIds = new Set(traces.map(({ rowId }) => rowId));
  const recent = recentRowsOfTraces(context, COLUMNS, hullOf(traces), traceRowIds);
  if (recent) return recent.sort(byStart).map((row) => toTuple(COLUMNS, row));
  const parameters = new Parameters();
  const tail = `WHERE ${inTraces(traces, parameters)} ORDER BY start_ns, row_id`;
  return selectTuples(context, COLUMNS, tail, parameters);
}

/** Spans that start at the same time keep the order of their rows, because sorting is stable. */
const byStart = (a: Pick<SpanValues, 'start_ns'>, b: Pick<SpanValues, 'start_ns'>): number =>
  a.start_ns < b.start_ns ? -1 : a.start_ns > b.start_ns ? 1 : 0;

/** The next spans of one trace, without reading the others. */
export async function listSpansOfTrace(
  context: ReadContext,
  { traceRowId, limit, after }: SpansOfTraceQuery,
): Promise<SpanInTrace[]> {
  const [trace] = await readTracesByRowId(context, [traceRowId]);
  if (!trace) return [];
  const parameters = new Parameters();
  const conditions = [
    `row_id BETWEEN ${parameters.bigint(trace.firstSpanRowId)} AND ${parameters.bigint(trace.lastSpanRowId)}`,
    `trace_row_id = ${parameters.bigint(traceRowId)}`,
  ];
  if (after) {
    const start = parameters.bigint(after.startTimeUnixNano);
    conditions.push(`start_ns >= ${start} AND (start_ns > ${start} OR row_id > ${parameters.bigint(after.rowId)})`);
  }
  const tail = `WHERE ${conditions.join(' AND ')} ORDER BY start_ns, row_id LIMIT ${parameters.bigint(limit)}`;
  const rows = await selectTuples(context, COLUMNS, tail, parameters);
  const traceId = toTraceId(trace.high, trace.low, trace.text);
  return rows.map((row) => toSpanInTrace(row, traceId));
}

function toSpanInTrace(span: StoredSpan, traceId: TraceId): SpanInTrace {
  const [, rowId, id, idText, parentId, parentIdText, name, kind, status, start, end, prompt, completion] = span;
  return {
    rowId: Number(rowId),
    traceId,
    spanId: toSpanId(id, idText),
    parentSpanId: parentId === null ? null : toSpanId(parentId, parentIdText),
    name,
    spanKind: expectPresent(SPAN_KINDS[kind], 'the stored kind is an index of the list'),
    statusCode: expectPresent(STATUS_CODES[status], 'the stored code is an index of the list'),
    startTimeUnixNano: start,
    endTimeUnixNano: end,
    tokensPrompt: Number(prompt ?? 0),
    tokensCompletion: Number(completion ?? 0),
  };
}
