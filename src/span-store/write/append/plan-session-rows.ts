// biome-ignore-all lint/style/noNonNullAssertion: groups number the traces of the batch, and a row that is present has a text.
import { readNullableText } from '../../../columns/read-text.ts';
import type { SpanColumns } from '../../../columns/span-columns.ts';
import { textHash } from '../../cache/id-hash.ts';
import { type RowSelection, selectedRow } from '../../cache/row-selection.ts';
import { addCosts, NO_COSTS } from '../../duckdb/cost-sums.ts';
import type { SessionRow } from '../../duckdb/session-rows.ts';
import type { TraceRow } from '../../duckdb/trace-rows.ts';
import { findSessionsByIds, getSessionsByRowIds } from './find-known-rows.ts';
import type { PlanSources } from './plan-sources.ts';
import type { TraceGroups } from './trace-groups.ts';

/** Session IDs of traces without a session, from the first kept span that has one. */
export function findNamings(
  batch: SpanColumns,
  groups: TraceGroups,
  traces: readonly (TraceRow | undefined)[],
  kept: RowSelection,
): Map<number, string> {
  const sessionIds = new Map<number, string>();
  const { present } = batch.sessionId;
  for (let at = 0; at < kept.count; at++) {
    const row = selectedRow(kept, at);
    if (present[row] === 0) continue;
    const trace = groups.traceOfRow[row]!;
    if (traces[trace]!.sessionRowId !== null || sessionIds.has(trace)) continue;
    const sessionId = readNullableText(batch.sessionId, row)!.trim();
    if (sessionId !== '') sessionIds.set(trace, sessionId);
  }
  return sessionIds;
}

/** Rows of all sessions of the batch, as copies of stored rows. Assigns sessions to traces. */
export async function makeSessionRows(
  namings: ReadonlyMap<number, string>,
  traces: readonly (TraceRow | undefined)[],
  { connection, sessions, nextRowIds }: PlanSources,
): Promise<Map<number, SessionRow>> {
  const attached = new Set<number>();
  for (const trace of traces) if (trace && trace.sessionRowId !== null) attached.add(trace.sessionRowId);
  const byRowId = new Map<number, SessionRow>();
  for (const [rowId, session] of await getSessionsByRowIds(connection, sessions, [...attached]))
    byRowId.set(rowId, { ...session });

  const byId = await findSessionsByIds(connection, sessions, [...new Set(namings.values())]);
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
    // Adds the trace's aggregates of earlier batches. `addToRollups` adds those of this batch to both.
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
  firstInputStart: null,
  firstInputRowId: null,
  firstInput: null,
  lastOutputStart: null,
  lastOutputRowId: null,
  lastOutput: null,
});
