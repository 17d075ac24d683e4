import { setTimeout as delay } from 'node:timers/promises';
import { SpandrelError } from '../../model/errors.ts';
import type { Connection } from '../duckdb/sql.ts';
import { StatementCache } from '../duckdb/statement-cache.ts';
import { type Lane, type NewestRowIds, type ReadAids, ReadContext } from '../read/read-context.ts';

/** How often to look whether the reads that were cancelled have ended. */
const READS_END_POLL_MS = 5;

interface Reader {
  readonly connection: Connection;
  readonly statements: StatementCache;
}

/**
 * Connections that read: one for every read that runs at the same time, and a second one for a read that runs alone.
 * They stay open, with the statements that they know.
 */
export class Readers {
  readonly #connect: () => Promise<Connection>;
  readonly #aids: Omit<ReadAids, 'statements' | 'borrow'>;
  readonly #idle: Reader[] = [];
  readonly #reads = new Set<ReadContext>();
  #isClosed = false;

  constructor(connect: () => Promise<Connection>, aids: Omit<ReadAids, 'statements' | 'borrow'>) {
    this.#connect = connect;
    this.#aids = aids;
  }

  /** Runs a read on a connection of its own. `onStart` is given what cancels it. */
  async read<Result>(
    newest: NewestRowIds,
    read: (context: ReadContext) => Promise<Result>,
    onStart?: (context: ReadContext) => void,
  ): Promise<Result> {
    if (this.#isClosed) throw new SpandrelError('STORE_UNAVAILABLE', 'the span store is closed');
    const reader = await this.#take();
    const context = new ReadContext(reader.connection, newest, {
      ...this.#aids,
      statements: reader.statements,
      borrow: () => this.#lend(),
    });
    this.#reads.add(context);
    onStart?.(context);
    try {
      return await read(context);
    } finally {
      this.#reads.delete(context);
      context.end();
      if (context.isReusable) this.#giveBack(reader);
      else closeReader(reader);
    }
  }

  cancel(): void {
    for (const read of this.#reads) read.cancel();
  }

  /** Cancels what runs, refuses what comes, and resolves when no statement runs any more. */
  async end(): Promise<void> {
    this.#isClosed = true;
    this.cancel();
    while (this.#reads.size > 0) await delay(READS_END_POLL_MS);
  }

  /** After `end`. */
  close(): void {
    for (const reader of this.#idle) closeReader(reader);
  }

  /** A second connection, for the only read that runs: with others it would take the threads that they need. */
  async #lend(): Promise<Lane | undefined> {
    if (this.#reads.size > 1 || this.#isClosed) return undefined;
    const reader = await this.#take();
    return { ...reader, giveBack: () => this.#giveBack(reader) };
  }

  async #take(): Promise<Reader> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    const connection = await this.#connect();
    return { connection, statements: new StatementCache(connection) };
  }

  #giveBack(reader: Reader): void {
    if (this.#isClosed) closeReader(reader);
    else this.#idle.push(reader);
  }
}

/** Statements first: one that is left holds the database open. */
function closeReader({ connection, statements }: Reader): void {
  statements.close();
  connection.closeSync();
}
