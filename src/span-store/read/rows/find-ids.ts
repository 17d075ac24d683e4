import { type TraceId, toTraceId, traceIdHalves } from '../../../model/traces/trace-ids.ts';
import { traceIdCondition } from '../../filter/trace-id-condition.ts';
import { textHash } from '../../cache/id-hash.ts';
import type { RowRef } from '../../contract/query-terms.ts';
import { rowIdIn } from '../../duckdb/row-id-lists.ts';
import { select } from '../../duckdb/select-list.ts';
import { readSessionRows, type SessionRow } from '../../duckdb/session-rows.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { readTraceRows, TRACES, type TraceRow } from '../../duckdb/trace-rows.ts';
import type { ReadContext } from '../read-context.ts';

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
  const wanted = new Set(halves.map(traceKey));
  const condition = traceIdCondition(halves, context.traceBlocks, parameters);
  const rows = await select(context, RANGE, `FROM store.traces WHERE ${condition}`, parameters);
  return rows.flatMap(({ high, low, text, ...range }) => {
    const key = traceKey({ high, low });
    return wanted.has(key) ? { ...range, key, traceId: toTraceId(high, low, text) } : [];
  });
}

export const traceKey = ({ high, low }: { readonly high: bigint; readonly low: bigint }): string => `${high} ${low}`;

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
