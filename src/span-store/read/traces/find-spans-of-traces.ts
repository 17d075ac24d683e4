// biome-ignore-all lint/style/noNonNullAssertion: rows have the columns of the statement, and sums were made for these rows.
import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import type { SpanInTrace, SpanSummary } from '../../../model/spans/span.ts';
import { type TraceId, toTraceId } from '../../../model/traces/trace-ids.ts';
import type { StoredRow } from '../../cache/recent-spans.ts';
import type { SpansOfTraceQuery } from '../../contract/traces.ts';
import { Parameters, type SqlValue } from '../../duckdb/sql.ts';
import type { TraceRow } from '../../duckdb/trace-rows.ts';
import type { ReadContext } from '../read-context.ts';
import { readTracesByRowId } from '../rows/find-ids.ts';
import { toStoredSpanId } from '../rows/stored-ids.ts';
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
const SELECT = `SELECT ${COLUMNS.join(', ')} FROM store.spans`;

/**
 * Spans of traces with the sums of their descendants, which are computed here from the narrow columns of all spans of
 * the trace, not stored (docs/decisions: sums of descendants are computed when a trace is read).
 */
export async function findSpansOfTraces(
  context: ReadContext,
  traceRowIds: readonly number[],
): Promise<Map<number, SpanSummary[]>> {
  const found = new Map<number, SpanSummary[]>();
  const traces = await readTracesByRowId(context, traceRowIds);
  if (traces.length === 0) return found;
  const traceIds = new Map(
    traces.map(({ rowId, text, high, low }) => [rowId, (text as TraceId | null) ?? toTraceId(high, low)]),
  );
  const rows: SqlValue[][] = [];
  for (const cluster of toClusters(traces)) for (const row of await readSpansOf(context, cluster)) rows.push(row);
  const sums = cumulateSpans(
    rows.map((row) => ({
      traceRowId: Number(row[0]),
      id: row[2] as bigint,
      parentId: row[4] as bigint | null,
      errorCount: row[8] === 2 ? 1 : 0,
      tokensPrompt: Number(row[11] ?? 0),
      tokensCompletion: Number(row[12] ?? 0),
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
async function readSpansOf(context: ReadContext, traces: readonly TraceRow[]): Promise<SqlValue[][]> {
  const recent = context.recent.rowsOfTraces(COLUMNS, hullOf(traces), new Set(traces.map(({ rowId }) => rowId)));
  if (recent) return recent.sort(byStart).map((row) => COLUMNS.map((name) => row[name]));
  const parameters = new Parameters();
  return context.rows(`${SELECT} WHERE ${inTraces(traces, parameters)} ORDER BY start_ns, row_id`, parameters);
}

/** Spans that start at the same time keep the order of their rows, because sorting is stable. */
const byStart = (a: StoredRow<'start_ns'>, b: StoredRow<'start_ns'>): number =>
  a.start_ns! < b.start_ns! ? -1 : a.start_ns! > b.start_ns! ? 1 : 0;

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
  const rows = await context.rows(
    `${SELECT} WHERE ${conditions.join(' AND ')} ORDER BY start_ns, row_id LIMIT ${parameters.bigint(limit)}`,
    parameters,
  );
  const traceId = (trace.text as TraceId | null) ?? toTraceId(trace.high, trace.low);
  return rows.map((row) => toSpanInTrace(row, traceId));
}

const toSpanInTrace = (row: SqlValue[], traceId: TraceId): SpanInTrace => ({
  rowId: Number(row[1]),
  traceId,
  spanId: toStoredSpanId(row[2]!, row[3]!),
  parentSpanId: row[4] === null ? null : toStoredSpanId(row[4]!, row[5]!),
  name: row[6] as string,
  spanKind: SPAN_KINDS[row[7] as number]!,
  statusCode: STATUS_CODES[row[8] as number]!,
  startTimeUnixNano: row[9] as bigint,
  endTimeUnixNano: row[10] as bigint,
  tokensPrompt: Number(row[11] ?? 0),
  tokensCompletion: Number(row[12] ?? 0),
});
