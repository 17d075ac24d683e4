import {
  BIGINT,
  DOUBLE,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBListValue,
  type DuckDBMaterializedResult,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  LIST,
  listValue,
  UBIGINT,
  UTINYINT,
  VARCHAR,
} from '@duckdb/node-api';
import { expectPresent } from '../../base/expect-present.ts';
import { readValues } from './result-values.ts';

/**
 * Values of one statement. Each method adds a value and returns its placeholder (`$1`, `$2`, …), so that no value is ever part of
 * the text. The types are explicit, because a number of a wider type than its column disables the column's zone maps.
 */
export class Parameters {
  readonly values: DuckDBValue[] = [];
  readonly types: DuckDBType[] = [];
  /** A text that is bound twice is one value, so that DuckDB recognizes equal expressions. */
  readonly #texts = new Map<string, string>();

  bigint(value: bigint | number): string {
    return this.#add(BigInt(value), BIGINT);
  }
  ubigint(value: bigint): string {
    return this.#add(value, UBIGINT);
  }
  integer(value: number): string {
    return this.#add(value, INTEGER);
  }
  utinyint(value: number): string {
    return this.#add(value, UTINYINT);
  }
  double(value: number): string {
    return this.#add(value, DOUBLE);
  }
  text(value: string): string {
    const known = this.#texts.get(value);
    if (known !== undefined) return known;
    const placeholder = this.#add(value, VARCHAR);
    this.#texts.set(value, placeholder);
    return placeholder;
  }
  /** Lists, for `unnest`. */
  bigints(values: readonly (bigint | number)[]): string {
    return this.#add(listValue(values.map(BigInt)), LIST(BIGINT));
  }
  ubigints(values: readonly bigint[]): string {
    return this.#add(listValue([...values]), LIST(UBIGINT));
  }
  texts(values: readonly string[]): string {
    return this.#add(listValue([...values]), LIST(VARCHAR));
  }

  /** `column IN (…)`. */
  bigintIn(column: string, values: readonly (bigint | number)[]): string {
    return this.#in(column, values.map(BigInt), BIGINT);
  }
  ubigintIn(column: string, values: readonly bigint[]): string {
    return this.#in(column, values, UBIGINT);
  }
  utinyintIn(column: string, values: readonly number[]): string {
    return this.#in(column, values, UTINYINT);
  }
  textIn(column: string, values: readonly string[]): string {
    return this.#in(column, values, VARCHAR);
  }

  /** Adds the values of a separately compiled part, and returns its text with the placeholders of this statement. */
  embed(sql: string, part: Parameters): string {
    const placeholders: string[] = [];
    return sql.replace(/\$(\d+)\b/g, (_, number: string) => {
      const index = Number(number) - 1;
      placeholders[index] ??= this.#adopt(
        expectPresent(part.values[index], ADDED),
        expectPresent(part.types[index], ADDED),
      );
      return placeholders[index];
    });
  }

  #adopt(value: DuckDBValue, type: DuckDBType): string {
    return typeof value === 'string' ? this.text(value) : this.#add(value, type);
  }

  #add(value: DuckDBValue, type: DuckDBType): string {
    this.types.push(type);
    return `$${this.values.push(value)}`;
  }

  #in(column: string, values: readonly DuckDBValue[], type: DuckDBType): string {
    if (values.length === 0) return 'false';
    const last = expectPresent(values.at(-1), 'the list is not empty');
    if (values.length === 1) return `${column} = ${this.#add(last, type)}`;
    if (values.length <= LISTED_COUNT_MAX) {
      // The last value is repeated up to a power of two, so that few texts of statements exist, which are cached.
      const count = 2 ** Math.ceil(Math.log2(values.length));
      const listed = Array.from({ length: count }, (_, index) => values[index] ?? last);
      return `${column} IN (${listed.map((value) => this.#add(value, type)).join(', ')})`;
    }
    return `${column} IN (SELECT unnest(${this.#add(listValue([...values]), LIST(type))}))`;
  }
}

/** Maximum values in an `IN` that the scan applies. More values become a list that is joined with the scan. */
const LISTED_COUNT_MAX = 64;

/** A connection to the database. */
export type Connection = DuckDBConnection;
const ADDED = 'a placeholder has its parameter';

/** A value of a parameter or result. */
export type SqlValue = DuckDBValue;
/** A column of a row that is taken apart. A row has all columns of its statement. */
export type Cell = SqlValue | undefined;
export type ListValue = DuckDBListValue;
export type ColumnType = DuckDBType;
export { DuckDBTypeId as TypeId } from '@duckdb/node-api';
export type QueryResult = DuckDBMaterializedResult;

/** Runs statements on one connection. */
export interface Statements {
  /** Runs one statement. */
  run(sql: string, parameters?: Parameters): Promise<DuckDBMaterializedResult>;
  /** Runs one statement and returns its rows. */
  rows(sql: string, parameters?: Parameters): Promise<DuckDBValue[][]>;
}

/** Runs one statement and returns its rows. */
export async function queryRows(
  connection: DuckDBConnection,
  sql: string,
  parameters?: Parameters,
): Promise<DuckDBValue[][]> {
  return toRows(await connection.run(sql, parameters?.values, parameters?.types));
}

/** Statements of a connection without a cache. */
export const statementsOf = (connection: DuckDBConnection): Statements => ({
  run: (sql, parameters) => connection.run(sql, parameters?.values, parameters?.types),
  rows: (sql, parameters) => queryRows(connection, sql, parameters),
});

/**
 * All chunks of a result in memory. Fetching them one by one adds two tasks in the thread pool and the event loop per statement,
 * which take as long as a short statement while spans arrive.
 */
export const toChunks = (result: DuckDBMaterializedResult): DuckDBDataChunk[] =>
  Array.from({ length: result.chunkCount }, (_, index) => result.getChunk(index));

/** All rows of a result. */
export function toRows(result: DuckDBMaterializedResult): DuckDBValue[][] {
  const rows: DuckDBValue[][] = [];
  const types = Array.from({ length: result.columnCount }, (_, column) => result.columnTypeId(column));
  for (const chunk of toChunks(result)) {
    // By column first, because access by row looks up the column for each value.
    const columns = types.map((type, column) => readValues(chunk, column, type));
    for (let row = 0; row < chunk.rowCount; row++) rows.push(columns.map((values) => values[row] ?? null));
  }
  return rows;
}
