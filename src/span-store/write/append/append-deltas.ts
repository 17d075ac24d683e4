// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each row, and a changed trace is stored.
import type { SpanCost } from '../../../model/models/span-cost.ts';
import type { SpanColumns } from '../../../columns/span-columns.ts';
import { type AggregateChange, toLatency } from '../../cache/aggregate-bin.ts';
import type { NotifyChanges } from '../../cache/range-aggregates.ts';
import { selectedRow } from '../../cache/row-selection.ts';
import { clampTokens } from '../../duckdb/chunk-writer.ts';
import type { TraceRow } from '../../duckdb/trace-rows.ts';
import type { AppendPlan } from './plan-append.ts';

/** Changes of the aggregates of projects by a committed append. */
export const appendDeltas =
  (batch: SpanColumns, plan: AppendPlan): NotifyChanges =>
  (changesetOf) => {
    for (const trace of plan.newTraces) changesetOf('traces', trace.projectId)?.push(toChange(trace, 1));
    for (const trace of plan.changedTraces) {
      const changes = changesetOf('traces', trace.projectId);
      const stored = plan.storedTraces.get(trace.rowId)!;
      if (!changes) continue;
      // A value outside of the safe integers may have been rounded when it was read.
      if (!valuesOf(stored).every(Number.isSafeInteger)) return false;
      changes.push(toChange(stored, -1), toChange(trace, 1));
    }
    addSpanDeltas(batch, plan, changesetOf);
    return true;
  };

function addSpanDeltas(
  batch: SpanColumns,
  { kept, traceOfRow, costs }: AppendPlan,
  changesetOf: Parameters<NotifyChanges>[0],
): void {
  let last:
    | { projectId: number; sums: AggregateChange[] | undefined; latencies: AggregateChange[] | undefined }
    | undefined;
  for (let at = 0; at < kept.count; at++) {
    const row = selectedRow(kept, at);
    const { projectId } = traceOfRow(row);
    if (projectId !== last?.projectId) {
      last = { projectId, sums: changesetOf('spans', projectId), latencies: changesetOf('spanLatencies', projectId) };
    }
    const start = batch.startTimeUnixNano[row]!;
    last.sums?.push({ start, weight: 1, values: valuesOfSpan(batch, row, costs[at]), latency: 0 });
    const latency = last.latencies && toLatency(start, batch.endTimeUnixNano[row]!);
    if (latency !== undefined) last.latencies?.push({ start, weight: 1, values: NO_VALUES, latency });
  }
}

const NO_VALUES: readonly number[] = [];

/** Values in the order of `AGGREGATED.spans.columns`. */
const valuesOfSpan = (batch: SpanColumns, row: number, cost: SpanCost | undefined): number[] => [
  batch.hasTokens[row] === 1 ? Number(clampTokens(batch.tokensPrompt[row]!)) : 0,
  batch.hasTokens[row] === 1 ? Number(clampTokens(batch.tokensCompletion[row]!)) : 0,
  cost?.promptPico ?? 0,
  cost?.completionPico ?? 0,
];

const toChange = (trace: TraceRow, weight: AggregateChange['weight']): AggregateChange => ({
  start: trace.start,
  weight,
  values: valuesOf(trace),
  latency: toLatency(trace.start, trace.end),
});

/** Values in the order of `AGGREGATED.traces.columns`. */
const valuesOf = (trace: TraceRow): number[] => [
  trace.tokensPrompt,
  trace.tokensCompletion,
  trace.costTokensPrompt,
  trace.costTokensCompletion,
  trace.costPromptPico,
  trace.costCompletionPico,
  trace.spanCount,
];
