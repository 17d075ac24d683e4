import { ANY_TIME } from '../../cache/block-filter.ts';
import type { BlockRows } from '../../cache/block-filters.ts';
import type { ListPosition, TimeRange } from '../../contract/query-terms.ts';
import type { SpanListQuery } from '../../contract/spans.ts';
import type { RowRange } from '../../duckdb/row-range.ts';
import type { ReadContext } from '../read-context.ts';
import { rowCountMaxOf } from './matching-spans.ts';

/** Rows of the blocks that the first window takes; each further one takes `GROWTH` times as many. */
const FIRST_ROW_COUNT = 4_096;
const GROWTH = 8;
/** Blocks of a window that lie so far apart are read by statements of their own, but for no more than so many. */
const GAP_ROW_COUNT_MIN = 65_536;
const RANGE_COUNT_MAX = 16;

/**
 * A page by start time, searched a window of time after the other. A block tells when the first and the last of its rows
 * start, so the next rows by time are known to be in a few blocks: a page of common matches costs the same whatever is
 * stored and in whatever order it came, and a page of rare ones little more than one scan.
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
  const rowCountMax = await rowCountMaxOf(context, query.filter);
  const found: ListPosition[] = [];
  let { startTimeUnixNano: from, endTimeUnixNano: to } = rest;
  let open: BlockRows[] = [];
  for (let at = 0, rowCount = FIRST_ROW_COUNT; ; rowCount *= GROWTH) {
    // What reads long texts takes the rest apart by itself, row by row, so the windows need not grow.
    const isLast = at > 0 && rowCountMax < FIRST_ROW_COUNT;
    for (let taken = 0; at < blocks.length && (isLast || taken < rowCount); at++) {
      taken += blocks[at]!.last - blocks[at]!.first + 1;
      open.push(blocks[at]!);
    }
    const next = blocks[at];
    // No row of the blocks that are left starts in the window.
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
    if (isUp) from = window.endTimeUnixNano;
    else to = window.startTimeUnixNano;
    open = open.filter((block) => (isUp ? block.greatestStartNs >= from! : block.leastStartNs < to!));
  }
}

/** The range of a list that is left after its cursor; spans that start with it are in the range. */
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

/** Rows of blocks, those that lie near each other in one range. */
function toRanges(blocks: readonly BlockRows[]): RowRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (const { first, last } of blocks.toSorted((a, b) => a.first - b.first)) {
    const before = ranges.at(-1);
    const isNear = before !== undefined && first - before.last <= GAP_ROW_COUNT_MIN;
    if (isNear) before.last = last;
    else ranges.push({ first, last });
  }
  if (ranges.length <= RANGE_COUNT_MAX) return ranges;
  return [{ first: ranges[0]!.first, last: ranges.at(-1)!.last }];
}

const byStart = (a: ListPosition, b: ListPosition): number =>
  sign((a.value as bigint) - (b.value as bigint)) || a.rowId - b.rowId;

const sign = (difference: bigint): number => (difference < 0n ? -1 : difference > 0n ? 1 : 0);
