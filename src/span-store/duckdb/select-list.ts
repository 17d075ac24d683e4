// biome-ignore-all lint/style/noNonNullAssertion: a row has the values of all columns of its statement.
import { DuckDBBlobValue, DuckDBListValue } from '@duckdb/node-api';
import type { Cell, Parameters, SqlValue, Statements } from './sql.ts';

/** A column or another expression that a statement selects, and how its values are read. Fields of tables are such. */
export interface Selected<Value> {
  /** SQL text of the expression. */
  readonly name: string;
  decode(value: SqlValue): Value;
}

/** What a statement selects, in its order, by the name under which a row has it. */
export type SelectList = Readonly<Record<string, Selected<unknown>>>;

/** A row of a statement that selects a list. */
export type RowOfList<List extends SelectList> = {
  -readonly [Name in keyof List]: List[Name] extends Selected<infer Value> ? Value : never;
};

/** SQL text of a list, for a statement whose rows `decodeRows` reads. */
export const columnsOf = (list: SelectList): string =>
  Object.values(list)
    .map(({ name }) => name)
    .join(', ');

/**
 * Rows of a statement that selects `columnsOf(list)`.
 *
 * @param emptyRow Result of `emptyRowOf(list)`
 */
export function decodeRows<List extends SelectList>(
  list: List,
  results: readonly (readonly SqlValue[])[],
  emptyRow = emptyRowOf(list),
): RowOfList<List>[] {
  const rows = results.map((): Record<string, unknown> => ({ ...emptyRow }));
  for (const [column, [key, selected]] of Object.entries(list).entries()) {
    for (let index = 0; index < rows.length; index++) rows[index]![key] = selected.decode(results[index]![column]!);
  }
  return rows as RowOfList<List>[];
}

/** All names without values. A copy of it takes a quarter of the memory of an object to which the values are added. */
export const emptyRowOf = <List extends SelectList>(list: List): Readonly<Record<keyof List, null>> =>
  JSON.parse(JSON.stringify(Object.fromEntries(Object.keys(list).map((key) => [key, null]))));

/** Runs one statement that selects a list. `tail` is its SQL text after the list. */
export const select = async <List extends SelectList>(
  statements: Pick<Statements, 'rows'>,
  list: List,
  tail: string,
  parameters?: Parameters,
): Promise<RowOfList<List>[]> =>
  decodeRows(list, await statements.rows(`SELECT ${columnsOf(list)} ${tail}`, parameters));

// The statement fixes the type of a value, so another type is an error of the program.
export const toBigint = (value: Cell): bigint => (typeof value === 'bigint' ? value : reject(value, 'an int64'));
export const toText = (value: Cell): string => (typeof value === 'string' ? value : reject(value, 'a text'));
export const toBoolean = (value: Cell): boolean => (typeof value === 'boolean' ? value : reject(value, 'a boolean'));
export const toItems = (value: Cell): readonly SqlValue[] =>
  value instanceof DuckDBListValue ? value.items : reject(value, 'a list');
const toBytes = (value: Cell): Uint8Array => (value instanceof DuckDBBlobValue ? value.bytes : reject(value, 'a blob'));

const orNull =
  <Value>(decode: (value: Cell) => Value) =>
  (value: Cell): Value | null =>
    value === null ? null : decode(value);

export const toBigintOrNull = orNull(toBigint);
export const toTextOrNull = orNull(toText);
export const toNumberOrNull = orNull(Number);
export const toItemsOrNull = orNull(toItems);

function reject(value: Cell, expected: string): never {
  throw new TypeError(`A selected value is ${value === null ? 'NULL' : `a ${typeof value}`} instead of ${expected}`);
}

const selected =
  <Value>(decode: (value: SqlValue) => Value) =>
  (name: string): Selected<Value> => ({ name, decode });

// Values of the types that no column of a table has.
export const boolean = selected(toBoolean);
export const bytes = selected(toBytes);
export const numbers = selected((list) => toItems(list).map(Number));
