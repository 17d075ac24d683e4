import {
  ANNOTATION_SOURCES,
  ANNOTATION_TARGETS,
  ANNOTATOR_KINDS,
  type Annotation,
} from '../../../model/annotations/annotation.ts';
import {
  nullableNumberAt,
  nullableTextAt,
  numberAt,
  type PackedTexts,
  packIndexes,
  packNumbers,
  packTexts,
  textAt,
  valueAt,
} from './packed-columns.ts';

/** Annotations in columns. */
export interface PackedAnnotations {
  readonly rowIds: Float64Array;
  readonly targets: Uint8Array;
  readonly targetRowIds: Float64Array;
  readonly targetIds: PackedTexts;
  readonly documentPositions: Float64Array;
  readonly names: PackedTexts;
  readonly identifiers: PackedTexts;
  readonly annotatorKinds: Uint8Array;
  readonly labels: PackedTexts;
  readonly scores: Float64Array;
  readonly explanations: PackedTexts;
  readonly metadata: PackedTexts;
  readonly sources: Uint8Array;
  readonly userIds: Float64Array;
  readonly createdAtMs: Float64Array;
  readonly updatedAtMs: Float64Array;
}

export const packAnnotations = (annotations: readonly Annotation[]): PackedAnnotations => ({
  rowIds: packNumbers(annotations, ({ rowId }) => rowId),
  targets: packIndexes(annotations, ANNOTATION_TARGETS, ({ target }) => target),
  targetRowIds: packNumbers(annotations, ({ targetRowId }) => targetRowId),
  targetIds: packTexts(annotations, ({ targetId }) => targetId),
  documentPositions: packNumbers(annotations, ({ documentPosition }) => documentPosition),
  names: packTexts(annotations, ({ name }) => name),
  identifiers: packTexts(annotations, ({ identifier }) => identifier),
  annotatorKinds: packIndexes(annotations, ANNOTATOR_KINDS, ({ annotatorKind }) => annotatorKind),
  labels: packTexts(annotations, ({ label }) => label),
  scores: packNumbers(annotations, ({ score }) => score),
  explanations: packTexts(annotations, ({ explanation }) => explanation),
  metadata: packTexts(annotations, ({ metadata }) => metadata),
  sources: packIndexes(annotations, ANNOTATION_SOURCES, ({ source }) => source),
  userIds: packNumbers(annotations, ({ userId }) => userId),
  createdAtMs: packNumbers(annotations, ({ createdAtMs }) => createdAtMs),
  updatedAtMs: packNumbers(annotations, ({ updatedAtMs }) => updatedAtMs),
});

export const unpackAnnotations = (annotations: PackedAnnotations): Annotation[] =>
  Array.from(annotations.rowIds, (rowId, index) => ({
    rowId,
    target: valueAt(ANNOTATION_TARGETS, annotations.targets, index),
    targetRowId: numberAt(annotations.targetRowIds, index),
    targetId: textAt(annotations.targetIds, index),
    documentPosition: nullableNumberAt(annotations.documentPositions, index),
    name: textAt(annotations.names, index),
    identifier: textAt(annotations.identifiers, index),
    annotatorKind: valueAt(ANNOTATOR_KINDS, annotations.annotatorKinds, index),
    label: nullableTextAt(annotations.labels, index),
    score: nullableNumberAt(annotations.scores, index),
    explanation: nullableTextAt(annotations.explanations, index),
    metadata: textAt(annotations.metadata, index),
    source: valueAt(ANNOTATION_SOURCES, annotations.sources, index),
    userId: nullableNumberAt(annotations.userIds, index),
    createdAtMs: numberAt(annotations.createdAtMs, index),
    updatedAtMs: numberAt(annotations.updatedAtMs, index),
  }));
