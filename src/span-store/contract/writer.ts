import type { SpanColumns } from '../../columns/span-columns.ts';
import type { AnnotationChange, AnnotationFilter, AnnotationRecord } from './annotations.ts';
import type { CostChange } from './cost-change.ts';

/** What is removed, with its annotations; row ids that are gone already are skipped, so a replayed deletion does nothing. */
export type Deletion =
  /** The trace goes with its last span; its session stays. */
  | { readonly what: 'spans'; readonly rowIds: readonly number[] }
  /** With their spans; sessions stay. */
  | { readonly what: 'traces'; readonly rowIds: readonly number[] }
  /** With their traces and spans. */
  | { readonly what: 'sessions'; readonly rowIds: readonly number[] }
  /**
   * Traces of the project that start in [startTime, endTime) and are not among its newest by start time when the deletion
   * is applied. Their sessions stay; `withSessions`: go too, with all of their traces.
   */
  | {
      readonly what: 'tracesOfProject';
      readonly projectId: number;
      readonly startTimeUnixNano?: bigint | undefined;
      readonly endTimeUnixNano?: bigint | undefined;
      readonly exceptNewestCount?: number | undefined;
      readonly withSessions: boolean;
    }
  /** Sessions of the project without traces that ended before. */
  | { readonly what: 'emptySessions'; readonly projectId: number; readonly endBeforeUnixNano: bigint }
  /** With everything in it, and the store forgets which row id its name stood for. */
  | { readonly what: 'project'; readonly projectId: number; readonly name: string }
  | { readonly what: 'annotations'; readonly rowIds: readonly number[] }
  /** Those that are stored when the deletion is applied. */
  | ({ readonly what: 'matchingAnnotations' } & AnnotationFilter)
  /** Replaces instead of removing; one whose new key another annotation of its target has stays as it is. */
  | { readonly what: 'changedAnnotations'; readonly changes: readonly AnnotationChange[] };

/** Traces that go to another project; those that are gone already are passed over. */
export interface Transfer {
  readonly traceRowIds: readonly number[];
  readonly projectId: number;
}

/** What one append did. */
export interface AppendResult {
  /** Spans stored. */
  readonly appendedCount: number;
  /** Spans that were stored already (same trace and span ID), in this batch or before; the first one wins. */
  readonly duplicateCount: number;
  /** Of these: spans whose name, kind, status or times are not those of the stored one. */
  readonly differingCount: number;
  /**
   * Annotations that were given up: of a document that a span does not have, or because their target did not come in
   * time or too many wait. Those of a whole record that was refused are not among them.
   */
  readonly droppedAnnotationCount: number;
}

/**
 * Writes, in the order of the journal, one at a time. `position` is the journal position just after the records that
 * a call came from; it is stored in the same transaction, so that a rejection leaves neither behind and a replay
 * applies every record once. A call whose position is not above the stored one does nothing.
 *
 * @throws {SpandrelError} `STORE_UNAVAILABLE` while the store is being opened again, and afterwards until somebody has asked
 *   for `appliedPosition`, which may have gone back to `checkpointedPosition`: the writer must go on from there.
 */
export interface SpanWriter {
  /** Position up to which the journal is applied; 0 for a new store, also for one that had to begin anew. */
  appliedPosition(): Promise<number>;
  /** Position that survives a crash of the process: the last checkpoint's. Journal before it is not needed. */
  checkpointedPosition(): Promise<number>;
  /**
   * Appends a batch (its buffers are transferred), then annotations in their order. Idempotent by trace ID and span ID.
   *
   * An annotation replaces the one of the same target, name and identifier (and position of a document): it keeps its
   * row id and the time it was made. One whose target is not stored waits for it, within limits, and is stored with it;
   * what is found then is the same as if it had come after. A whole record of which a target is missing, or a span has
   * no such document, changes nothing. Row ids are given in the order of the records, so that a replay gives the same.
   */
  append(batch: SpanColumns, position: number, annotations?: readonly AnnotationRecord[]): Promise<AppendResult>;
  delete(deletion: Deletion, position: number): Promise<void>;
  /** With spans and annotations; sessions stay. */
  transfer(transfer: Transfer, position: number): Promise<void>;
  /** Prices of spans that come from here on, or costs of stored ones. What is priced by which prices is the same on a replay. */
  changeCosts(change: CostChange, position: number): Promise<void>;
  /** Records a position that came with nothing to store. */
  advance(position: number): Promise<void>;
}
