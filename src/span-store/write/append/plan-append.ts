// biome-ignore-all lint/style/noNonNullAssertion: groups number the traces of the batch.
import type { SpanCost } from '../../../model/models/span-cost.ts';
import type { SpanColumns } from '../../../columns/span-columns.ts';
import type { RowSelection } from '../../cache/row-selection.ts';
import type { NextRowIds } from '../../duckdb/position.ts';
import type { SessionRow } from '../../duckdb/session-rows.ts';
import type { TraceRow } from '../../duckdb/trace-rows.ts';
import { addToRollups, findEarlierRoots } from './add-to-rollups.ts';
import { keepNewSpans } from './keep-new-spans.ts';
import { findNamings, makeSessionRows } from './plan-session-rows.ts';
import type { PlanSources } from './plan-sources.ts';
import { findStoredTraces, makeTraceRows } from './plan-trace-rows.ts';
import { priceSpans } from './price-spans.ts';
import { groupByTrace } from './trace-groups.ts';

/** Rows that a commit writes. Planning changes nothing that outlives a failed commit. */
export interface AppendPlan {
  readonly kept: RowSelection;
  /** Dropped rows whose content differs from the stored span with their ID. */
  readonly differingCount: number;
  /** The trace of a selected row. */
  readonly traceOfRow: (row: number) => TraceRow;
  /** Costs in the order of the selected rows. Undefined for a span without a cost. */
  readonly costs: readonly (SpanCost | undefined)[];
  readonly newTraces: readonly TraceRow[];
  readonly changedTraces: readonly TraceRow[];
  /** Previous rows of the stored traces of the batch, by row id. */
  readonly storedTraces: ReadonlyMap<number, TraceRow>;
  readonly newSessions: readonly SessionRow[];
  readonly changedSessions: readonly SessionRow[];
  readonly nextRowIds: NextRowIds;
}

/**
 * Plans the stored rows of a batch and the changes of their traces and sessions. The result depends only on the spans and
 * their order, not on the limits of batches, so that a replay allocates the same row ids.
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

/** Divides rows into new ones, whose row ids the plan allocates, and stored ones. */
function splitAt<Row extends { readonly rowId: number }>(nextRowId: number, rows: readonly Row[]): [Row[], Row[]] {
  return [rows.filter(({ rowId }) => rowId >= nextRowId), rows.filter(({ rowId }) => rowId < nextRowId)];
}
