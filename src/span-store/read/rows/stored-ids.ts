import { type SpanId, type TraceId, toSpanId, toTraceId } from '../../../model/traces/trace-ids.ts';
import { rowIdIn } from '../../duckdb/row-id-lists.ts';
import { type Cell, Parameters, type SqlValue } from '../../duckdb/sql.ts';
import type { ReadContext, Statement } from '../read-context.ts';

/** Trace IDs by row id of the trace. */
export async function readTraceIds(
  context: ReadContext,
  traceRowIds: readonly number[],
): Promise<Map<number, TraceId>> {
  if (traceRowIds.length === 0) return new Map();
  const { sql, parameters } = selectTraceIds(traceRowIds);
  return toTraceIds(await context.rows(sql, parameters));
}

/** The statement that reads trace IDs of these row ids, of which there is one at least. */
export function selectTraceIds(traceRowIds: readonly number[]): Statement {
  const parameters = new Parameters();
  const sql = `SELECT row_id, trace_id_high, trace_id_low, trace_id_text FROM store.traces
    WHERE ${rowIdIn(parameters, 'row_id', traceRowIds)}`;
  return { sql, parameters };
}

/** What its rows say, by row id of the trace. */
export const toTraceIds = (rows: readonly SqlValue[][]): Map<number, TraceId> =>
  new Map(rows.map(([rowId, high, low, text]) => [Number(rowId), toStoredTraceId(high, low, text)]));

/** The trace ID as text, from its halves or, if it is not a hex ID, from its text. */
export function toStoredTraceId(high: Cell, low: Cell, text: Cell): TraceId {
  return (text as TraceId | null | undefined) ?? toTraceId(high as bigint, low as bigint);
}

/** The span ID as text, from its number or, if it is not a hex ID, from its text. */
export function toStoredSpanId(id: Cell, text: Cell): SpanId {
  return (text as SpanId | null | undefined) ?? toSpanId(id as bigint);
}
