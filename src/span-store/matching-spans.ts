import type { SpanFilter } from '../filter/span-filter.ts';
import type { ReadContext } from './read-context.ts';
import type { RowRange } from './row-range.ts';
import { readsLongTexts, spanFilterToSql } from './span-filter-to-sql.ts';
import { Parameters } from './sql.ts';

/** How many rows a search looks at at a time: so many at first, then more and more. */
export interface Windows {
  readonly rowCount: number;
  readonly growth: number;
  readonly rowCountMax: number;
}

/** DuckDB scans whole vectors of 2,048 rows, so that a page of common matches takes one or two of them. */
const ROW_COUNT = 2_048;
/** Pieces of long texts in one window, 2 KB each: memory for them must be there. */
const PIECE_COUNT_MAX = 65_536;

/** Windows for a filter. */
export async function windowsOf(context: ReadContext, filter: SpanFilter | undefined): Promise<Windows> {
  const windows = { rowCount: ROW_COUNT, growth: 8, rowCountMax: Number.MAX_SAFE_INTEGER };
  if (!filter || !readsLongTexts(filter, new Parameters())) return windows;
  const rowCountMax = await longTextRowCount(context);
  return { ...windows, rowCount: Math.min(ROW_COUNT, rowCountMax), rowCountMax };
}

/** Rows whose long texts may be put together at once. */
export async function longTextRowCount(context: ReadContext): Promise<number> {
  const [[pieceCount, spanCount] = []] = await context.rows(
    'SELECT (SELECT count(*) FROM store.long_texts), (SELECT count(*) FROM store.spans)',
  );
  return Math.max(1_024, Math.floor((PIECE_COUNT_MAX * Number(spanCount)) / Math.max(1, Number(pieceCount))));
}

export const nextRowCount = (rowCount: number, { growth, rowCountMax }: Windows): number =>
  Math.min(rowCount * growth, rowCountMax);

/**
 * A condition on rows of `spans` in a range: those of the project that a filter selects. A filter that puts long texts
 * together has been applied before, a window at a time, and what it found is in the condition.
 */
export async function matchingSpans(
  context: ReadContext,
  { projectId, filter }: { readonly projectId: number; readonly filter: SpanFilter },
  { first, last }: RowRange,
  parameters: Parameters,
): Promise<string> {
  const { rowCountMax: rowCount } = await windowsOf(context, filter);
  if (rowCount > last - first) return spanFilterToSql(filter, { projectId, first, last }, parameters);
  const found: bigint[] = [];
  for (let end = last; end >= first; end -= rowCount) {
    const window = { projectId, first: Math.max(first, end - rowCount + 1), last: end };
    const inWindow = new Parameters();
    const rows = await context.rows(
      `SELECT row_id FROM store.spans WHERE row_id BETWEEN ${inWindow.bigint(window.first)} AND ${inWindow.bigint(end)}
         AND project_id = ${inWindow.integer(projectId)} AND ${spanFilterToSql(filter, window, inWindow)}`,
      inWindow,
    );
    for (const [rowId] of rows) found.push(rowId as bigint);
  }
  return parameters.bigintIn('row_id', found);
}
