import { VECTOR_ROW_COUNT } from './chunk-writer.ts';
import type { Parameters } from './sql.ts';

/** Row ids that one statement names; more are taken in turns, so that a list stays a few hundred KB. */
const IDS_PER_STATEMENT = 16 * VECTOR_ROW_COUNT;

export function* inTurns<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += IDS_PER_STATEMENT) yield rows.slice(from, from + IDS_PER_STATEMENT);
}

/** Values with which a scan compares each of its rows. */
export const SCAN_VALUE_COUNT_MAX = 128;
/** Comparisons, 0.6 ns each, that take less than a join does. */
export const COMPARISON_COUNT_MAX = 2 ** 20;

/**
 * The condition, with the range of the ids for the zone maps. `rowIds` is not empty.
 *
 * DuckDB applies a function of one column, which is what `list_contains` is, inside of the scan: where no row of a vector
 * passes, its other columns are not unpacked. `IN` is applied after the scan, and as a join for many values.
 *
 * @param comparisonCountMax More where many columns would be unpacked for nothing.
 */
export function rowIdIn(
  parameters: Parameters,
  column: string,
  rowIds: readonly number[],
  comparisonCountMax = COMPARISON_COUNT_MAX,
): string {
  const wanted = new Set(rowIds);
  let least = rowIds[0]!;
  let greatest = least;
  for (const rowId of wanted) {
    if (rowId < least) least = rowId;
    if (rowId > greatest) greatest = rowId;
  }
  const isBetween = `${column} BETWEEN ${parameters.bigint(least)} AND ${parameters.bigint(greatest)}`;
  const rangeCount = greatest - least + 1;
  if (rangeCount === wanted.size) return isBetween;
  const isScanned = wanted.size <= SCAN_VALUE_COUNT_MAX && wanted.size * rangeCount <= comparisonCountMax;
  const isAmong = isScanned
    ? `list_contains(${parameters.bigints([...wanted])}, ${column})`
    : parameters.bigintIn(column, rowIds);
  return `${isBetween} AND ${isAmong}`;
}
