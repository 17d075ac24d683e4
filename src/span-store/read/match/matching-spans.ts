import type { SpanFilter } from '../../../filter/spans/span-filter.ts';
import { applyPlan } from '../../filter/filter-plan.ts';
import type { RowNeeds } from '../../cache/block-filter.ts';
import type { Reading } from '../../cache/block-filters.ts';
import type { RowRange } from '../../duckdb/row-range.ts';
import { Parameters } from '../../duckdb/sql.ts';
import type { ReadContext } from '../read-context.ts';

/** DuckDB scans whole vectors of 2,048 rows, so that a page of common matches takes one or two of them. */
const ROW_COUNT = 2_048;
const GROWTH = 8;
/** Pieces of long texts in one window, 2 KB each: memory for them must be there. */
const PIECE_COUNT_MAX = 65_536;
/** What may match is searched piece by piece, each by a statement of its own, when it is at most this part of all. */
const RARE_PART_MAX = 1 / 4;
const RARE_RANGE_COUNT_MAX = 1_024;

export interface RowSearch {
  readonly order: 'asc' | 'desc';
  readonly needs: RowNeeds;
  readonly reading: Reading;
  /** Of `rowCountMaxOf`. */
  readonly rowCountMax: number;
}

/** Rows that one statement with this filter may look at. */
export async function rowCountMaxOf(context: ReadContext, filter: SpanFilter | undefined): Promise<number> {
  if (!filter || !context.spanPlan(filter).needs.longTexts) return Number.MAX_SAFE_INTEGER;
  return longTextRowCount(context);
}

/** Rows whose long texts may be put together at once. */
export async function longTextRowCount(context: ReadContext): Promise<number> {
  const [[pieceCount, spanCount] = []] = await context.rows(
    'SELECT (SELECT count(*) FROM store.long_texts), (SELECT count(*) FROM store.spans)',
  );
  return Math.max(1_024, Math.floor((PIECE_COUNT_MAX * Number(spanCount)) / Math.max(1, Number(pieceCount))));
}

/**
 * The windows of a search by row id, each further one larger, so that a page of common matches costs the same whatever
 * is stored, and a page of rare ones one scan. Blocks that have no match are left out.
 */
export function* searchWindows(
  { blocks }: ReadContext,
  { first, last }: RowRange,
  { order, needs, reading, rowCountMax }: RowSearch,
): Generator<RowRange> {
  const end = order === 'asc' ? 'first' : 'last';
  let rest = { first, last };
  for (let rowCount = ROW_COUNT; rest.first <= rest.last; rowCount *= GROWTH) {
    const window = blocks.next(rest, end, Math.min(rowCount, rowCountMax), needs, reading);
    if (!window) return;
    yield window;
    rest = order === 'asc' ? { first: window.last + 1, last } : { first, last: window.first - 1 };
  }
}

/** Windows of rows of a table that has no blocks, each further one larger. */
export function* rowWindows({ first, last }: RowRange, order: 'asc' | 'desc'): Generator<RowRange> {
  for (let rowCount = ROW_COUNT; first <= last; rowCount *= GROWTH) {
    const window =
      order === 'asc'
        ? { first, last: Math.min(last, first + rowCount - 1) }
        : { first: Math.max(first, last - rowCount + 1), last };
    yield window;
    if (order === 'asc') first = window.last + 1;
    else last = window.first - 1;
  }
}

/**
 * A condition on rows of `spans` in a range: those of the project that a filter selects. A filter that few blocks can
 * match, or that puts long texts together, has been applied before, a window at a time, and what it found is in the
 * condition.
 */
export async function matchingSpans(
  context: ReadContext,
  { projectId, filter }: { readonly projectId: number; readonly filter: SpanFilter },
  range: RowRange,
  parameters: Parameters,
): Promise<string> {
  const rowCountMax = await rowCountMaxOf(context, filter);
  const isLarge = rowCountMax <= range.last - range.first;
  const plan = context.spanPlan(filter);
  if (!isLarge && !isRare(context, range, filter)) return applyPlan(plan, { projectId, ...range }, parameters);
  const found: bigint[] = [];
  for (const window of rangesOf(context, range, plan.needs, rowCountMax)) {
    const inWindow = new Parameters();
    const rows = await context.rows(
      `SELECT row_id FROM store.spans
       WHERE row_id BETWEEN ${inWindow.bigint(window.first)} AND ${inWindow.bigint(window.last)}
         AND project_id = ${inWindow.integer(projectId)}
         AND ${applyPlan(plan, { projectId, ...window }, inWindow)}`,
      inWindow,
    );
    for (const [rowId] of rows) found.push(rowId as bigint);
  }
  return parameters.bigintIn('row_id', found);
}

/** Whether few blocks of a range can have what a filter selects. */
export function isRare(context: ReadContext, range: RowRange, filter: SpanFilter): boolean {
  const { needs } = context.spanPlan(filter);
  if (needs.values.length === 0) return false;
  const rowCountMax = RARE_PART_MAX * (range.last - range.first + 1);
  let rangeCount = 0;
  let rowCount = 0;
  for (const { first, last } of rangesOf(context, range, needs, Number.MAX_SAFE_INTEGER)) {
    rowCount += last - first + 1;
    if (rowCount > rowCountMax || ++rangeCount > RARE_RANGE_COUNT_MAX) return false;
  }
  return true;
}

/** All that may match in a range, in pieces of at most so many rows, the newest first. */
function* rangesOf(
  { blocks }: ReadContext,
  range: RowRange,
  needs: RowNeeds,
  rowCountMax: number,
): Generator<RowRange> {
  let { last } = range;
  while (last >= range.first) {
    const piece = blocks.next({ first: range.first, last }, 'last', rowCountMax, needs, 'texts');
    if (!piece) return;
    yield piece;
    last = piece.first - 1;
  }
}
