import type { SessionRow } from '../duckdb/session-rows.ts';
import { GrowingBloomFilter } from './bloom-filter.ts';
import { RecentMap } from './recent-map.ts';

/** Sessions with a row in memory, of about 1.5 KB each with previews. Up to twice as many are kept. */
const RECENT_SESSION_COUNT = 2 ** 13;

/** Data about stored sessions in the writer's memory: a Bloom filter of all IDs, and the rows of recent sessions. */
export class KnownSessions {
  #hashes = new GrowingBloomFilter(2 ** 16);
  readonly #recentById = new RecentMap<string, SessionRow>(RECENT_SESSION_COUNT);
  readonly #recentByRowId = new RecentMap<number, SessionRow>(RECENT_SESSION_COUNT);

  /** Removes everything, before the hashes of the stored sessions are added. */
  clear(): void {
    this.#hashes = new GrowingBloomFilter(2 ** 16);
    this.evictRows();
  }

  evictRows(): void {
    this.#recentById.clear();
    this.#recentByRowId.clear();
  }

  /** Adds or replaces a stored session. */
  set(session: SessionRow, isNew: boolean): void {
    if (isNew) this.addHash(session.hash);
    this.#recentById.set(session.sessionId, session);
    this.#recentByRowId.set(session.rowId, session);
  }

  recentById(sessionId: string): SessionRow | undefined {
    return this.#recentById.get(sessionId);
  }

  recentByRowId(rowId: number): SessionRow | undefined {
    return this.#recentByRowId.get(rowId);
  }

  addHash(hash: bigint): void {
    this.#hashes.add(Number(hash & 0xffffffffn), Number(hash >> 32n), 0, 0);
  }

  /** False when no session with this hash was ever stored. */
  mayHaveHash(hash: bigint): boolean {
    return this.#hashes.mayHave(Number(hash & 0xffffffffn), Number(hash >> 32n), 0, 0);
  }
}
