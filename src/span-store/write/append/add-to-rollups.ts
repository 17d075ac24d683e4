// biome-ignore-all lint/style/noNonNullAssertion: columns and groups have an entry for each row, and the plan has the traces and sessions of all rows.
import type { SpanCost } from '../../../model/models/span-cost.ts';
import type { SpanColumns } from '../../../columns/span-columns.ts';
import { type RowSelection, selectedRow } from '../../cache/row-selection.ts';
import { clampTokens, previewEnd } from '../../duckdb/chunk-writer.ts';
import { addCost } from '../../duckdb/cost-sums.ts';
import { bigint64, int64, textOrNull } from '../../duckdb/define-table.ts';
import { select } from '../../duckdb/select-list.ts';
import type { SessionRow } from '../../duckdb/session-rows.ts';
import { type Connection, Parameters, statementsOf } from '../../duckdb/sql.ts';
import type { TraceRow } from '../../duckdb/trace-rows.ts';
import type { TraceGroups } from './trace-groups.ts';

/** The data of a stored root span that its session shows. */
export interface StoredRoot {
  readonly traceRowId: number;
  readonly start: bigint;
  readonly rowId: number;
  readonly input: string | null;
  readonly output: string | null;
}

const ROOT = {
  traceRowId: int64('trace_row_id'),
  start: bigint64('start_ns'),
  rowId: int64('row_id'),
  input: textOrNull('input_head'),
  output: textOrNull('output_head'),
};

/** Stored root spans of traces to which this batch assigns a session. */
export async function findEarlierRoots(
  connection: Connection,
  namings: ReadonlyMap<number, string>,
  traces: readonly (TraceRow | undefined)[],
  stored: readonly (TraceRow | undefined)[],
): Promise<StoredRoot[]> {
  const late = [...namings.keys()].filter((trace) => stored[trace] !== undefined).map((trace) => traces[trace]!);
  if (late.length === 0) return [];
  const parameters = new Parameters();
  const first = Math.min(...late.map(({ firstSpanRowId }) => firstSpanRowId));
  const last = Math.max(...late.map(({ lastSpanRowId }) => lastSpanRowId));
  return select(
    statementsOf(connection),
    ROOT,
    `FROM store.spans WHERE row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)} AND parent_span_id IS NULL
       AND ${parameters.bigintIn(
         'trace_row_id',
         late.map(({ rowId }) => rowId),
       )}`,
    parameters,
  );
}

/** Adds the kept spans to the rows of their traces and sessions. */
export function addToRollups(
  batch: SpanColumns,
  groups: TraceGroups,
  kept: RowSelection,
  traces: readonly (TraceRow | undefined)[],
  sessions: ReadonlyMap<number, SessionRow>,
  earlierRoots: readonly StoredRoot[],
  firstRowId: number,
  costs: readonly (SpanCost | undefined)[],
): void {
  for (let at = 0; at < kept.count; at++) {
    const row = selectedRow(kept, at);
    const trace = traces[groups.traceOfRow[row]!]!;
    const session = trace.sessionRowId === null ? undefined : sessions.get(trace.sessionRowId)!;
    const start = batch.startTimeUnixNano[row]!;
    const end = batch.endTimeUnixNano[row]!;
    if (start < trace.start) trace.start = start;
    if (end > trace.end) trace.end = end;
    trace.spanCount++;
    trace.lastSpanRowId = firstRowId + at;
    if (batch.statusCode[row] === 2) {
      trace.errorCount++;
      if (session) session.errorCount++;
    }
    if (batch.hasTokens[row] === 1) {
      const prompt = Number(clampTokens(batch.tokensPrompt[row]!));
      const completion = Number(clampTokens(batch.tokensCompletion[row]!));
      trace.tokensPrompt += prompt;
      trace.tokensCompletion += completion;
      if (session) {
        session.tokensPrompt += prompt;
        session.tokensCompletion += completion;
      }
    }
    const cost = costs[at];
    if (cost) {
      addCost(trace, cost);
      if (session) addCost(session, cost);
    }
    if (session && batch.hasParent[row] === 0) addRootOfBatch(session, batch, row, start, firstRowId + at);
  }
  for (const trace of traces) {
    if (!trace || trace.sessionRowId === null) continue;
    const session = sessions.get(trace.sessionRowId)!;
    if (trace.start < session.start) session.start = trace.start;
    if (trace.end > session.end) session.end = trace.end;
  }
  if (earlierRoots.length === 0) return;
  const traceByRowId = new Map(traces.filter((trace) => trace !== undefined).map((trace) => [trace.rowId, trace]));
  for (const { traceRowId, start, rowId, input, output } of earlierRoots) {
    const session = sessions.get(traceByRowId.get(traceRowId)!.sessionRowId!)!;
    if (input !== null && isFirst(session, start, rowId)) setFirstInput(session, start, rowId, input);
    if (output !== null && isLast(session, start, rowId)) setLastOutput(session, start, rowId, output);
  }
}

function addRootOfBatch(session: SessionRow, batch: SpanColumns, row: number, start: bigint, rowId: number): void {
  if (batch.inputValue.present[row] === 1 && isFirst(session, start, rowId)) {
    setFirstInput(session, start, rowId, readHead(batch.inputValue, row));
  }
  if (batch.outputValue.present[row] === 1 && isLast(session, start, rowId)) {
    setLastOutput(session, start, rowId, readHead(batch.outputValue, row));
  }
}

const isFirst = ({ firstInputStart: first, firstInputRowId }: SessionRow, start: bigint, rowId: number): boolean =>
  first === null || start < first || (start === first && rowId < (firstInputRowId ?? 0));

const isLast = ({ lastOutputStart: last, lastOutputRowId }: SessionRow, start: bigint, rowId: number): boolean =>
  last === null || start > last || (start === last && rowId > (lastOutputRowId ?? 0));

function setFirstInput(session: SessionRow, start: bigint, rowId: number, text: string): void {
  session.firstInputStart = start;
  session.firstInputRowId = rowId;
  session.firstInput = text;
}

function setLastOutput(session: SessionRow, start: bigint, rowId: number, text: string): void {
  session.lastOutputStart = start;
  session.lastOutputRowId = rowId;
  session.lastOutput = text;
}

function readHead({ utf8, offset }: { utf8: Uint8Array; offset: Uint32Array }, row: number): string {
  const start = offset[row]!;
  return Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString(
    'utf8',
    start,
    previewEnd(utf8, start, offset[row + 1]!),
  );
}
