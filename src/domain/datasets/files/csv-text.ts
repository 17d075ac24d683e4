import { type ExactJson, ExactNumber, isJsonObject } from '../../../base/exact-json.ts';
import { toPythonFloat, toPythonJson, toPythonNumber } from '../../../base/python-text.ts';

/**
 * Kinds of the cells of a column, over all rows. All numbers of a column have one format: if one is a fraction, or a
 * row has none, integers are printed as `1.0`.
 */
export class CsvColumn {
  #integerCount = 0;
  #floatCount = 0;
  #otherCount = 0;

  note(value: ExactJson): void {
    if (value === null) return;
    if (!isNumber(value)) this.#otherCount++;
    else if (isInteger(value)) this.#integerCount++;
    else this.#floatCount++;
  }

  /** @param rowCount Number of rows of the whole table. */
  print(value: ExactJson | undefined, rowCount: number): string {
    if (value === undefined || value === null) return '';
    const isNumeric = this.#otherCount === 0;
    const printsFloats = isNumeric && (this.#floatCount > 0 || this.#integerCount < rowCount);
    if (printsFloats && isNumber(value) && Number.isSafeInteger(Number(value))) return toPythonFloat(Number(value));
    return printCell(value);
  }
}

/** A value as the text of a cell, not yet quoted: texts unchanged, lists and objects as JSON. */
export function printCell(value: ExactJson): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return isNumber(value) ? toPythonNumber(value) : toPythonJson(value);
}

/**
 * A cell that a spreadsheet shows as text instead of running it as a formula. Numbers stay as they are.
 *
 * @param value The value that the cell prints.
 */
export const withoutFormula = (value: ExactJson | undefined, cell: string): string =>
  value !== undefined && (value === null || isNumber(value)) ? cell : FORMULA.test(cell) ? `'${cell}` : cell;

const FORMULA = /^[=+\-@\t\r]/;

/** One line with its end. Cells are quoted where they must be. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quote).join(',')}\n`;

/** Leaves of an object by their path, with keys joined by dots. Lists are leaves, and empty objects have none. */
export function* leavesOf(value: ExactJson, path: string): Generator<readonly [path: string, leaf: ExactJson]> {
  if (!isJsonObject(value)) yield [path, value];
  else for (const [key, leaf] of Object.entries(value)) yield* leavesOf(leaf, `${path}.${key}`);
}

const quote = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const isNumber = (value: ExactJson): value is number | ExactNumber =>
  typeof value === 'number' || value instanceof ExactNumber;

const isInteger = (value: number | ExactNumber): boolean =>
  !/[.eE]/.test(String(value instanceof ExactNumber ? value.text : value));
