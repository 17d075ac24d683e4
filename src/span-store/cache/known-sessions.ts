import type { DuckDBConnection } from '@duckdb/node-api';
import { readSessionRows, type SessionRow } from '../duckdb/rollup-rows.ts';
import { Parameters, queryRows, statementsOf } from '../duckdb/sql.ts';
import { GrowingBloomFilter } from './bloom-filter.ts';
import { textHash } from './id-hash.ts';
import { RecentMap } from './recent-map.ts';

/** Sessions whose rows are kept in memory; about 1.5 KB each with their previews, and up to twice as many. */
const RECENT_SESSION_COUNT = 2 ** 13;

/** What the writer knows of sessions without asking DuckDB: as `KnownTraces`. */
export class KnownSessions {
  #hashes = new GrowingBloomFilter(2 ** 16);
  readonly #recentById = new RecentMap<string, SessionRow>(RECENT_SESSION_COUNT);
  readonly #recentByRowId = new RecentMap<number, SessionRow>(RECENT_SESSION_COUNT);

  async load(connection: DuckDBConnection): Promise<void> {
    this.#hashes = new GrowingBloomFilter(2 ** 16);
    this.forgetRows();
    for (const [hash] of await queryRows(connection, 'SELECT session_hash FROM store.sessions'))
      this.#addHash(hash as bigint);
  }

  forgetRows(): void {
    this.#recentById.clear();
    this.#recentByRowId.clear();
  }

  /** Adds or replaces a stored session. */
  set(session: SessionRow, isNew: boolean): void {
    if (isNew) this.#addHash(session.hash);
    this.#recentById.set(session.sessionId, session);
    this.#recentByRowId.set(session.rowId, session);
  }

  /** Those of these sessions that are stored, by the application's id. */
  async findByIds(connection: DuckDBConnection, sessionIds: readonly string[]): Promise<Map<string, SessionRow>> {
    const found = new Map<string, SessionRow>();
    const unknown = new Map<string, bigint>();
    for (const sessionId of sessionIds) {
      const recent = this.#recentById.get(sessionId);
      if (recent) found.set(sessionId, recent);
      else {
        const hash = textHash(sessionId);
        if (this.#mayHaveHash(hash)) unknown.set(sessionId, hash);
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

  /** These sessions, which are stored, by row id. */
  async findByRowIds(connection: DuckDBConnection, rowIds: readonly number[]): Promise<Map<number, SessionRow>> {
    const found = new Map<number, SessionRow>();
    const unknown: number[] = [];
    for (const rowId of rowIds) {
      const recent = this.#recentByRowId.get(rowId);
      if (recent) found.set(rowId, recent);
      else unknown.push(rowId);
    }
    if (unknown.length === 0) return found;
    const parameters = new Parameters();
    const condition = parameters.bigintIn('row_id', unknown);
    for (const session of await readSessionRows(statementsOf(connection), condition, parameters))
      found.set(session.rowId, session);
    return found;
  }

  #addHash(hash: bigint): void {
    this.#hashes.add(Number(hash & 0xffffffffn), Number(hash >> 32n), 0, 0);
  }

  #mayHaveHash(hash: bigint): boolean {
    return this.#hashes.mayHave(Number(hash & 0xffffffffn), Number(hash >> 32n), 0, 0);
  }
}
