import type { DuckDBConnection } from '@duckdb/node-api';
import { readNullableText, readText } from '../columns/read-text.ts';
import type { SpanColumns } from '../columns/span-columns.ts';
import type { PriceTable } from '../model/price-table.ts';
import type { SpanCost } from '../model/span-cost.ts';
import { clampTokens, type KeptRows } from './append-spans.ts';
import { headEnd } from './chunk-writer.ts';
import { addCost, addCosts, NO_COSTS } from './cost-sums.ts';
import { textHash } from './id-hash.ts';
import { IdTable } from './id-table.ts';
import type { KnownSessions } from './known-sessions.ts';
import { type KnownTraces, traceKey, wordsOf } from './known-traces.ts';
import { priceSpans } from './price-spans.ts';
import type { RootText, SessionRow, TraceRow } from './rollups.ts';
import { Parameters, queryRows } from './sql.ts';

/** Row ids that the next rows get. */
export interface NextRowIds {
  readonly span: number;
  readonly trace: number;
  readonly session: number;
  readonly annotation: number;
}

/** What a commit is to write: computed without changing anything that outlives a failed commit. */
export interface AppendPlan {
  readonly kept: KeptRows;
  /** Rows that are left out, though the stored span is another one with their id. */
  readonly differingCount: number;
  /** Of a kept row. */
  readonly traceOfRow: (row: number) => TraceRow;
  /** By place among the kept rows; undefined for a span without a cost row. */
  readonly costs: readonly (SpanCost | undefined)[];
  readonly newTraces: readonly TraceRow[];
  readonly changedTraces: readonly TraceRow[];
  readonly newSessions: readonly SessionRow[];
  readonly changedSessions: readonly SessionRow[];
  readonly nextRowIds: NextRowIds;
}

