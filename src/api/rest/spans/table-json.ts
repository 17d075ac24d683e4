import { toExactJsonText } from '../../../base/exact-json.ts';
import { expectPresent } from '../../../base/expect-present.ts';
import { typeOfCells } from '../../../domain/spans/tables/column-type.ts';
import { type Cell, type Column, JsonText, type Table } from '../../../domain/spans/tables/table.ts';
import { listChunks } from '../json-stream.ts';

/**
 * Yields a table in chunks of JSON text in the dialect "table schema": fields with types, and an object per row. A
 * column is named by its position and its name, because several columns may have the same name. The index columns
 * precede the other columns.
 */
export function toTableJson({ index, columns }: Table): AsyncGenerator<string> {
  const all = [...index, ...columns].map((column, position) => ({ ...column, name: `${position}_${column.name}` }));
  const fields = all.map(({ name, cells }) => ({ name, ...fieldTypeOf(cells) }));
  const schema = {
    fields,
    primaryKey: all.slice(0, index.length).map(({ name }) => name),
    pandas_version: '1.4.0',
  };
  const keys = all.map(({ name }) => `${JSON.stringify(name)}:`);
  const rows = Array.from(all[0]?.cells ?? [], (_cell, row) => row);
  const head = `{"schema":${JSON.stringify(schema)},"data":[`;
  return listChunks(head, rows, (row) => toRowText(all, keys, row), ']}');
}

const toRowText = (columns: readonly Column[], keys: readonly string[], row: number): string =>
  `{${columns.map(({ cells }, index) => keys[index] + toCellText(expectPresent(cells[row], 'each column has a cell for each row'))).join(',')}}`;

export function toCellText(cell: Cell): string {
  if (cell instanceof JsonText) return cell.text;
  return typeof cell === 'bigint' ? `"${formatNanoseconds(cell)}"` : toExactJsonText(cell);
}

type FieldType = { readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'datetime'; readonly tz?: 'UTC' };

/** Readers fail on a missing value in a column of integers or booleans. */
function fieldTypeOf(cells: readonly Cell[]): FieldType {
  const type = typeOfCells(cells);
  if (type === 'time') return { type: 'datetime', tz: 'UTC' };
  if (type === 'number') return { type };
  if (type !== 'integer' && type !== 'boolean') return { type: 'string' };
  if (!cells.includes(null)) return { type };
  return { type: type === 'integer' ? 'number' : 'string' };
}

function formatNanoseconds(unixNano: bigint): string {
  let seconds = unixNano / 1_000_000_000n;
  if (unixNano < seconds * 1_000_000_000n) seconds--;
  const fraction = String(unixNano - seconds * 1_000_000_000n).padStart(9, '0');
  return `${new Date(Number(seconds) * 1_000).toISOString().slice(0, 19)}.${fraction}Z`;
}
