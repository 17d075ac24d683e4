import type { Page } from '../../../model/page.ts';
import type { Trace } from '../../../model/traces/trace.ts';
import { toTraceId } from '../../../model/traces/trace-ids.ts';
import type { TraceQuery } from '../../contract/traces.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { readTraceRows, type TraceRow } from '../../duckdb/trace-rows.ts';
import type { ReadContext } from '../read-context.ts';
import { findSessionRows, readTracesByRowId } from '../rows/find-ids.ts';

/** One page of traces: row ids by the sort value, then their rows. */
export async function findTraces(context: ReadContext, query: TraceQuery): Promise<Page<Trace>> {
  const parameters = new Parameters();
  const conditions = await conditionsOf(context, query, parameters);
  if (!conditions) return { items: [] };
  const direction = query.order === 'asc' ? 'ASC' : 'DESC';
  const rows = await context.rows(
    `SELECT row_id FROM store.traces WHERE ${conditions.join(' AND ')}
     ORDER BY ${sortValue(query)} ${direction}, row_id ${direction} LIMIT ${query.limit + 1}`,
    parameters,
  );
  const rowIds = rows.map(([rowId]) => Number(rowId));
  const nextRowId = rowIds[query.limit];
  const traces = new Map(
    (await readTracesByRowId(context, rowIds.slice(0, query.limit))).map((trace) => [trace.rowId, toTrace(trace)]),
  );
  const items = rowIds.slice(0, query.limit).flatMap((rowId) => traces.get(rowId) ?? []);
  return nextRowId === undefined ? { items } : { items, nextRowId };
}

const LATENCY_NS = '(end_ns::HUGEINT - start_ns)';

const sortValue = ({ sort }: TraceQuery): string => (sort === 'startTime' ? 'start_ns' : LATENCY_NS);

/** Undefined when nothing can match. */
async function conditionsOf(
  context: ReadContext,
  query: TraceQuery,
  parameters: Parameters,
): Promise<string[] | undefined> {
  const conditions = [`project_id = ${parameters.integer(query.projectId)}`];
  if (query.startTimeUnixNano !== undefined)
    conditions.push(`start_ns >= ${parameters.bigint(query.startTimeUnixNano)}`);
  if (query.endTimeUnixNano !== undefined) conditions.push(`start_ns < ${parameters.bigint(query.endTimeUnixNano)}`);
  if (query.hasError !== undefined) conditions.push(query.hasError ? 'error_count > 0' : 'error_count = 0');
  if (query.latencyMsMin !== undefined)
    conditions.push(`${LATENCY_NS} >= ${parameters.double(query.latencyMsMin * 1e6)}`);
  if (query.latencyMsMax !== undefined)
    conditions.push(`${LATENCY_NS} <= ${parameters.double(query.latencyMsMax * 1e6)}`);
  if (query.sessions) {
    const sessions = await findSessionRows(context, query.sessions);
    if (sessions.length === 0) return undefined;
    conditions.push(
      parameters.bigintIn(
        'session_row_id',
        sessions.map(({ rowId }) => rowId),
      ),
    );
  }
  if (query.fromRowId !== undefined) conditions.push(await fromTrace(context, query, query.fromRowId, parameters));
  return conditions;
}

/**
 * Rows from this trace on, in the order of the page, also if it has been deleted. Of an unknown or evicted trace only
 * the row id is known, so the page consists of traces that were stored no later (ascending: no earlier).
 */
async function fromTrace(
  context: ReadContext,
  query: TraceQuery,
  rowId: number,
  parameters: Parameters,
): Promise<string> {
  const place = new Parameters();
  const id = place.bigint(rowId);
  const [[startTime, endTime] = []] = await context.rows(
    `SELECT start_ns, end_ns FROM store.traces WHERE row_id = ${id}
     UNION ALL SELECT start_ns, end_ns FROM store.deleted_traces WHERE row_id = ${id} LIMIT 1`,
    place,
  );
  const isBeyond = query.order === 'asc' ? '>' : '<';
  if (typeof startTime !== 'bigint' || typeof endTime !== 'bigint')
    return `row_id ${isBeyond}= ${parameters.bigint(rowId)}`;
  if (query.sort === 'startTime') {
    const start = parameters.bigint(startTime);
    return `(start_ns ${isBeyond} ${start} OR (start_ns = ${start} AND row_id ${isBeyond}= ${parameters.bigint(rowId)}))`;
  }
  const latency = `${parameters.bigint(endTime)}::HUGEINT - ${parameters.bigint(startTime)}`;
  return `(${sortValue(query)} ${isBeyond} ${latency}
    OR (${sortValue(query)} = ${latency} AND row_id ${isBeyond}= ${parameters.bigint(rowId)}))`;
}

export async function findTracesOfSessions(
  context: ReadContext,
  sessionRowIds: readonly number[],
): Promise<Map<number, Trace[]>> {
  const found = new Map<number, Trace[]>();
  if (sessionRowIds.length === 0) return found;
  const parameters = new Parameters();
  const condition = parameters.bigintIn('session_row_id', sessionRowIds);
  const rows = await readTraceRows(context, condition, parameters);
  rows.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.rowId - b.rowId));
  for (const row of rows) {
    if (row.sessionRowId === null) continue;
    const traces = found.get(row.sessionRowId);
    if (traces) traces.push(toTrace(row));
    else found.set(row.sessionRowId, [toTrace(row)]);
  }
  return found;
}

export const toTrace = (row: TraceRow): Trace => ({
  rowId: row.rowId,
  traceId: toTraceId(row.high, row.low, row.text),
  projectId: row.projectId,
  sessionRowId: row.sessionRowId,
  startTimeUnixNano: row.start,
  endTimeUnixNano: row.end,
  spanCount: row.spanCount,
  errorCount: row.errorCount,
  tokensPrompt: row.tokensPrompt,
  tokensCompletion: row.tokensCompletion,
});
