import type { SpanColumns } from '../../columns/span-columns.ts';
import type { AnnotationChange, AnnotationFilter, AnnotationRecord } from './annotations.ts';
import type { CostChange } from './cost-change.ts';

/** Data to delete, with its annotations. Deleted row ids are skipped, so a replayed deletion does nothing. */
export type Deletion =
  /** A trace is deleted with its last span. Its session stays. */
  | { readonly what: 'spans'; readonly rowIds: readonly number[] }
  /** Traces with their spans. Their sessions stay. */
  | { readonly what: 'traces'; readonly rowIds: readonly number[] }
  /** Sessions with their traces and spans. */
  | { readonly what: 'sessions'; readonly rowIds: readonly number[] }
  /**
   * Traces of the project that start in [startTime, endTime) and are not among its newest by start time when the deletion
   * is applied. Their sessions stay, or with `withSessions` are deleted with all of their traces.
   */
  | {
      readonly what: 'tracesOfProject';
      readonly projectId: number;
      readonly startTimeUnixNano?: bigint | undefined;
      readonly endTimeUnixNano?: bigint | undefined;
      readonly exceptNewestCount?: number | undefined;
      readonly withSessions: boolean;
    }
  /** Sessions of the project that have no traces and ended before a time. */
  | { readonly what: 'emptySessions'; readonly projectId: number; readonly endBeforeUnixNano: bigint }
  /** A project with all of its data. The store also drops the row id of the project's name. */
  | { readonly what: 'project'; readonly projectId: number; readonly name: string }
  | { readonly what: 'annotations'; readonly rowIds: readonly number[] }
  /** Annotations that match when the deletion is applied. */
  | ({ readonly what: 'matchingAnnotations' } & AnnotationFilter)
  /** Replaces annotations. An annotation does not change if another one of its target has the new key. */
  | { readonly what: 'changedAnnotations'; readonly changes: readonly AnnotationChange[] };

/** Traces to move to another project. Traces that are not stored are skipped. */
export interface Transfer {
  readonly traceRowIds: readonly number[];
  readonly projectId: number;
}

/** Result of one append. */
export interface AppendResult {
  /** Number of stored spans. */
  readonly appendedCount: number;
  /** Spans that were already stored (same trace and span ID), in this batch or before. The first one wins. */
  readonly duplicateCount: number;
  /** Duplicates whose name, kind, status or times differ from the stored span. */
  readonly differingCount: number;
  /**
   * Annotations that were dropped: because a span lacks their document, their target did not arrive in time, or too many
   * annotations wait. Annotations of a record that was rejected as a whole are not included.
   */
  readonly droppedAnnotationCount: number;
}

/**
 * Writes, in the order of the journal, one at a time. `position` is the journal position just after the records that
 * a call came from; it is stored in the same transaction, so that a rejection leaves neither behind and a replay
 * applies every record once. A call whose position is not above the stored one does nothing.
 *
 * @throws {SpandrelError} `STORE_UNAVAILABLE` while the store is being reopened, and afterwards until a caller has read
 *   `appliedPosition`, which may have gone back to `checkpointedPosition`. The writer must continue from there.
 */
export interface SpanWriter {
  /** Position up to which the journal is applied; 0 for a new or recreated store. */
  appliedPosition(): Promise<number>;
  /** Position of the last checkpoint, which survives a crash. The journal before it is not needed. */
  checkpointedPosition(): Promise<number>;
  /**
   * Appends a batch (its buffers are transferred), then annotations in their order. Idempotent by trace ID and span ID.
   *
   * An annotation replaces the one of the same target, name and identifier (and position of a document): it keeps its
   * row id and creation time. An annotation whose target is not stored waits for the target, within limits, and is stored
   * with it, as if it had arrived later. A record that must be applied as a whole changes nothing if a target or document is
   * missing. Row ids follow the order of the records, so a replay allocates the same ones.
   */
  append(batch: SpanColumns, position: number, annotations?: readonly AnnotationRecord[]): Promise<AppendResult>;
  delete(deletion: Deletion, position: number): Promise<void>;
  /** Moves traces with their spans and annotations. Sessions stay. */
  transfer(transfer: Transfer, position: number): Promise<void>;
  /** Sets the prices of later spans, or recomputes costs of stored ones. A replay uses the same prices for the same spans. */
  changeCosts(change: CostChange, position: number): Promise<void>;
  /** Records a position without data to store. */
  advance(position: number): Promise<void>;
}
