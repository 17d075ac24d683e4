import type { KnownSessions } from '../../cache/known-sessions.ts';
import type { KnownTraces } from '../../cache/known-traces.ts';
import { toBigint } from '../../duckdb/select-list.ts';
import { type Connection, queryRows } from '../../duckdb/sql.ts';
import { forEachTraceId } from '../../duckdb/trace-id-scan.ts';

/** Reads the IDs of all stored traces: 24 bytes per trace, about 0.1 s per million. */
export async function loadKnownTraces(connection: Connection, traces: KnownTraces): Promise<void> {
  traces.clear();
  await forEachTraceId(connection, (rowId, high, low, row) => traces.addId(high, low, row, rowId));
}

/** Reads the hashes of the IDs of all stored sessions. */
export async function loadKnownSessions(connection: Connection, sessions: KnownSessions): Promise<void> {
  sessions.clear();
  for (const [hash] of await queryRows(connection, 'SELECT session_hash FROM store.sessions')) {
    sessions.addHash(toBigint(hash));
  }
}
