// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each annotation, and numbers are indexes of the lists.
import {
  ANNOTATION_SOURCES,
  ANNOTATION_TARGETS,
  ANNOTATOR_KINDS,
  type Annotation,
} from '../../../model/annotations/annotation.ts';
import {
  nullableNumberAt,
  nullableTextAt,
  type PackedTexts,
  packIndexes,
  packNumbers,
  packTexts,
  textAt,
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
    target: ANNOTATION_TARGETS[annotations.targets[index]!]!,
    targetRowId: annotations.targetRowIds[index]!,
    targetId: textAt(annotations.targetIds, index),
    documentPosition: nullableNumberAt(annotations.documentPositions, index),
    name: textAt(annotations.names, index),
    identifier: textAt(annotations.identifiers, index),
    annotatorKind: ANNOTATOR_KINDS[annotations.annotatorKinds[index]!]!,
    label: nullableTextAt(annotations.labels, index),
    score: nullableNumberAt(annotations.scores, index),
    explanation: nullableTextAt(annotations.explanations, index),
    metadata: textAt(annotations.metadata, index),
    source: ANNOTATION_SOURCES[annotations.sources[index]!]!,
    userId: nullableNumberAt(annotations.userIds, index),
    createdAtMs: annotations.createdAtMs[index]!,
    updatedAtMs: annotations.updatedAtMs[index]!,
  }));
