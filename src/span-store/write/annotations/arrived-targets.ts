// biome-ignore-all lint/style/noNonNullAssertion: batches have an entry in all columns for each row.
import type { TargetRef } from '../../../model/annotations/annotation.ts';
import { type TraceIdHalves, toSpanId, toTraceId, traceIdHalves } from '../../../model/traces/trace-ids.ts';
import type { SpanColumns } from '../../../columns/span-columns.ts';
import type { TargetRow } from '../../read/annotations/find-targets.ts';
import type { AppendPlan } from '../append/plan-append.ts';
import type { TargetLevel } from './pending-annotations.ts';

/** A span of a batch as a target of annotations. */
export interface ArrivedSpan extends Omit<TargetRow, 'documentCount'>, TraceIdHalves {}

/** Targets of a batch, by the application's IDs, for which annotations may wait. */
export class ArrivedTargets {
  readonly #batch: SpanColumns;
  readonly #plan: AppendPlan;
  /** Row id of the first stored span. */
  readonly #firstRowId: number;
  readonly #spans = new Map<string, ArrivedSpan[]>();

  constructor(batch: SpanColumns, plan: AppendPlan, firstRowId: number) {
    this.#batch = batch;
    this.#plan = plan;
    this.#firstRowId = firstRowId;
  }

  /** Row id of the newest span before the batch. */
  get storedRowId(): number {
    return this.#firstRowId - 1;
  }

  /** Row id of the newest span after `rowCount` rows of the batch. */
  rowIdAfter(rowCount: number): number {
    const { rows, count } = this.#plan.kept;
    if (!rows) return this.storedRowId + Math.min(rowCount, count);
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle]! < rowCount) low = middle + 1;
      else high = middle;
    }
    return this.storedRowId + low;
  }

  /** New traces and sessions. */
  *others(): Generator<readonly [TargetLevel, string]> {
    for (const { text, high, low } of this.#plan.newTraces) yield ['trace', text ?? toTraceId(high, low)];
    for (const { sessionId } of this.#plan.newSessions) yield ['session', sessionId];
  }

  /** Records the spans with wanted IDs, which `spansOf` returns, and returns the IDs. */
  recordSpans(isWanted: (id: string) => boolean): Iterable<string> {
    const { kept, traceOfRow } = this.#plan;
    for (let at = 0; at < kept.count; at++) {
      const row = kept.rows ? kept.rows[at]! : at;
      const id = this.#batch.textIds.get(row)?.spanId ?? toSpanId(this.#batch.spanId[row]!);
      if (!isWanted(id)) continue;
      const { rowId: traceRowId, projectId } = traceOfRow(row);
      const halves = { high: this.#batch.traceIdHigh[row]!, low: this.#batch.traceIdLow[row]! };
      const span = { rowId: this.#firstRowId + at, traceRowId, projectId, ...halves };
      const known = this.#spans.get(id);
      if (known) known.push(span);
      else this.#spans.set(id, [span]);
    }
    return this.#spans.keys();
  }

  /** Arrived spans with the target's ID, limited to one trace if the target names it. */
  spansOf({ targetId, traceId }: TargetRef): readonly ArrivedSpan[] {
    const spans = this.#spans.get(targetId) ?? [];
    if (traceId === undefined) return spans;
    const { high, low } = traceIdHalves(traceId);
    return spans.filter((span) => span.high === high && span.low === low);
  }
}
