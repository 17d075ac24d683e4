import type { SpanFilter } from '../../../filter/spans/span-filter.ts';
import { applyPlan } from '../../filter/filter-plan.ts';
import type { RowNeeds } from '../../cache/block-filter.ts';
import type { Reading } from '../../cache/block-filters.ts';
import type { RowRange } from '../../duckdb/row-range.ts';
import { Parameters } from '../../duckdb/sql.ts';
import type { ReadContext } from '../read-context.ts';
import { selectTuples } from '../rows/read-rows.ts';

/** Rows of the first window. DuckDB scans whole vectors of 2,048 rows, and one or two contain a page of common matches. */
const ROW_COUNT = 2_048;
const GROWTH = 8;
/** Maximum chunks of long texts in one window, of 2 KB each, which must fit into memory. */
const TEXT_CHUNK_COUNT_MAX = 65_536;
/** A filter is rare if at most this part of the rows may match. Their ranges are then searched by separate statements. */
const RARE_PART_MAX = 1 / 4;
const RARE_RANGE_COUNT_MAX = 1_024;

export interface RowSearch {
  readonly order: 'asc' | 'desc';
  readonly needs: RowNeeds;
  readonly reading: Reading;
  /** Result of `readRowCountMax`. */
  readonly rowCountMax: number;
}

/** Maximum rows that one statement with this filter may scan. */
export async function readRowCountMax(context: ReadContext, filter: SpanFilter | undefined): Promise<number> {
  if (!filter || !context.spanPlan(filter).needs.longTexts) return Number.MAX_SAFE_INTEGER;
  return readLongTextRowCount(context);
}

/** Maximum rows whose long texts can be concatenated at once. */
export async function readLongTextRowCount(context: ReadContext): Promise<number> {
  const [[chunkCount, spanCount] = []] = await context.rows(
    'SELECT (SELECT count(*) FROM store.long_texts), (SELECT count(*) FROM store.spans)',
  );
  return Math.max(1_024, Math.floor((TEXT_CHUNK_COUNT_MAX * Number(spanCount)) / Math.max(1, Number(chunkCount))));
}

/**
 * Windows of a search by row id. Each is larger than the one before, so that a page of common matches has a constant cost, and a
 * page of rare ones costs one scan. Blocks without a match are skipped.
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

/** Windows of a table without blocks. Each is larger than the one before. */
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
 * Condition on rows of `spans` in a range: spans of the project that a filter selects. If few blocks can match, or the filter
 * reads long texts, this function runs the filter in windows first, and the condition contains the found row ids.
 */
export async function resolveSpanFilter(
  context: ReadContext,
  { projectId, filter }: { readonly projectId: number; readonly filter: SpanFilter },
  range: RowRange,
  parameters: Parameters,
): Promise<string> {
  const rowCountMax = await readRowCountMax(context, filter);
  const isLarge = rowCountMax <= range.last - range.first;
  const plan = context.spanPlan(filter);
  if (!isLarge && !isRare(context, range, filter)) return applyPlan(plan, { projectId, ...range }, parameters);
  const found: bigint[] = [];
  for (const window of rangesOf(context, range, plan.needs, rowCountMax)) {
    const inWindow = new Parameters();
    const rows = await selectTuples(
      context,
      ['row_id'],
      `WHERE row_id BETWEEN ${inWindow.bigint(window.first)} AND ${inWindow.bigint(window.last)}
         AND project_id = ${inWindow.integer(projectId)}
         AND ${applyPlan(plan, { projectId, ...window }, inWindow)}`,
      inWindow,
    );
    for (const [rowId] of rows) found.push(rowId);
  }
  return parameters.bigintIn('row_id', found);
}

/** Whether few blocks of a range can match a filter. */
export const isRare = (context: ReadContext, range: RowRange, filter: SpanFilter): boolean =>
  findRareRanges(context, range, context.spanPlan(filter).needs) !== undefined;

/** Ranges of rows that can match, newest first. Undefined unless they are few. */
export function findRareRanges(context: ReadContext, range: RowRange, needs: RowNeeds): RowRange[] | undefined {
  if (needs.values.length === 0) return undefined;
  const rowCountMax = RARE_PART_MAX * (range.last - range.first + 1);
  const ranges: RowRange[] = [];
  let rowCount = 0;
  for (const found of rangesOf(context, range, needs, Number.MAX_SAFE_INTEGER)) {
    rowCount += found.last - found.first + 1;
    ranges.push(found);
    if (rowCount > rowCountMax || ranges.length > RARE_RANGE_COUNT_MAX) return undefined;
  }
  return ranges;
}

/** Rows of a range that may match, in chunks of at most `rowCountMax` rows, newest first. */
function* rangesOf(
  { blocks }: ReadContext,
  range: RowRange,
  needs: RowNeeds,
  rowCountMax: number,
): Generator<RowRange> {
  let { last } = range;
  while (last >= range.first) {
    const chunk = blocks.next({ first: range.first, last }, 'last', rowCountMax, needs, 'texts');
    if (!chunk) return;
    yield chunk;
    last = chunk.first - 1;
  }
}
