import { ExactNumber } from '../../../base/exact-json.ts';
import type { Cell } from './table.ts';

/** What all present cells of a column are: `text`, `integer` of 64 bits, `time`…, or `json` where they are mixed or structured. */
export type ColumnType = 'empty' | 'text' | 'number' | 'integer' | 'boolean' | 'time' | 'json';

export function typeOfCells(cells: readonly Cell[]): ColumnType {
  let type: ColumnType = 'empty';
  for (const cell of cells) {
    if (cell === null) continue;
    type = widen(type, typeOfCell(cell));
    if (type === 'json') return type;
  }
  return type;
}

/** The narrowest type that has the values of both. */
export function widen(one: ColumnType, other: ColumnType): ColumnType {
  if (one === other || other === 'empty') return one;
  if (one === 'empty') return other;
  return isNumeric(one) && isNumeric(other) ? 'number' : 'json';
}

function typeOfCell(cell: NonNullable<Cell>): ColumnType {
  if (typeof cell === 'string') return 'text';
  if (typeof cell === 'boolean') return 'boolean';
  if (typeof cell === 'bigint') return 'time';
  if (typeof cell === 'number' || cell instanceof ExactNumber) return isInteger(cell) ? 'integer' : 'number';
  return 'json';
}

const isNumeric = (type: ColumnType): boolean => type === 'number' || type === 'integer';

/** Returns whether a cell is an integer of 64 bits, the size that clients can store. */
function isInteger(cell: number | ExactNumber): boolean {
  if (Number.isSafeInteger(cell)) return true;
  return isIntegerText(String(cell instanceof ExactNumber ? cell.text : cell));
}

/** The same for the text of a number. */
export const isIntegerText = (text: string): boolean =>
  /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
