import type { Page } from '../../../model/page.ts';
import type { Session } from '../../../model/traces/session.ts';
import type { SessionQuery } from '../../contract/sessions.ts';
import type { RowRange } from '../../duckdb/row-range.ts';
import { readSessionRows, type SessionRow } from '../../duckdb/session-rows.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { rowWindows } from '../match/matching-spans.ts';
import type { ReadContext } from '../read-context.ts';

export async function findSessions(context: ReadContext, query: SessionQuery): Promise<Page<Session>> {
  const isUp = query.order === 'asc';
  const range = {
    first: (isUp ? query.fromRowId : undefined) ?? 1,
    last: Math.min((isUp ? undefined : query.fromRowId) ?? Infinity, context.newest.session),
  };
  const rows: SessionRow[] = [];
  for (const window of rowWindows(range, query.order)) {
    rows.push(...(await findInWindow(context, query, window, query.limit + 1 - rows.length)));
    if (rows.length > query.limit) break;
  }
  const items = rows.slice(0, query.limit).map(toSession);
  const next = rows[query.limit];
  return next ? { items, nextRowId: next.rowId } : { items };
}

/** In order. */
function findInWindow(
  context: ReadContext,
  { projectId, order }: SessionQuery,
  { first, last }: RowRange,
  limit: number,
): Promise<SessionRow[]> {
  const parameters = new Parameters();
  return readSessionRows(
    context,
    `row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}
     AND project_id = ${parameters.integer(projectId)}`,
    parameters,
    `ORDER BY row_id ${order === 'asc' ? 'ASC' : 'DESC'} LIMIT ${limit}`,
  );
}

export const toSession = (row: SessionRow): Session => ({
  rowId: row.rowId,
  sessionId: row.sessionId,
  projectId: row.projectId,
  startTimeUnixNano: row.start,
  endTimeUnixNano: row.end,
  traceCount: row.traceCount,
  errorCount: row.errorCount,
  tokensPrompt: row.tokensPrompt,
  tokensCompletion: row.tokensCompletion,
  firstInput: row.firstInput,
  lastOutput: row.lastOutput,
});
