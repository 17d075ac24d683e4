import type { Trace } from '../../../model/traces/trace.ts';
import type { ErrorTypeCount } from '../../contract/traces.ts';
import { bigint64, int64, text, textOrNull } from '../../duckdb/define-table.ts';
import { sourceBit } from '../../duckdb/long-texts.ts';
import { boolean, columnsOf, decodeRows, type RowOfList, type SelectList, select } from '../../duckdb/select-list.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { TRACES } from '../../duckdb/trace-rows.ts';
import type { ReadContext } from '../read-context.ts';
import { readTracesByRowId } from '../rows/find-ids.ts';
import { readLongTexts } from '../rows/read-spans.ts';
import { inTraces, type TraceRowRange, toClusters } from '../rows/trace-clusters.ts';
import { toTrace } from './find-traces.ts';

/** Traces by row id; those that are not stored are absent. */
export async function findTracesByRowIds(context: ReadContext, rowIds: readonly number[]): Promise<Map<number, Trace>> {
  const rows = await readTracesByRowId(context, rowIds);
  return new Map(rows.map((row) => [row.rowId, toTrace(row)]));
}

export async function findRootSpanIds(
  context: ReadContext,
  traceRowIds: readonly number[],
): Promise<Map<number, number>> {
  const parameters = new Parameters();
  const rows = await readSpansOf(
    context,
    await readPlaced(context, 'row_id', parameters.bigintIn('row_id', traceRowIds), parameters),
    { traceRowId: int64('trace_row_id'), rowId: int64('row_id') },
    (condition) => `WHERE ${condition} AND parent_span_id IS NULL
      QUALIFY row_number() OVER (PARTITION BY trace_row_id ORDER BY start_ns, row_id DESC) = 1`,
  );
  return new Map(rows.map(({ traceRowId, rowId }) => [traceRowId, rowId]));
}

/** The user as text; one that was sent as another type is among the attributes, as JSON. */
const USER = `coalesce(user_id,
  CASE WHEN contains(attributes, '"user"') THEN TRY(json_extract(attributes, '$.user.id'))::VARCHAR END)`;

const USER_OF_SPAN = {
  traceRowId: int64('trace_row_id'),
  user: text(`${USER} AS user`),
  start: bigint64('start_ns'),
  rowId: int64('row_id'),
};

/** The first user that a span of the trace names, by start time, then row id; traces without one are absent. */
export function findUsersOfTraces(context: ReadContext, traceRowIds: readonly number[]): Promise<Map<number, string>> {
  return findUsers(context, 'traces.row_id', traceRowIds);
}

export function findUsersOfSessions(
  context: ReadContext,
  sessionRowIds: readonly number[],
): Promise<Map<number, string>> {
  return findUsers(context, 'traces.session_row_id', sessionRowIds);
}

async function findUsers(
  context: ReadContext,
  owner: 'traces.row_id' | 'traces.session_row_id',
  ownerRowIds: readonly number[],
): Promise<Map<number, string>> {
  const parameters = new Parameters();
  const traces = await readPlaced(context, owner, parameters.bigintIn(owner, ownerRowIds), parameters);
  const ownerOf = new Map(traces.map(({ rowId, ownerRowId }) => [rowId, ownerRowId]));
  const rows = await readSpansOf(
    context,
    traces,
    USER_OF_SPAN,
    (condition) => `WHERE ${condition} AND user IS NOT NULL
      QUALIFY row_number() OVER (PARTITION BY trace_row_id ORDER BY start_ns, row_id) = 1`,
  );
  // The traces of a session may be in several groups.
  rows.sort((a, b) => compare(a.start, b.start) || a.rowId - b.rowId);
  const users = new Map<number, string>();
  for (const { traceRowId, user } of rows) {
    const ownerRowId = ownerOf.get(traceRowId);
    if (ownerRowId !== undefined && !users.has(ownerRowId)) users.set(ownerRowId, user);
  }
  return users;
}

const EVENTS = {
  traceRowId: int64('trace_row_id'),
  short: textOrNull('events'),
  rowId: int64('row_id'),
  isLong: boolean(`long_texts & ${sourceBit('events')} <> 0`),
};

/** Exceptions of failed spans by trace; traces without failed spans are absent. */
export async function findErrorTypesOfTraces(
  context: ReadContext,
  traceRowIds: readonly number[],
): Promise<Map<number, ErrorTypeCount[]>> {
  const parameters = new Parameters();
  const failed = `${parameters.bigintIn('row_id', traceRowIds)} AND error_count > 0`;
  const rows = await readSpansOf(
    context,
    await readPlaced(context, 'row_id', failed, parameters),
    EVENTS,
    (condition) => `WHERE ${condition} AND status_code = 2`,
  );
  const longRowIds = rows.filter(({ isLong }) => isLong).map(({ rowId }) => rowId);
  const longTexts = await readLongTexts(context, longRowIds);
  const counts = new Map<number, Map<string | null, number>>();
  for (const { traceRowId, short, rowId } of rows) {
    const events = short ?? longTexts.get(rowId)?.get('events') ?? null;
    let ofTrace = counts.get(traceRowId);
    if (!ofTrace) {
      ofTrace = new Map();
      counts.set(traceRowId, ofTrace);
    }
    for (const type of exceptionTypes(events)) ofTrace.set(type, (ofTrace.get(type) ?? 0) + 1);
  }
  return new Map(Array.from(counts, ([traceRowId, ofTrace]) => [traceRowId, byFrequency(ofTrace)]));
}

function exceptionTypes(events: string | null): (string | null)[] {
  const list = events === null ? [] : (JSON.parse(events) as { name: string; attributes?: Record<string, unknown> }[]);
  const types = list
    .filter(({ name }) => name === 'exception')
    .map(({ attributes }) => {
      const type = attributes?.['exception.type'];
      return typeof type === 'string' ? type : null;
    });
  return types.length === 0 ? [null] : types;
}

const byFrequency = (counts: ReadonlyMap<string | null, number>): ErrorTypeCount[] =>
  Array.from(counts, ([exceptionType, count]) => ({ exceptionType, count })).sort(
    (a, b) => b.count - a.count || compareTypes(a.exceptionType, b.exceptionType),
  );

const compareTypes = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : 1;

interface OwnedTrace extends TraceRowRange {
  readonly ownerRowId: number;
}

function readPlaced(
  context: ReadContext,
  owner: string,
  condition: string,
  parameters: Parameters,
): Promise<OwnedTrace[]> {
  const { rowId, firstSpanRowId, lastSpanRowId } = TRACES.fields;
  const list = { rowId, ownerRowId: int64(owner), firstSpanRowId, lastSpanRowId };
  return select(context, list, `FROM store.traces WHERE ${condition}`, parameters);
}

/** Rows of spans of these traces, in no order. `toTail` returns the SQL text after the name of the table. */
async function readSpansOf<List extends SelectList>(
  context: ReadContext,
  traces: readonly TraceRowRange[],
  list: List,
  toTail: (condition: string) => string,
): Promise<RowOfList<List>[]> {
  const rows = await context.rowsOfEach(toClusters(traces), (cluster) => {
    const parameters = new Parameters();
    const tail = toTail(inTraces(cluster, parameters));
    return { sql: `SELECT ${columnsOf(list)} FROM store.spans ${tail}`, parameters };
  });
  return decodeRows(list, rows);
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
