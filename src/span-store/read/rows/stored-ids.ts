import { type TraceId, toTraceId } from '../../../model/traces/trace-ids.ts';
import { rowIdIn } from '../../duckdb/row-id-lists.ts';
import { columnsOf, decodeRows } from '../../duckdb/select-list.ts';
import { Parameters, type SqlValue } from '../../duckdb/sql.ts';
import { TRACES } from '../../duckdb/trace-rows.ts';
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

const { rowId, high, low, text } = TRACES.fields;
const IDS = { rowId, high, low, text };

/** The statement that reads trace IDs of these row ids, of which there is one at least. */
export function selectTraceIds(traceRowIds: readonly number[]): Statement {
  const parameters = new Parameters();
  const sql = `SELECT ${columnsOf(IDS)} FROM store.traces WHERE ${rowIdIn(parameters, 'row_id', traceRowIds)}`;
  return { sql, parameters };
}

/** Trace IDs in the rows of this statement, by row id of the trace. */
export const toTraceIds = (rows: readonly SqlValue[][]): Map<number, TraceId> =>
  new Map(decodeRows(IDS, rows).map(({ rowId, high, low, text }) => [rowId, toTraceId(high, low, text)]));
