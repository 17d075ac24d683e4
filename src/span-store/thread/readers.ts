import { setTimeout as delay } from 'node:timers/promises';
import { SpandrelError } from '../../model/errors.ts';
import type { Connection } from '../duckdb/sql.ts';
import { StatementCache } from '../duckdb/statement-cache.ts';
import { type NewestRowIds, type ReadCaches, ReadContext, type SecondaryConnection } from '../read/read-context.ts';

/** Interval at which `end` checks whether the cancelled reads have ended. */
const READS_END_POLL_MS = 5;

interface Reader {
  readonly connection: Connection;
  readonly statements: StatementCache;
}

/**
 * Connections of reads: one for every concurrent read, and a second one for a read that runs alone. They stay open with their
 * prepared statements.
 */
export class Readers {
  readonly #connect: () => Promise<Connection>;
  readonly #caches: ReadCaches;
  readonly #idle: Reader[] = [];
  readonly #reads = new Set<ReadContext>();
  #isClosed = false;

  constructor(connect: () => Promise<Connection>, caches: ReadCaches) {
    this.#connect = connect;
    this.#caches = caches;
  }

  /** Runs a read on its own connection. `onStart` receives its context, which can cancel it. */
  async read<Result>(
    newest: NewestRowIds,
    read: (context: ReadContext) => Promise<Result>,
    onStart?: (context: ReadContext) => void,
  ): Promise<Result> {
    if (this.#isClosed) throw new SpandrelError('STORE_UNAVAILABLE', 'the span store is closed');
    const reader = await this.#take();
    const context = new ReadContext(reader.connection, newest, {
      ...this.#caches,
      statements: reader.statements,
      borrowConnection: () => this.#lend(),
    });
    this.#reads.add(context);
    onStart?.(context);
    try {
      return await read(context);
    } finally {
      this.#reads.delete(context);
      context.end();
      if (context.isReusable) this.#release(reader);
      else closeReader(reader);
    }
  }

  cancel(): void {
    for (const read of this.#reads) read.cancel();
  }

  /** Cancels running reads, rejects further ones, and resolves when no statement runs any more. */
  async end(): Promise<void> {
    this.#isClosed = true;
    this.cancel();
    while (this.#reads.size > 0) await delay(READS_END_POLL_MS);
  }

  /** After `end`. */
  close(): void {
    for (const reader of this.#idle) closeReader(reader);
  }

  /** Lends a second connection to the only running read. With several reads, it would take threads that the others need. */
  async #lend(): Promise<SecondaryConnection | undefined> {
    if (this.#reads.size > 1 || this.#isClosed) return undefined;
    const reader = await this.#take();
    return { ...reader, release: () => this.#release(reader) };
  }

  async #take(): Promise<Reader> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    const connection = await this.#connect();
    return { connection, statements: new StatementCache(connection) };
  }

  #release(reader: Reader): void {
    if (this.#isClosed) closeReader(reader);
    else this.#idle.push(reader);
  }
}

/** Destroys the statements first, because a remaining one keeps the database open. */
function closeReader({ connection, statements }: Reader): void {
  statements.close();
  connection.closeSync();
}
