import { minMax, type RowRange } from '../../duckdb/row-range.ts';
import type { Parameters } from '../../duckdb/sql.ts';
import type { ReadContext } from '../read-context.ts';

/** Rows of a bucket: as many as a row group has. */
const BUCKET_ROW_COUNT = 16_384;
/** Each range is a separate scan, which costs as much as some ten buckets of one scan. */
const RANGE_COUNT_MAX = 4;

/**
 * Ranges of row ids, in order, that contain all targets of these annotations. They exclude the widest gaps, because often only
 * some of many spans are annotated.
 */
export async function findAnnotatedRowRanges(
  context: ReadContext,
  condition: string,
  parameters: Parameters,
): Promise<RowRange[]> {
  const rows = await context.rows(
    `SELECT DISTINCT target_row_id // ${BUCKET_ROW_COUNT} AS bucket FROM store.annotations WHERE ${condition} ORDER BY bucket`,
    parameters,
  );
  const buckets = rows.map(([bucket]) => Number(bucket));
  if (buckets.length === 0) return [];
  const gaps = buckets.map((bucket, index) => ({ index, width: bucket - (buckets[index - 1] ?? bucket) }));
  const cuts = gaps
    .filter(({ width }) => width > 1)
    .sort((a, b) => b.width - a.width)
    .slice(0, RANGE_COUNT_MAX - 1)
    .map(({ index }) => index)
    .sort((a, b) => a - b);
  return [0, ...cuts].map((from, index) => {
    const [first, last] = minMax(buckets.slice(from, cuts[index]));
    return { first: first * BUCKET_ROW_COUNT, last: (last + 1) * BUCKET_ROW_COUNT - 1 };
  });
}
