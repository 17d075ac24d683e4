import type { SpanCost } from '../../../model/span-cost.ts';
import type { SpanColumns } from '../../../columns/span-columns.ts';
import type { KeptRows } from '../../cache/kept-rows.ts';
import type { NextRowIds } from '../../duckdb/open-database.ts';
import type { SessionRow } from '../../duckdb/session-rows.ts';
import type { TraceRow } from '../../duckdb/trace-rows.ts';
import { addToRollups, findEarlierRoots } from './add-to-rollups.ts';
import { keepNewSpans } from './keep-new-spans.ts';
import { findNamings, makeSessionRows } from './plan-session-rows.ts';
import type { PlanSources } from './plan-sources.ts';
import { findStoredTraces, makeTraceRows } from './plan-trace-rows.ts';
import { priceSpans } from './price-spans.ts';
import { groupByTrace } from './trace-groups.ts';

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
  /** Those of the batch that were stored, as they were, by row id. */
  readonly storedTraces: ReadonlyMap<number, TraceRow>;
  readonly newSessions: readonly SessionRow[];
  readonly changedSessions: readonly SessionRow[];
  readonly nextRowIds: NextRowIds;
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
  const [newTraces, changedTraces] = splitAt(
    sources.nextRowIds.trace,
    traces.filter((trace) => trace !== undefined),
  );
  const [newSessions, changedSessions] = splitAt(sources.nextRowIds.session, [...sessions.values()]);
  return {
    kept,
    differingCount,
    costs,
    traceOfRow: (row) => traces[groups.traceOfRow[row]!]!,
    newTraces: newTraces.sort((a, b) => a.rowId - b.rowId),
    changedTraces,
    storedTraces: new Map(stored.flatMap((trace) => (trace ? [[trace.rowId, trace]] : []))),
    newSessions,
    changedSessions,
    nextRowIds: {
      ...sources.nextRowIds,
      span: sources.nextRowIds.span + kept.count,
      trace: sources.nextRowIds.trace + newTraces.length,
      session: sources.nextRowIds.session + newSessions.length,
    },
  };
}

/** Rows whose row ids are given by this plan, and those that had theirs. */
function splitAt<Row extends { readonly rowId: number }>(nextRowId: number, rows: readonly Row[]): [Row[], Row[]] {
  return [rows.filter(({ rowId }) => rowId >= nextRowId), rows.filter(({ rowId }) => rowId < nextRowId)];
}
