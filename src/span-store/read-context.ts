import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { SpandrelError } from '../model/errors.ts';
import { type Parameters, queryRows } from './sql.ts';

/** One read: its connection, its own while it lasts, and whether it is still wanted. */
export class ReadContext {
  readonly #connection: DuckDBConnection;
  #isCancelled = false;

  /** Of the spans that were stored when the read began, the greatest row id. */
  readonly newestSpanRowId: number;

  constructor(connection: DuckDBConnection, newestSpanRowId: number) {
    this.#connection = connection;
    this.newestSpanRowId = newestSpanRowId;
  }

  /** Ends the running statement with an error, and those that would follow. */
  cancel(): void {
    this.#isCancelled = true;
    this.#connection.interrupt();
  }

  /** Runs one statement. */
  rows(sql: string, parameters?: Parameters): Promise<DuckDBValue[][]> {
    return this.read((connection) => queryRows(connection, sql, parameters));
  }

  async read<Result>(read: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    // DuckDB forgets an interrupt that comes between two statements.
    this.throwIfCancelled();
    try {
      return await read(this.#connection);
    } catch (error) {
      this.throwIfCancelled();
      throw error;
    }
  }

  throwIfCancelled(): void {
    if (this.#isCancelled) throw new SpandrelError('CANCELLED', 'the read was cancelled');
  }
}
