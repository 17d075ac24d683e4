import type { Page } from '../../model/page.ts';
import type { Session } from '../../model/session.ts';
import { readSessionRows, type SessionRow } from '../append/rollups.ts';
import { Parameters } from '../database/sql.ts';
import type { RowRef, SessionQuery } from '../span-store.ts';
import type { ReadContext } from '../thread/read-context.ts';
import { findSessionRows } from './find-ids.ts';

export async function findSessions(context: ReadContext, query: SessionQuery): Promise<Page<Session>> {
  const parameters = new Parameters();
  const conditions = [`project_id = ${parameters.integer(query.projectId)}`];
  if (query.fromRowId !== undefined) {
    conditions.push(`row_id ${query.order === 'asc' ? '>=' : '<='} ${parameters.bigint(query.fromRowId)}`);
  }
  const rows = await readSessionRows(
    context,
    conditions.join(' AND '),
    parameters,
    `ORDER BY row_id ${query.order === 'asc' ? 'ASC' : 'DESC'} LIMIT ${query.limit + 1}`,
  );
  const items = rows.slice(0, query.limit).map(toSession);
  const next = rows[query.limit];
  return next ? { items, nextRowId: next.rowId } : { items };
}

export async function findSession(context: ReadContext, ref: RowRef): Promise<Session | undefined> {
  const [row] = await findSessionRows(context, [ref]);
  return row && toSession(row);
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
  firstInput: row.firstInput?.text ?? null,
  lastOutput: row.lastOutput?.text ?? null,
});
