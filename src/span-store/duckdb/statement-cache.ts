import type {
  DuckDBConnection,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
  DuckDBValue,
} from '@duckdb/node-api';
import { type Parameters, type Statements, toRows } from './sql.ts';

/** Statements of one connection. A page needs four, and lists of values produce further texts. */
const STATEMENT_COUNT_MAX = 64;

/**
 * Prepared statements of one connection by text, with eviction of the least recently used. Parsing and planning a statement
 * takes half a millisecond, as long as finding a page of common rows, and a further task in the thread pool.
 */
export class StatementCache implements Statements {
  readonly #connection: DuckDBConnection;
  readonly #statements = new Map<string, DuckDBPreparedStatement>();

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async rows(sql: string, parameters?: Parameters): Promise<DuckDBValue[][]> {
    return toRows(await this.run(sql, parameters));
  }

  async run(sql: string, parameters?: Parameters): Promise<DuckDBMaterializedResult> {
    // Removed while it runs, so that a concurrent use of the same text gets another statement.
    const statement = this.#take(sql) ?? (await this.#connection.prepare(sql));
    try {
      if (parameters) statement.bind(parameters.values, parameters.types);
      const result = await statement.run();
      this.#put(sql, statement);
      return result;
    } catch (error) {
      statement.destroySync();
      throw error;
    }
  }

  /** Must be called before the connection is closed, because a remaining statement keeps the database open. */
  close(): void {
    for (const statement of this.#statements.values()) statement.destroySync();
    this.#statements.clear();
  }

  #take(sql: string): DuckDBPreparedStatement | undefined {
    const statement = this.#statements.get(sql);
    if (statement) this.#statements.delete(sql);
    return statement;
  }

  #put(sql: string, statement: DuckDBPreparedStatement): void {
    this.#statements.get(sql)?.destroySync();
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size <= STATEMENT_COUNT_MAX) return;
    const [[oldest, least] = []] = this.#statements;
    least?.destroySync();
    if (oldest !== undefined) this.#statements.delete(oldest);
  }
}
