import { type AnnotationTarget, targetKey } from '../../../model/annotation.ts';
import type { AnnotationRow } from '../../duckdb/annotation-rows.ts';
import type { TargetRow } from '../../read/annotations/find-targets.ts';
import type { ArrivedTargets } from './arrived-targets.ts';
import { placeOf } from './pending-annotations.ts';

/** What annotations may be of: what is stored, spans as of before the batch, and what the batch brings. */
export interface Targets {
  readonly stored: ReadonlyMap<AnnotationTarget, ReadonlyMap<string, TargetRow>>;
  readonly arrived: ArrivedTargets;
  /** Of spans of the batch, by row id. */
  readonly documentCounts: ReadonlyMap<number, number>;
}

/** An annotation on its target, and when it got there. */
export interface Placed {
  readonly row: AnnotationRow;
  /** The span with this row id was the newest then. */
  readonly spanRowId: number;
  /** It waited, and got there with this very span: before what was sent after the span. */
  readonly hasWaited: boolean;
  /** The span has no document at its position. */
  readonly isOutOfBounds: boolean;
}

/**
 * Finds the target of an annotation that was sent when `spanRowId` was the newest span. Several spans may have one id,
 * in several traces. Unless the annotation names the trace, the target is the newest span that was stored then, or else
 * the first one that arrives. The result does not depend on how the journal is split into batches. Undefined if no
 * target is stored yet.
 */
export function place(row: AnnotationRow, spanRowId: number, targets: Targets): Placed | undefined {
  const stored = targets.stored.get(row.target)?.get(targetKey(row));
  if (placeOf(row) !== 'span') return stored && onTarget(row, stored, spanRowId, false);
  const arrived = targets.arrived.spansOf(row);
  const known = arrived.findLast(({ rowId }) => rowId <= spanRowId);
  const withCount = (span: (typeof arrived)[number]): TargetRow => ({
    ...span,
    documentCount: targets.documentCounts.get(span.rowId) ?? 0,
  });
  if (known) return onTarget(row, withCount(known), spanRowId, false);
  if (stored) return onTarget(row, stored, spanRowId, false);
  const [next] = arrived;
  return next && onTarget(row, withCount(next), next.rowId, true);
}

function onTarget(row: AnnotationRow, target: TargetRow, spanRowId: number, hasWaited: boolean): Placed {
  const { documentPosition: at } = row;
  return {
    row: { ...row, targetRowId: target.rowId, traceRowId: target.traceRowId, projectId: target.projectId },
    spanRowId,
    hasWaited,
    isOutOfBounds: row.target === 'document' && (at === null || at < 0 || at >= (target.documentCount ?? 0)),
  };
}

/** The order in which annotations got to their targets; of equal ones, that in which they were sent. */
export const inOrder = (a: Placed, b: Placed): number =>
  a.spanRowId - b.spanRowId || Number(b.hasWaited) - Number(a.hasWaited);
