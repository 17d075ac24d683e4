import { expectPresent } from '../../../base/expect-present.ts';
import { spanIdNumber, toSpanId, traceIdHalves } from '../../../model/traces/trace-ids.ts';
import { valuesOfSpanIds } from '../../filter/row-needs.ts';
import type { StoredId } from '../../contract/rows.ts';
import type { RowRange } from '../../duckdb/row-range.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { findRareRanges } from '../match/matching-spans.ts';
import type { ReadContext } from '../read-context.ts';
import { findSessionRows, findTraceRanges, traceKey } from '../rows/find-ids.ts';
import { selectTuples } from '../rows/read-rows.ts';
import { readTraceIds } from '../rows/stored-ids.ts';

/** Rows with these IDs, by row id. */
export async function findByIds(
  context: ReadContext,
  { of, ids }: { readonly of: 'spans' | 'traces' | 'sessions'; readonly ids: readonly string[] },
): Promise<StoredId[]> {
  if (ids.length === 0) return [];
  const found = await FINDERS[of](context, ids);
  return found.sort((a, b) => a.rowId - b.rowId);
}

const FINDERS = {
  spans: findSpans,
  async traces(context: ReadContext, ids: readonly string[]): Promise<StoredId[]> {
    const requested = new Map(ids.map((traceId) => [traceKey(traceIdHalves(traceId)), traceId]));
    const found = await findTraceRanges(context, [...requested.values()]);
    return found.map(({ key, rowId, traceId }) => ({
      id: expectPresent(requested.get(key), 'only these traces are found'),
      rowId,
      traceId,
    }));
  },
  async sessions(context: ReadContext, ids: readonly string[]): Promise<StoredId[]> {
    const found = await findSessionRows(
      context,
      ids.map((id) => ({ id })),
    );
    return found.map(({ sessionId, rowId }) => ({ id: sessionId, rowId }));
  },
} as const;

/** More IDs than this are searched in the whole column instead of in the blocks that may have them. */
const BLOCK_SEARCH_ID_COUNT_MAX = 16;

async function findSpans(context: ReadContext, ids: readonly string[]): Promise<StoredId[]> {
  const requested = new Map(ids.map((id) => [spanIdNumber(id), id]));
  const all: RowRange = { first: 1, last: context.newest.span };
  const blocks =
    requested.size <= BLOCK_SEARCH_ID_COUNT_MAX
      ? findRareRanges(context, all, { values: [valuesOfSpanIds(ids)] })
      : undefined;
  const tuples = [];
  for (const { first, last } of blocks ?? [all]) {
    const parameters = new Parameters();
    const range = `row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}`;
    const isOne = parameters.ubigintIn('span_id', [...requested.keys()]);
    const names = ['span_id', 'span_id_text', 'trace_row_id', 'row_id'] as const;
    tuples.push(...(await selectTuples(context, names, `WHERE ${range} AND ${isOne}`, parameters)));
  }
  const traceIds = await readTraceIds(context, [...new Set(tuples.map(([, , traceRowId]) => Number(traceRowId)))]);
  return tuples.flatMap(([number, text, traceRowId, rowId]) => {
    const id = requested.get(number);
    const traceId = traceIds.get(Number(traceRowId));
    // Different texts may share a number.
    const isSame = id?.toLowerCase() === toSpanId(number, text).toLowerCase();
    return isSame && traceId !== undefined ? { id, rowId: Number(rowId), traceId } : [];
  });
}
