import type { SpanColumns } from '../columns/span-columns.ts';
import { toSpanId, toTraceId } from '../model/trace-ids.ts';
import type { TargetPlace } from './pending-annotations.ts';
import type { AppendPlan } from './plan-append.ts';

/** Everything that a batch brings for which annotations may wait, by the ids that applications know. */
export function* arrivedTargets(
  batch: SpanColumns,
  { kept, newTraces, newSessions }: AppendPlan,
): Generator<readonly [TargetPlace, string]> {
  for (let at = 0; at < kept.count; at++) {
    const row = kept.rows ? kept.rows[at]! : at;
    yield ['span', batch.textIds.get(row)?.spanId ?? toSpanId(batch.spanId[row]!)];
  }
  for (const { text, high, low } of newTraces) yield ['trace', text ?? toTraceId(high, low)];
  for (const { sessionId } of newSessions) yield ['session', sessionId];
}
