import {
  ANNOTATION_SOURCES,
  ANNOTATION_TARGETS,
  ANNOTATOR_KINDS,
  type AnnotationTarget,
} from '../../model/annotations/annotation.ts';
import {
  defineTable,
  doubleOrNull,
  indexIn,
  int32,
  int64,
  int64OrNull,
  type RowOf,
  text,
  textOrNull,
  updateSql,
} from './define-table.ts';

/**
 * One row per annotation, of every kind of target. `targetId` is the application's ID of the target. `traceRowId` is the
 * trace of a span or document, or the trace itself; the annotation is deleted with it. `position` is that of the record that
 * wrote the row last.
 */
export const ANNOTATIONS = defineTable('annotations', {
  rowId: int64('row_id'),
  target: indexIn('target', ANNOTATION_TARGETS),
  targetRowId: int64('target_row_id'),
  documentPosition: int64OrNull('document_position'),
  traceRowId: int64OrNull('trace_row_id'),
  projectId: int32('project_id'),
  annotatorKind: indexIn('annotator_kind', ANNOTATOR_KINDS),
  source: indexIn('source', ANNOTATION_SOURCES),
  userId: int64OrNull('user_id'),
  score: doubleOrNull('score'),
  createdAtMs: int64('created_ms'),
  updatedAtMs: int64('updated_ms'),
  position: int64('position'),
  targetId: text('target_id'),
  name: text('name'),
  identifier: text('identifier'),
  label: textOrNull('label'),
  explanation: textOrNull('explanation'),
  metadata: text('metadata'),
});

/** Annotations whose target has not arrived. The fields that locate the target are zero or null. */
export const PENDING_ANNOTATIONS = defineTable('pending_annotations', ANNOTATIONS.fields);

export type StoredAnnotation = RowOf<typeof ANNOTATIONS>;

/** A row of `annotations` or `pending_annotations`, or one to be written. */
export interface AnnotationRow extends Readonly<StoredAnnotation> {
  /** `TargetRef.traceId` of a row that is not written yet. It is not stored. */
  readonly traceId?: string;
}

/**
 * Updates annotations from `annotation_changes`. An annotation that is replaced keeps its row id, its target and the time at
 * which it was created.
 */
export const UPDATE_ANNOTATIONS = updateSql(ANNOTATIONS, 'annotation_changes', [
  'rowId',
  'target',
  'targetRowId',
  'documentPosition',
  'createdAtMs',
]);

/** Tables of the targets. A document is part of its span. */
export const TABLE_OF_TARGET = {
  span: 'spans',
  trace: 'traces',
  session: 'sessions',
  document: 'spans',
} as const satisfies Record<AnnotationTarget, string>;

/** Numbers of targets that are spans, or parts of them. */
export const SPAN_TARGETS = `(${ANNOTATION_TARGETS.indexOf('span')}, ${ANNOTATION_TARGETS.indexOf('document')})`;

export const TRACE_TARGET = String(ANNOTATION_TARGETS.indexOf('trace'));

export const SESSION_TARGET = String(ANNOTATION_TARGETS.indexOf('session'));
