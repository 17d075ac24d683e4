import { type AnnotationTarget, targetKey } from '../../../model/annotations/annotation.ts';
import type { AnnotationRow } from '../../duckdb/annotation-rows.ts';
import type { TargetRow } from '../../read/annotations/find-targets.ts';
import type { ArrivedTargets } from './arrived-targets.ts';
import { targetLevel } from './pending-annotations.ts';

/** Possible targets of annotations: stored ones, with spans as of before the batch, and targets of the batch. */
export interface Targets {
  readonly stored: ReadonlyMap<AnnotationTarget, ReadonlyMap<string, TargetRow>>;
  readonly arrived: ArrivedTargets;
  /** Document counts of the spans of the batch, by row id. */
  readonly documentCounts: ReadonlyMap<number, number>;
}

/** An annotation that is attached to its target. */
export interface Attached {
  readonly row: AnnotationRow;
  /** Row id of the newest span at the time of attachment. */
  readonly spanRowId: number;
  /** Whether it waited for this span. It is then older than annotations that were sent after the span. */
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
export function attach(row: AnnotationRow, spanRowId: number, targets: Targets): Attached | undefined {
  const stored = targets.stored.get(row.target)?.get(targetKey(row));
  if (targetLevel(row) !== 'span') return stored && onTarget(row, stored, spanRowId, false);
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

function onTarget(row: AnnotationRow, target: TargetRow, spanRowId: number, hasWaited: boolean): Attached {
  const { documentPosition: at } = row;
  return {
    row: { ...row, targetRowId: target.rowId, traceRowId: target.traceRowId, projectId: target.projectId },
    spanRowId,
    hasWaited,
    isOutOfBounds: row.target === 'document' && (at === null || at < 0 || at >= (target.documentCount ?? 0)),
  };
}

/** Orders annotations by attachment, then by arrival. */
export const inOrder = (a: Attached, b: Attached): number =>
  a.spanRowId - b.spanRowId || Number(b.hasWaited) - Number(a.hasWaited);
