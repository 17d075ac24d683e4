import type { RowRange } from '../../duckdb/row-range.ts';
import type { Parameters } from '../../duckdb/sql.ts';
import type { ReadContext } from '../read-context.ts';

/** Rows that are in a place together: as many as a row group has. */
const PLACE_ROW_COUNT = 16_384;
/** Each is a scan of its own, which costs as much as some ten places of one scan. */
const RANGE_COUNT_MAX = 4;

/**
 * Ranges of row ids, in order, in which all targets of these annotations lie: without the widest gaps between them, since
 * what is judged are often some spans of many.
 */
export async function findJudgedPlaces(
  context: ReadContext,
  condition: string,
  parameters: Parameters,
): Promise<RowRange[]> {
  const rows = await context.rows(
    `SELECT DISTINCT target_row_id // ${PLACE_ROW_COUNT} AS place FROM store.annotations WHERE ${condition} ORDER BY place`,
    parameters,
  );
  const places = rows.map(([place]) => Number(place));
  const gaps = places.slice(1).map((place, index) => ({ before: index, width: place - places[index]! }));
  const cuts = gaps
    .filter(({ width }) => width > 1)
    .sort((a, b) => b.width - a.width)
    .slice(0, RANGE_COUNT_MAX - 1)
    .map(({ before }) => before + 1)
    .sort((a, b) => a - b);
  return places.length === 0
    ? []
    : [0, ...cuts].map((from, index) => ({
        first: places[from]! * PLACE_ROW_COUNT,
        last: (places[(cuts[index] ?? places.length) - 1]! + 1) * PLACE_ROW_COUNT - 1,
      }));
}
