import type { SpanFilter } from '../filter/span-filter.ts';
import type { ReadContext } from './read-context.ts';
import type { RowRange } from './row-range.ts';
import { readsLongTexts, spanFilterToSql } from './span-filter-to-sql.ts';
import { Parameters } from './sql.ts';

/** Row ids of the first window of rows that a search looks at; each further one is `WINDOW_GROWTH` times larger. */
export const WINDOW_ROW_COUNT = 131_072;
/** Of filters that put long texts together: memory for all texts of a window must be there. */
const LONG_TEXT_WINDOW_ROW_COUNT = 8_192;

/** How windows grow from one to the next. */
export function windowsOf(filter: SpanFilter | undefined): { readonly rowCount: number; readonly growth: number } {
  return filter && readsLongTexts(filter, new Parameters())
    ? { rowCount: LONG_TEXT_WINDOW_ROW_COUNT, growth: 1 }
    : { rowCount: WINDOW_ROW_COUNT, growth: 8 };
}

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
  const { rowCount, growth } = windowsOf(filter);
  if (growth > 1) return spanFilterToSql(filter, { projectId, first, last }, parameters);
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
