import { ExactNumber, toExactJsonText } from '../../base/exact-json.ts';
import type { Cell, Column, Table } from '../../domain/spans/span-table.ts';

/**
 * A table as JSON text in the dialect "table schema": fields with types, and an object a row. A column is called by its
 * position and its name, since several may have one name; those of the index come first.
 */
export function toTableJson({ index, columns }: Table): string {
  const all = [...index, ...columns].map((column, position) => ({ ...column, name: `${position}_${column.name}` }));
  const fields = all.map(({ name, cells }) => ({ name, ...typeOf(cells) }));
  const schema = {
    fields,
    primaryKey: all.slice(0, index.length).map(({ name }) => name),
    pandas_version: '1.4.0',
  };
  const keys = all.map(({ name }) => `${JSON.stringify(name)}:`);
  const rowCount = all[0]?.cells.length ?? 0;
  const rows = Array.from({ length: rowCount }, (_, row) => toRowText(all, keys, row));
  return `{"schema":${JSON.stringify(schema)},"data":[${rows.join(',')}]}`;
}

const toRowText = (columns: readonly Column[], keys: readonly string[], row: number): string =>
  `{${columns.map(({ cells }, index) => keys[index] + toCellText(cells[row]!)).join(',')}}`;

const toCellText = (cell: Cell): string =>
  typeof cell === 'bigint' ? `"${formatNanoseconds(cell)}"` : toExactJsonText(cell);

type FieldType = { readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'datetime'; readonly tz?: 'UTC' };

/** Readers fail on a missing value in a column of integers or booleans. */
function typeOf(cells: readonly Cell[]): FieldType {
  const present = cells.filter((cell) => cell !== null);
  const isWhole = present.length === cells.length;
  if (present.length === 0) return { type: 'string' };
  if (present.every((cell) => typeof cell === 'bigint')) return { type: 'datetime', tz: 'UTC' };
  if (present.every(isNumber)) return { type: isWhole && present.every(isInteger) ? 'integer' : 'number' };
  return { type: isWhole && present.every((cell) => typeof cell === 'boolean') ? 'boolean' : 'string' };
}

const isNumber = (cell: Cell): cell is number | ExactNumber => typeof cell === 'number' || cell instanceof ExactNumber;

/** Of 64 bits, which is what readers hold. */
function isInteger(cell: number | ExactNumber): boolean {
  const text = String(cell instanceof ExactNumber ? cell.text : cell);
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

function formatNanoseconds(unixNano: bigint): string {
  let seconds = unixNano / 1_000_000_000n;
  if (unixNano < seconds * 1_000_000_000n) seconds--;
  const fraction = String(unixNano - seconds * 1_000_000_000n).padStart(9, '0');
  return `${new Date(Number(seconds) * 1_000).toISOString().slice(0, 19)}.${fraction}Z`;
}
