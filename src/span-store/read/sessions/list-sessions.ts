import type { Session } from '../../../model/traces/session.ts';
import { applyEntityPlan } from '../../filter/compile-entity-filter.ts';
import type { ListPosition } from '../../contract/query-terms.ts';
import type { SessionDetails, SessionListPage, SessionListQuery, SessionSortColumn } from '../../contract/sessions.ts';
import { rowIdIn } from '../../duckdb/row-id-lists.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { annotationSort, keysetAfter, orderBy, overlaps, type SortValue, toPosition } from '../list-order.ts';
import { matchSessions } from '../match/match-sessions.ts';
import type { ReadContext } from '../read-context.ts';
import { findSessionRows } from '../rows/find-ids.ts';
import { toSession } from './find-sessions.ts';

const VALUES: Readonly<Record<SessionSortColumn, string>> = {
  startTime: 'start_ns',
  endTime: 'end_ns',
  tokensTotal: '(tokens_prompt::HUGEINT + tokens_completion)',
  traceCount: 'trace_count',
  cost: '(cost_prompt_pico::HUGEINT + cost_completion_pico)',
};

/** Number of sessions that a filter is evaluated on at a time, initially and at most. */
const FILTERED_COUNT = 200;
const FILTERED_COUNT_MAX = 2_000;
/** Maximum if SQL has selected them by a part of the filter, because each statement then scans the whole project. */
const CHOSEN_COUNT_MAX = 100_000;

/** One page of sessions that overlap the range. */
export async function listSessions(context: ReadContext, query: SessionListQuery): Promise<SessionListPage> {
  const positions = await findPositions(context, query);
  const shown = positions.slice(0, query.limit);
  const sessions = await findSessionsByRowIds(
    context,
    shown.map(({ rowId }) => rowId),
  );
  const items = shown.flatMap((at) => {
    const session = sessions.get(at.rowId);
    return session ? { session, at } : [];
  });
  const nextAfter = shown.at(-1);
  return positions.length > query.limit && nextAfter ? { items, nextAfter } : { items };
}

/** Positions of the sessions of the page and of the session after it. */
async function findPositions(context: ReadContext, query: SessionListQuery): Promise<ListPosition[]> {
  const { filter } = query;
  const plan = filter && context.entityPlan(filter);
  if (!filter || plan?.isExact) {
    return readPositions(context, query, query.limit + 1);
  }
  const found: ListPosition[] = [];
  let after = query.after;
  for (let count = FILTERED_COUNT; ; count = Math.min(2 * count, plan?.sql ? CHOSEN_COUNT_MAX : FILTERED_COUNT_MAX)) {
    const positions = await readPositions(context, { ...query, after }, count);
    const matching = await matchSessions(
      context,
      filter,
      positions.map(({ rowId }) => rowId),
    );
    found.push(...positions.filter(({ rowId }) => matching.has(rowId)));
    if (found.length > query.limit || positions.length < count) return found;
    after = positions.at(-1);
  }
}

async function readPositions(context: ReadContext, query: SessionListQuery, limit: number): Promise<ListPosition[]> {
  const parameters = new Parameters();
  const sort: SortValue =
    typeof query.sort === 'object'
      ? annotationSort('sessions', query.sort, parameters)
      : { value: query.sort && VALUES[query.sort] };
  const { value, condition } = sort;
  const conditions = [`project_id = ${parameters.integer(query.projectId)}`, ...overlaps(query, parameters)];
  if (condition) conditions.push(condition);
  const filtered = query.filter && applyEntityPlan(context.entityPlan(query.filter), query.projectId, parameters);
  if (filtered) conditions.push(filtered);
  if (query.after) conditions.push(keysetAfter(sort, { order: query.order, after: query.after }, parameters));
  const rows = await context.rows(
    `SELECT row_id, ${value ?? 'NULL'} FROM store.sessions WHERE ${conditions.join(' AND ')}
     ${orderBy(value, query.order)} LIMIT ${limit}`,
    parameters,
  );
  return rows.map(([rowId, sortValue]) => toPosition(rowId, sortValue));
}

export async function findSessionsByRowIds(
  context: ReadContext,
  rowIds: readonly number[],
): Promise<Map<number, Session>> {
  if (rowIds.length === 0) return new Map();
  const rows = await findSessionRows(
    context,
    rowIds.map((rowId) => ({ rowId })),
  );
  return new Map(rows.map((row) => [row.rowId, toSession(row)]));
}

export async function findSessionDetails(
  context: ReadContext,
  rowIds: readonly number[],
): Promise<Map<number, SessionDetails>> {
  if (rowIds.length === 0) return new Map();
  const parameters = new Parameters();
  const rows = await context.rows(
    `SELECT row_id, first_input_row_id, last_output_row_id,
       (SELECT count(*) FROM store.traces t WHERE t.session_row_id = s.row_id AND t.error_count > 0)
     FROM store.sessions s
     WHERE ${rowIdIn(parameters, 's.row_id', rowIds)}`,
    parameters,
  );
  return new Map(
    rows.map(([rowId, input, output, failed]) => [
      Number(rowId),
      {
        firstInputSpanRowId: input === null ? null : Number(input),
        lastOutputSpanRowId: output === null ? null : Number(output),
        failedTraceCount: Number(failed),
      },
    ]),
  );
}
