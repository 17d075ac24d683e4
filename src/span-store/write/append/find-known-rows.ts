import { traceIdCondition } from '../../filter/trace-id-condition.ts';
import { textHash } from '../../cache/id-hash.ts';
import type { KnownSessions } from '../../cache/known-sessions.ts';
import { type KnownTraces, traceKey } from '../../cache/known-traces.ts';
import type { TraceIdNumbers } from '../../cache/trace-blocks.ts';
import { readSessionRows, type SessionRow } from '../../duckdb/session-rows.ts';
import { type Connection, Parameters, statementsOf } from '../../duckdb/sql.ts';
import { readTraceRows, type TraceRow } from '../../duckdb/trace-rows.ts';

/** Rows of the stored ones of these traces, by `traceKey`. */
export async function findTraces(
  connection: Connection,
  traces: KnownTraces,
  ids: readonly TraceIdNumbers[],
): Promise<Map<bigint, TraceRow>> {
  const found = new Map<bigint, TraceRow>();
  if (ids.length === 0) return found;
  const wanted = new Set(ids.map(({ high, low }) => traceKey(high, low)));
  const parameters = new Parameters();
  const condition = traceIdCondition(ids, traces.blocks, parameters);
  for (const trace of await readTraceRows(statementsOf(connection), condition, parameters)) {
    const key = traceKey(trace.high, trace.low);
    if (wanted.has(key)) found.set(key, trace);
  }
  return found;
}

/** Rows of the stored ones of these sessions, by the application's ID. Reads only rows that are not in memory. */
export async function findSessionsByIds(
  connection: Connection,
  sessions: KnownSessions,
  sessionIds: readonly string[],
): Promise<Map<string, SessionRow>> {
  const found = new Map<string, SessionRow>();
  const unknown = new Map<string, bigint>();
  for (const sessionId of sessionIds) {
    const recent = sessions.recentById(sessionId);
    if (recent) found.set(sessionId, recent);
    else {
      const hash = textHash(sessionId);
      if (sessions.mayHaveHash(hash)) unknown.set(sessionId, hash);
    }
  }
  if (unknown.size === 0) return found;
  const parameters = new Parameters();
  const condition = parameters.ubigintIn('session_hash', [...new Set(unknown.values())]);
  for (const session of await readSessionRows(statementsOf(connection), condition, parameters)) {
    if (unknown.has(session.sessionId)) found.set(session.sessionId, session);
  }
  return found;
}

/** Rows of these sessions, which are stored, by row id. */
export async function getSessionsByRowIds(
  connection: Connection,
  sessions: KnownSessions,
  rowIds: readonly number[],
): Promise<Map<number, SessionRow>> {
  const found = new Map<number, SessionRow>();
  const unknown: number[] = [];
  for (const rowId of rowIds) {
    const recent = sessions.recentByRowId(rowId);
    if (recent) found.set(rowId, recent);
    else unknown.push(rowId);
  }
  if (unknown.length === 0) return found;
  const parameters = new Parameters();
  const condition = parameters.bigintIn('row_id', unknown);
  for (const session of await readSessionRows(statementsOf(connection), condition, parameters)) {
    found.set(session.rowId, session);
  }
  return found;
}
