import { expectPresent } from '../../../base/expect-present.ts';
import { spanIdNumber, type TraceId, toSpanId, toTraceId, traceIdHalves } from '../../../model/traces/trace-ids.ts';
import { valuesOfSpanIds } from '../../filter/row-needs.ts';
import { traceIdCondition } from '../../filter/trace-id-condition.ts';
import { textHash } from '../../cache/id-hash.ts';
import type { RowRef } from '../../contract/query-terms.ts';
import type { StoredSpanId } from '../../contract/spans.ts';
import { rowIdIn } from '../../duckdb/row-id-lists.ts';
import type { RowRange } from '../../duckdb/row-range.ts';
import { select } from '../../duckdb/select-list.ts';
import { readSessionRows, type SessionRow } from '../../duckdb/session-rows.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { readTraceRows, TRACES, type TraceRow } from '../../duckdb/trace-rows.ts';
import type { ReadContext } from '../read-context.ts';
import { selectTuples } from './read-rows.ts';
import { readTraceIds } from './stored-ids.ts';

/** A trace, and the range of its span row ids. */
export interface TraceRange {
  /** Both halves of the trace ID. */
  readonly key: string;
  readonly traceId: TraceId;
  readonly rowId: number;
  readonly firstSpanRowId: number;
  readonly lastSpanRowId: number;
  readonly spanCount: number;
}

const { rowId, firstSpanRowId, lastSpanRowId, spanCount, high, low, text } = TRACES.fields;
const RANGE = { rowId, firstSpanRowId, lastSpanRowId, spanCount, high, low, text };

/** Ranges of the stored ones of these traces. */
export async function findTraceRanges(context: ReadContext, traceIds: readonly string[]): Promise<TraceRange[]> {
  if (traceIds.length === 0) return [];
  const parameters = new Parameters();
  const halves = traceIds.map(traceIdHalves);
  const wanted = new Set(halves.map(keyOf));
  const condition = traceIdCondition(halves, context.traceBlocks, parameters);
  const rows = await select(context, RANGE, `FROM store.traces WHERE ${condition}`, parameters);
  return rows.flatMap(({ high, low, text, ...range }) => {
    const key = keyOf({ high, low });
    return wanted.has(key) ? { ...range, key, traceId: toTraceId(high, low, text) } : [];
  });
}

export async function findTraceRowId(context: ReadContext, ref: RowRef): Promise<number | undefined> {
  if ('id' in ref) return (await findTraceRanges(context, [ref.id]))[0]?.rowId;
  return findRow(context, 'traces', ref.rowId);
}

/** Row ids of the stored ones of these traces, by received trace ID. */
export async function findTraceRowIds(context: ReadContext, traceIds: readonly string[]): Promise<Map<string, number>> {
  const wanted = new Map(traceIds.map((traceId) => [keyOf(traceIdHalves(traceId)), traceId]));
  const found = await findTraceRanges(context, [...wanted.values()]);
  return new Map(found.map(({ key, rowId }) => [expectPresent(wanted.get(key), 'only these traces are found'), rowId]));
}

const keyOf = ({ high, low }: { readonly high: bigint; readonly low: bigint }): string => `${high} ${low}`;

export async function findSpanRowId(context: ReadContext, ref: RowRef): Promise<number | undefined> {
  if ('rowId' in ref) return findRow(context, 'spans', ref.rowId);
  const needs = { values: [valuesOfSpanIds([ref.id])] };
  let rest: RowRange = { first: 1, last: context.newest.span };
  // Block filters leave few blocks. The newest of several spans with the ID is wanted, so the search begins there.
  while (rest.first <= rest.last) {
    const window = context.blocks.next(rest, 'last', ID_SEARCH_ROW_COUNT_MAX, needs, 'texts');
    if (!window) return undefined;
    const parameters = new Parameters();
    const [[rowId] = []] = await context.rows(
      `SELECT max(row_id) FROM store.spans WHERE row_id BETWEEN ${parameters.bigint(window.first)}
         AND ${parameters.bigint(window.last)} AND span_id = ${parameters.ubigint(spanIdNumber(ref.id))}`,
      parameters,
    );
    if (typeof rowId === 'bigint') return Number(rowId);
    rest = { first: rest.first, last: window.first - 1 };
  }
  return undefined;
}

/** Rows that one statement of a search by ID reads at most. Only blocks without a filter come together. */
const ID_SEARCH_ROW_COUNT_MAX = 1_048_576;

async function findRow(context: ReadContext, table: 'spans' | 'traces', rowId: number): Promise<number | undefined> {
  const parameters = new Parameters();
  const rows = await context.rows(
    `SELECT row_id FROM store.${table} WHERE row_id = ${parameters.bigint(rowId)}`,
    parameters,
  );
  return rows.length > 0 ? rowId : undefined;
}

export async function findStoredSpanIds(context: ReadContext, spanIds: readonly string[]): Promise<StoredSpanId[]> {
  if (spanIds.length === 0) return [];
  const parameters = new Parameters();
  const rows = await selectTuples(
    context,
    ['span_id', 'span_id_text', 'trace_row_id', 'row_id'],
    `WHERE ${parameters.ubigintIn('span_id', [...new Set(spanIds.map(spanIdNumber))])} ORDER BY row_id`,
    parameters,
  );
  const traceIds = await readTraceIds(context, [...new Set(rows.map(([, , traceRowId]) => Number(traceRowId)))]);
  return rows.flatMap(([id, text, traceRowId, rowId]) => {
    const traceId = traceIds.get(Number(traceRowId));
    return traceId === undefined ? [] : { spanId: toSpanId(id, text), traceId, rowId: Number(rowId) };
  });
}

/** Rows of the stored ones of these traces. */
export async function readTracesByRowId(context: ReadContext, rowIds: readonly number[]): Promise<TraceRow[]> {
  if (rowIds.length === 0) return [];
  const parameters = new Parameters();
  return readTraceRows(context, rowIdIn(parameters, 'row_id', rowIds), parameters);
}

/** Rows of the stored ones of these sessions, each once. */
export async function findSessionRows(context: ReadContext, refs: readonly RowRef[]): Promise<SessionRow[]> {
  const rowIds = refs.flatMap((ref) => ('rowId' in ref ? ref.rowId : []));
  const ids = new Set(refs.flatMap((ref) => ('id' in ref ? ref.id : [])));
  const parameters = new Parameters();
  const byRowId = parameters.bigintIn('row_id', rowIds);
  const byHash = parameters.ubigintIn('session_hash', [...new Set([...ids].map(textHash))]);
  const rows = await readSessionRows(context, `(${byRowId} OR ${byHash})`, parameters);
  return rows.filter(({ rowId, sessionId }) => ids.has(sessionId) || rowIds.includes(rowId));
}
