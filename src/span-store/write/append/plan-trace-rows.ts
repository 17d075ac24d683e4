// biome-ignore-all lint/style/noNonNullAssertion: columns and groups have an entry for each row.
import type { SpanColumns } from '../../../columns/span-columns.ts';
import { traceKey, wordsOf } from '../../cache/known-traces.ts';
import { type RowSelection, selectedRow } from '../../cache/row-selection.ts';
import { NO_COSTS } from '../../duckdb/cost-sums.ts';
import type { TraceRow } from '../../duckdb/trace-rows.ts';
import { findTraces } from './find-known-rows.ts';
import type { PlanSources } from './plan-sources.ts';
import type { TraceGroups } from './trace-groups.ts';

/** Stored rows of the traces of a batch; undefined for new traces. */
export async function findStoredTraces(
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
  const found = await findTraces(connection, traces, unknown);
  for (const id of unknown) stored[id.trace] = found.get(traceKey(id.high, id.low));
  return stored;
}

/**
 * One row per trace with kept spans, as a copy of a stored row. Aggregates and times of the batch are not added yet.
 */
export async function makeTraceRows(
  batch: SpanColumns,
  groups: TraceGroups,
  stored: readonly (TraceRow | undefined)[],
  kept: RowSelection,
  { nextRowIds, projectIds }: PlanSources,
): Promise<(TraceRow | undefined)[]> {
  const traces: (TraceRow | undefined)[] = new Array(groups.count);
  const newRows: number[] = [];
  for (let at = 0; at < kept.count; at++) {
    const row = selectedRow(kept, at);
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
  // In the order of appearance, because a new project gets its row id here. A stored trace keeps its project, so the project
  // name of its spans is ignored.
  const names = [...new Set(newRows.map((row) => batch.projectNames[batch.projectIndex[row]!]!))];
  const ids = await projectIds(names);
  for (const row of newRows) {
    const trace = groups.traceOfRow[row]!;
    const projectId = ids.get(batch.projectNames[batch.projectIndex[row]!]!);
    if (projectId === undefined) throw new Error(`the project of row ${row} has no row id`);
    traces[trace]!.projectId = projectId;
  }
  return traces;
}