export interface PlanSources {
  readonly connection: DuckDBConnection;
  readonly traces: KnownTraces;
  readonly sessions: KnownSessions;
  readonly nextRowIds: NextRowIds;
  readonly prices: PriceTable;
  /** Row ids of projects by name; a project that does not exist is created. */
  projectIds(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/**
 * Decides which rows of a batch are stored and what becomes of their traces and sessions. The result depends on the
 * spans and their order alone, never on where batches were cut, so that a replay gives every row the row id it had.
 */
export async function planAppend(batch: SpanColumns, sources: PlanSources): Promise<AppendPlan> {
  const { connection } = sources;
  const groups = groupByTrace(batch);
  const stored = await findStoredTraces(batch, groups, sources);
  const { kept, differingCount } = await keepNewSpans(batch, groups, stored, sources);
  const traces = await makeTraceRows(batch, groups, stored, kept, sources);
  const namings = findNamings(batch, groups, traces, kept);
  const sessions = await makeSessionRows(namings, traces, sources);
  const earlier = await findEarlierRoots(connection, namings, traces, stored);
  const costs = priceSpans(batch, kept, sources.prices);
  addToRollups(batch, groups, kept, traces, sessions, earlier, sources.nextRowIds.span, costs);
  const touched = traces.filter((trace) => trace !== undefined);
  return {
    kept,
    differingCount,
    costs,
    traceOfRow: (row) => traces[groups.traceOfRow[row]!]!,
    newTraces: touched.filter(({ rowId }) => rowId >= sources.nextRowIds.trace).sort((a, b) => a.rowId - b.rowId),
    changedTraces: touched.filter(({ rowId }) => rowId < sources.nextRowIds.trace),
    newSessions: [...sessions.values()].filter(({ rowId }) => rowId >= sources.nextRowIds.session),
    changedSessions: [...sessions.values()].filter(({ rowId }) => rowId < sources.nextRowIds.session),
    nextRowIds: {
      ...sources.nextRowIds,
      span: sources.nextRowIds.span + kept.count,
      trace: sources.nextRowIds.trace + touched.filter(({ rowId }) => rowId >= sources.nextRowIds.trace).length,
      session:
        sources.nextRowIds.session +
        [...sessions.values()].filter(({ rowId }) => rowId >= sources.nextRowIds.session).length,
    },
  };
}

/** The traces of a batch, numbered by first appearance. */
interface TraceGroups {
  readonly count: number;
  readonly traceOfRow: Int32Array;
  readonly firstRow: number[];
  /** 1 where the batch has the same span in an earlier row. */
  readonly isRepeated: Uint8Array;
  readonly repeatedCount: number;
  /** The row that a row repeats, or itself. */
  readonly firstRowOfSpan: (row: number) => number;
}

function groupByTrace(batch: SpanColumns): TraceGroups {
  const high = wordsOf(batch.traceIdHigh);
  const low = wordsOf(batch.traceIdLow);
  const span = wordsOf(batch.spanId);
  const traceIds = new IdTable(batch.rowCount);
  const spanIds = new IdTable(batch.rowCount);
  const traceOfRow = new Int32Array(batch.rowCount);
  const isRepeated = new Uint8Array(batch.rowCount);
  const firstRow: number[] = [];
  /** By number of the span. */
  const firstRowOfSpan = new Int32Array(batch.rowCount);
  const repeatedSpans = new Map<number, number>();
  for (let row = 0; row < batch.rowCount; row++) {
    const at = 2 * row;
    const trace = traceIds.add(high[at]!, high[at + 1]!, low[at]!, low[at + 1]!);
    if (trace === firstRow.length) firstRow.push(row);
    traceOfRow[row] = trace;
    const before = spanIds.count;
    const number = spanIds.add(trace, span[at]!, span[at + 1]!, 0);
    if (number === before) firstRowOfSpan[number] = row;
    else {
      isRepeated[row] = 1;
      repeatedSpans.set(row, number);
    }
  }
  const repeatedCount = batch.rowCount - spanIds.count;
  return {
    count: firstRow.length,
    traceOfRow,
    firstRow,
    isRepeated,
    repeatedCount,
    firstRowOfSpan: (row) => (isRepeated[row] === 1 ? firstRowOfSpan[repeatedSpans.get(row)!]! : row),
  };
}

/** Rows of the batch's traces as they are stored; undefined for new ones. */
async function findStoredTraces(
  batch: SpanColumns,
  groups: TraceGroups,
  { connection, traces }: PlanSources,
): Promise<(TraceRow | undefined)[]> {
  const high = wordsOf(batch.traceIdHigh);
  const low = wordsOf(batch.traceIdLow);
  const stored: (TraceRow | undefined)[] = new Array(groups.count);
  const unknown: { trace: number; high: bigint; low: bigint }[] = [];
  for (let trace = 0; trace < groups.count; trace++) {
    const row = groups.firstRow[trace]!;
    if (!traces.mayHaveId(high, low, row)) continue;
    const id = { high: batch.traceIdHigh[row]!, low: batch.traceIdLow[row]! };
    stored[trace] = traces.recent(id.high, id.low);
    if (!stored[trace]) unknown.push({ trace, ...id });
  }
  const found = await traces.find(connection, unknown);
  for (const id of unknown) stored[id.trace] = found.get(traceKey(id.high, id.low));
  return stored;
}

/** Leaves out spans that are stored already and repetitions inside the batch. */
async function keepNewSpans(
  batch: SpanColumns,
  groups: TraceGroups,
  stored: readonly (TraceRow | undefined)[],
  { connection, traces }: PlanSources,
): Promise<{ readonly kept: KeptRows; readonly differingCount: number }> {
  const span = wordsOf(batch.spanId);
  const doubtful: number[] = [];
  for (let row = 0; row < batch.rowCount; row++) {
    const trace = stored[groups.traceOfRow[row]!];
    if (trace && groups.isRepeated[row] === 0 && traces.mayHaveSpan(trace, span, row)) doubtful.push(row);
  }
  const storedSpans = await findStoredSpans(connection, batch, groups, stored, doubtful);
  if (storedSpans.size === 0 && groups.repeatedCount === 0) {
    return { kept: { rows: null, count: batch.rowCount }, differingCount: 0 };
  }
  const isDropped = Uint8Array.from(groups.isRepeated);
  const storedAs = (row: number): string | undefined => {
    const trace = stored[groups.traceOfRow[row]!];
    return trace && storedSpans.get(spanKey(trace.rowId, batch.spanId[row]!));
  };
  for (const row of doubtful) if (storedAs(row) !== undefined) isDropped[row] = 1;
  let differingCount = 0;
  for (let row = 0; row < batch.rowCount; row++) {
    if (isDropped[row] === 0) continue;
    const kept = storedAs(row) ?? contentOf(batch, groups.firstRowOfSpan(row));
    if (contentOf(batch, row) !== kept) differingCount++;
  }
  const rows = Int32Array.from({ length: batch.rowCount }, (_, row) => row).filter((row) => isDropped[row] === 0);
  return { kept: { rows, count: rows.length }, differingCount };
}

/** What of a repeated span is compared with the stored one: enough to tell a resent span from another with its id. */
const contentOf = (batch: SpanColumns, row: number): string =>
  toContent(
    batch.startTimeUnixNano[row]!,
    batch.endTimeUnixNano[row]!,
    batch.spanKind[row]!,
    batch.statusCode[row]!,
    readText(batch.name, row),
  );

const toContent = (start: bigint, end: bigint, kind: number, status: number, name: string): string =>
  `${start} ${end} ${kind} ${status} ${name}`;

const spanKey = (traceRowId: number, spanId: bigint): bigint => (BigInt(traceRowId) << 64n) | spanId;

/** Contents of those spans of these rows that are stored, by key. Only the range of row ids that their traces have is read. */
async function findStoredSpans(
  connection: DuckDBConnection,
  batch: SpanColumns,
  groups: TraceGroups,
  stored: readonly (TraceRow | undefined)[],
  rows: readonly number[],
): Promise<Map<bigint, string>> {
  if (rows.length === 0) return new Map();
  const traces = new Set(rows.map((row) => stored[groups.traceOfRow[row]!]!));
  const parameters = new Parameters();
  const first = Math.min(...[...traces].map(({ firstSpanRowId }) => firstSpanRowId));
  const last = Math.max(...[...traces].map(({ lastSpanRowId }) => lastSpanRowId));
  const found = await queryRows(
    connection,
    `SELECT trace_row_id, span_id, start_ns, end_ns, span_kind, status_code, name FROM store.spans
     WHERE row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}
       AND ${parameters.bigintIn(
         'trace_row_id',
         Array.from(traces, ({ rowId }) => rowId),
       )}
       AND ${parameters.ubigintIn('span_id', [...new Set(rows.map((row) => batch.spanId[row]!))])}`,
    parameters,
  );
  return new Map(
    found.map(([traceRowId, spanId, start, end, kind, status, name]) => [
      spanKey(Number(traceRowId), spanId as bigint),
      toContent(start as bigint, end as bigint, kind as number, status as number, name as string),
    ]),
  );
}

const keptRow = ({ rows }: KeptRows, at: number): number => (rows ? rows[at]! : at);

/** A row for each trace with kept spans, a copy where it is stored; sums and times of the batch are not in it yet. */
async function makeTraceRows(
  batch: SpanColumns,
  groups: TraceGroups,
  stored: readonly (TraceRow | undefined)[],
  kept: KeptRows,
  { nextRowIds, projectIds }: PlanSources,
): Promise<(TraceRow | undefined)[]> {
  const traces: (TraceRow | undefined)[] = new Array(groups.count);
  const newRows: number[] = [];
  for (let at = 0; at < kept.count; at++) {
    const row = keptRow(kept, at);
    const trace = groups.traceOfRow[row]!;
    if (traces[trace]) continue;
    const known = stored[trace];
    if (!known) newRows.push(row);
    traces[trace] = known
      ? { ...known }
      : {
          rowId: nextRowIds.trace + newRows.length - 1,
          projectId: 0,
          high: batch.traceIdHigh[row]!,
          low: batch.traceIdLow[row]!,
          text: batch.textIds.get(row)?.traceId ?? null,
          sessionRowId: null,
          start: batch.startTimeUnixNano[row]!,
          end: batch.endTimeUnixNano[row]!,
          spanCount: 0,
          errorCount: 0,
          tokensPrompt: 0,
          tokensCompletion: 0,
          ...NO_COSTS,
          firstSpanRowId: nextRowIds.span + at,
          lastSpanRowId: nextRowIds.span + at,
        };
  }
  if (newRows.length === 0) return traces;
  // In order of appearance, since a new project gets its row id here. A stored trace stays where it is, so that its
  // spans' project name is not even looked up.
  const names = [...new Set(newRows.map((row) => batch.projectNames[batch.projectIndex[row]!]!))];
  const ids = await projectIds(names);
  for (const row of newRows) {
    const trace = groups.traceOfRow[row]!;
    const projectId = ids.get(batch.projectNames[batch.projectIndex[row]!]!);
    if (projectId === undefined) throw new Error(`no row id came back for the project of row ${row}`);
    traces[trace]!.projectId = projectId;
  }
  return traces;
}

/** Traces without a session whose spans name one: the first kept span that does decides. */
function findNamings(
  batch: SpanColumns,
  groups: TraceGroups,
  traces: readonly (TraceRow | undefined)[],
  kept: KeptRows,
): Map<number, string> {
  const sessionIds = new Map<number, string>();
  const { present } = batch.sessionId;
  for (let at = 0; at < kept.count; at++) {
    const row = keptRow(kept, at);
    if (present[row] === 0) continue;
    const trace = groups.traceOfRow[row]!;
    if (traces[trace]!.sessionRowId !== null || sessionIds.has(trace)) continue;
    const sessionId = readNullableText(batch.sessionId, row)!.trim();
    if (sessionId !== '') sessionIds.set(trace, sessionId);
  }
  return sessionIds;
}

/** Rows of all sessions that the batch touches, copies where they are stored; attaches the traces that name one. */
async function makeSessionRows(
  namings: ReadonlyMap<number, string>,
  traces: readonly (TraceRow | undefined)[],
  { connection, sessions, nextRowIds }: PlanSources,
): Promise<Map<number, SessionRow>> {
  const attached = new Set<number>();
  for (const trace of traces) if (trace && trace.sessionRowId !== null) attached.add(trace.sessionRowId);
  const byRowId = new Map<number, SessionRow>();
  for (const [rowId, session] of await sessions.findByRowIds(connection, [...attached]))
    byRowId.set(rowId, { ...session });

  const byId = await sessions.findByIds(connection, [...new Set(namings.values())]);
  let nextRowId = nextRowIds.session;
  for (const [number, sessionId] of namings) {
    const trace = traces[number]!;
    let session = byId.get(sessionId);
    if (!session) {
      session = newSession(nextRowId++, trace, sessionId);
      byId.set(sessionId, session);
      byRowId.set(session.rowId, session);
    }
    if (!byRowId.has(session.rowId)) byRowId.set(session.rowId, { ...session });
    const row = byRowId.get(session.rowId)!;
    trace.sessionRowId = row.rowId;
    // What the trace has from earlier batches; what this one adds to both comes in `addToRollups`.
    row.traceCount++;
    row.errorCount += trace.errorCount;
    row.tokensPrompt += trace.tokensPrompt;
    row.tokensCompletion += trace.tokensCompletion;
    addCosts(row, trace);
  }
  return byRowId;
}

const newSession = (rowId: number, trace: TraceRow, sessionId: string): SessionRow => ({
  rowId,
  projectId: trace.projectId,
  hash: textHash(sessionId),
  sessionId,
  start: trace.start,
  end: trace.end,
  traceCount: 0,
  errorCount: 0,
  tokensPrompt: 0,
  tokensCompletion: 0,
  ...NO_COSTS,
  firstInput: null,
  lastOutput: null,
});

interface StoredRoot {
  readonly traceRowId: number;
  readonly start: bigint;
  readonly rowId: number;
  readonly input: string | null;
  readonly output: string | null;
}

/** Stored root spans of traces that get their session only now. */
async function findEarlierRoots(
  connection: DuckDBConnection,
  namings: ReadonlyMap<number, string>,
  traces: readonly (TraceRow | undefined)[],
  stored: readonly (TraceRow | undefined)[],
): Promise<StoredRoot[]> {
  const late = [...namings.keys()].filter((trace) => stored[trace] !== undefined).map((trace) => traces[trace]!);
  if (late.length === 0) return [];
  const parameters = new Parameters();
  const first = Math.min(...late.map(({ firstSpanRowId }) => firstSpanRowId));
  const last = Math.max(...late.map(({ lastSpanRowId }) => lastSpanRowId));
  const rows = await queryRows(
    connection,
    `SELECT trace_row_id, start_ns, row_id, input_head, output_head FROM store.spans
     WHERE row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)} AND parent_span_id IS NULL
       AND ${parameters.bigintIn(
         'trace_row_id',
         late.map(({ rowId }) => rowId),
       )}`,
    parameters,
  );
  return rows.map(([traceRowId, start, rowId, input, output]) => ({
    traceRowId: Number(traceRowId),
    start: start as bigint,
    rowId: Number(rowId),
    input: input as string | null,
    output: output as string | null,
  }));
}

/** Adds the kept spans to their traces' and sessions' rows. */
function addToRollups(
  batch: SpanColumns,
  groups: TraceGroups,
  kept: KeptRows,
  traces: readonly (TraceRow | undefined)[],
  sessions: ReadonlyMap<number, SessionRow>,
  earlierRoots: readonly StoredRoot[],
  firstRowId: number,
  costs: readonly (SpanCost | undefined)[],
): void {
  for (let at = 0; at < kept.count; at++) {
    const row = keptRow(kept, at);
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
    if (input !== null && isFirst(session.firstInput, start, rowId)) session.firstInput = { start, rowId, text: input };
    if (output !== null && isLast(session.lastOutput, start, rowId))
      session.lastOutput = { start, rowId, text: output };
  }
}

function addRootOfBatch(session: SessionRow, batch: SpanColumns, row: number, start: bigint, rowId: number): void {
  if (batch.inputValue.present[row] === 1 && isFirst(session.firstInput, start, rowId)) {
    session.firstInput = { start, rowId, text: readHead(batch.inputValue, row) };
  }
  if (batch.outputValue.present[row] === 1 && isLast(session.lastOutput, start, rowId)) {
    session.lastOutput = { start, rowId, text: readHead(batch.outputValue, row) };
  }
}

const isFirst = (known: RootText | null, start: bigint, rowId: number): boolean =>
  known === null || start < known.start || (start === known.start && rowId < known.rowId);

const isLast = (known: RootText | null, start: bigint, rowId: number): boolean =>
  known === null || start > known.start || (start === known.start && rowId > known.rowId);

function readHead({ utf8, offset }: { utf8: Uint8Array; offset: Uint32Array }, row: number): string {
  const start = offset[row]!;
  return Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString(
    'utf8',
    start,
    headEnd(utf8, start, offset[row + 1]!),
  );
}
