import { Parameters } from '../database/sql.ts';
import type { ListPosition, SpanListQuery } from '../list-queries.ts';
import { beyond, startsIn } from '../read/list-order.ts';
import type { RowRange } from '../row-range.ts';
import type { ReadContext } from '../thread/read-context.ts';
import { rowCountMaxOf } from './matching-spans.ts';

interface TimeWindow {
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
}

/** Rows that start in the first window; each further one lasts `GROWTH` times as long. */
const FIRST_ROW_COUNT = 4_096;
const GROWTH = 16n;
/** The window after so many takes all that is left. */
const WINDOW_COUNT_MAX = 2;

/**
 * A page by start time of spans that a filter selects. It is searched a window of time after the other, so that a page of
 * common matches costs the same whatever is stored, and a page of rare ones little more than one scan.
 */
export async function searchTimeWindows(
  context: ReadContext,
  query: SpanListQuery,
  range: RowRange,
  read: (window: TimeWindow, rows: RowRange, limit: number) => Promise<ListPosition[]>,
): Promise<ListPosition[]> {
  const found: ListPosition[] = [];
  const hull = await findHull(context, query, range);
  if (!hull) return found;
  const isUp = query.order === 'asc';
  const rowCountMax = await rowCountMaxOf(context, query.filter);
  let duration = await findFirstDuration(context, query, range);
  let { startTimeUnixNano: from, endTimeUnixNano: to } = hull;
  for (let count = 1; from < to && found.length <= query.limit; count++) {
    // What reads long texts takes the rest apart by itself, row by row, so it need not grow.
    const isLast = count > WINDOW_COUNT_MAX || to - from <= duration || (count > 1 && rowCountMax < FIRST_ROW_COUNT);
    const window = isLast
      ? { startTimeUnixNano: from, endTimeUnixNano: to }
      : isUp
        ? { startTimeUnixNano: from, endTimeUnixNano: from + duration }
        : { startTimeUnixNano: to - duration, endTimeUnixNano: to };
    const rows = await findRows(context, query, window, range);
    if (rows) found.push(...(await read(window, rows, query.limit + 1 - found.length)));
    if (isUp) from = window.endTimeUnixNano;
    else to = window.startTimeUnixNano;
    duration *= GROWTH;
  }
  return found;
}

function conditionsOf(query: SpanListQuery, { first, last }: RowRange, parameters: Parameters): string {
  const conditions = [
    `row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}`,
    `project_id = ${parameters.integer(query.projectId)}`,
    ...startsIn(query, parameters),
  ];
  if (query.after)
    conditions.push(beyond({ value: 'start_ns' }, { order: query.order, after: query.after }, parameters));
  return conditions.join(' AND ');
}

/** When the spans of the list start; undefined when there are none. */
async function findHull(context: ReadContext, query: SpanListQuery, range: RowRange): Promise<TimeWindow | undefined> {
  const parameters = new Parameters();
  const [[least, greatest] = []] = await context.rows(
    `SELECT min(start_ns), max(start_ns) FROM store.spans WHERE ${conditionsOf(query, range, parameters)}`,
    parameters,
  );
  if (typeof least !== 'bigint') return undefined;
  return { startTimeUnixNano: least, endTimeUnixNano: (greatest as bigint) + 1n };
}

/** Nanoseconds, one at least, in which the first rows of the list start. */
async function findFirstDuration(context: ReadContext, query: SpanListQuery, range: RowRange): Promise<bigint> {
  const parameters = new Parameters();
  const [[duration] = []] = await context.rows(
    `SELECT max(start_ns)::HUGEINT - min(start_ns) + 1 FROM (
       SELECT start_ns FROM store.spans WHERE ${conditionsOf(query, range, parameters)}
       ORDER BY start_ns ${query.order} LIMIT ${FIRST_ROW_COUNT})`,
    parameters,
  );
  return BigInt(duration as bigint);
}

/** Among which rows the spans of a window are. */
async function findRows(
  context: ReadContext,
  query: SpanListQuery,
  window: TimeWindow,
  range: RowRange,
): Promise<RowRange | undefined> {
  const parameters = new Parameters();
  const [[first, last] = []] = await context.rows(
    `SELECT min(row_id), max(row_id) FROM store.spans WHERE ${conditionsOf({ ...query, ...window }, range, parameters)}`,
    parameters,
  );
  return typeof first === 'bigint' ? { first: Number(first), last: Number(last) } : undefined;
}
