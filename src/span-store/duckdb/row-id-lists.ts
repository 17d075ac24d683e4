import { expectPresent } from '../../base/expect-present.ts';
import { VECTOR_ROW_COUNT } from './chunk-writer.ts';
import type { Parameters } from './sql.ts';

/** Maximum row ids of one statement, so that a list has at most a few hundred KB. */
const IDS_PER_STATEMENT = 16 * VECTOR_ROW_COUNT;

export function* chunksOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += IDS_PER_STATEMENT) yield rows.slice(from, from + IDS_PER_STATEMENT);
}

/** Maximum values with which a scan compares each of its rows. */
export const SCAN_VALUE_COUNT_MAX = 128;
/** Maximum comparisons, of 0.6 ns each, that cost less than a join. */
export const COMPARISON_COUNT_MAX = 2 ** 20;

/**
 * Condition on row ids, with their range for the zone maps. `rowIds` must not be empty.
 *
 * DuckDB applies a function of one column, such as `list_contains`, during the scan: if no row of a vector passes, it does not
 * unpack the other columns. It applies `IN` after the scan, and as a join for many values.
 *
 * @param comparisonCountMax Greater if a false positive unpacks many columns.
 */
export function rowIdIn(
  parameters: Parameters,
  column: string,
  rowIds: readonly number[],
  comparisonCountMax = COMPARISON_COUNT_MAX,
): string {
  const wanted = new Set(rowIds);
  let least = expectPresent(rowIds[0], 'the caller names at least one row');
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
