import assert from 'node:assert/strict';
import { ANY_TIME } from '../../cache/block-filter.ts';
import type { BlockRows } from '../../cache/block-filters.ts';
import type { ListPosition, TimeRange } from '../../contract/query-terms.ts';
import type { SpanListQuery } from '../../contract/spans.ts';
import { minMax, type RowRange } from '../../duckdb/row-range.ts';
import type { ReadContext } from '../read-context.ts';
import { readRowCountMax } from './matching-spans.ts';

/** Rows of the blocks of the first window. Each further window has `GROWTH` times as many. */
const FIRST_ROW_COUNT = 4_096;
const GROWTH = 8;
/** Minimum gap between blocks that separate statements read, and the maximum number of these statements. */
const GAP_ROW_COUNT_MIN = 65_536;
const RANGE_COUNT_MAX = 16;

/**
 * Searches a page by start time in windows of time. The start times of blocks tell which few blocks contain the next rows. So a
 * page of common matches has a constant cost, in any order of arrival, and a page of rare ones costs little more than one scan.
 *
 * @param query `sort` is the start time. Its range and `after` limit the windows.
 * @param read Positions in the order of the list, of rows in a range that start in the window.
 */
export async function searchTimeWindows(
  context: ReadContext,
  query: SpanListQuery,
  range: RowRange,
  read: (window: TimeRange, rows: RowRange, limit: number) => Promise<ListPosition[]>,
): Promise<ListPosition[]> {
  const isUp = query.order === 'asc';
  const compare = isUp ? byStart : (a: ListPosition, b: ListPosition) => byStart(b, a);
  const rest = timeLeft(query);
  const values = query.filter ? context.spanPlan(query.filter).needs.values : [];
  const blocks = [...context.blocks.matching(range, { ...rest, values })].sort(
    isUp ? (a, b) => sign(a.leastStartNs - b.leastStartNs) : (a, b) => sign(b.greatestStartNs - a.greatestStartNs),
  );
  const rowCountMax = await readRowCountMax(context, query.filter);
  const found: ListPosition[] = [];
  let { startTimeUnixNano: from, endTimeUnixNano: to } = rest;
  let open: BlockRows[] = [];
  for (let at = 0, rowCount = FIRST_ROW_COUNT; ; rowCount *= GROWTH) {
    // A filter that reads long texts divides the rest by row id itself, so the windows need not grow.
    const isLast = at > 0 && rowCountMax < FIRST_ROW_COUNT;
    let next = blocks[at];
    for (let taken = 0; next && (isLast || taken < rowCount); next = blocks[++at]) {
      taken += next.last - next.first + 1;
      open.push(next);
    }
    // No row of the remaining blocks starts in the window.
    const window = isUp
      ? { startTimeUnixNano: from, endTimeUnixNano: next ? next.leastStartNs : to }
      : { startTimeUnixNano: next ? next.greatestStartNs + 1n : from, endTimeUnixNano: to };
    if (!isEmpty(window)) {
      const limit = query.limit + 1 - found.length;
      const inWindow: ListPosition[] = [];
      for (const rows of toRanges(open)) inWindow.push(...(await read(window, rows, limit)));
      found.push(...inWindow.sort(compare).slice(0, limit));
    }
    if (!next || found.length > query.limit) return found;
    const { leastStartNs, greatestStartNs } = next;
    if (isUp) from = leastStartNs;
    else to = greatestStartNs + 1n;
    open = open.filter((block) =>
      isUp ? block.greatestStartNs >= leastStartNs : block.leastStartNs <= greatestStartNs,
    );
  }
}

/** The remaining range of a list after its cursor, including spans with the start time of the cursor. */
function timeLeft({ startTimeUnixNano, endTimeUnixNano, order, after }: SpanListQuery): TimeRange {
  const at = after?.value;
  if (typeof at !== 'bigint') return { startTimeUnixNano, endTimeUnixNano };
  if (order === 'asc') {
    const isLater = startTimeUnixNano === undefined || at > startTimeUnixNano;
    return { startTimeUnixNano: isLater ? at : startTimeUnixNano, endTimeUnixNano };
  }
  const isEarlier = (endTimeUnixNano === undefined || at < endTimeUnixNano) && at < ANY_TIME.greatestStartNs;
  return { startTimeUnixNano, endTimeUnixNano: isEarlier ? at + 1n : endTimeUnixNano };
}

const isEmpty = ({
  startTimeUnixNano: from,
  endTimeUnixNano: to = ANY_TIME.greatestStartNs + 1n,
}: TimeRange): boolean => from !== undefined && from >= to;

/** Row ranges of blocks. Blocks near each other share a range. */
function toRanges(blocks: readonly BlockRows[]): RowRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (const { first, last } of blocks.toSorted((a, b) => a.first - b.first)) {
    const before = ranges.at(-1);
    const isNear = before !== undefined && first - before.last <= GAP_ROW_COUNT_MIN;
    if (isNear) before.last = last;
    else ranges.push({ first, last });
  }
  if (ranges.length <= RANGE_COUNT_MAX) return ranges;
  const [first] = minMax(ranges.map((range) => range.first));
  const [, last] = minMax(ranges.map((range) => range.last));
  return [{ first, last }];
}

const byStart = (a: ListPosition, b: ListPosition): number => sign(startOf(a) - startOf(b)) || a.rowId - b.rowId;

function startOf({ value }: ListPosition): bigint {
  assert(typeof value === 'bigint', 'positions of this order have a start time');
  return value;
}

const sign = (difference: bigint): number => (difference < 0n ? -1 : difference > 0n ? 1 : 0);
