/**
 * Targets of annotations. A document is one that a span retrieved or ranked, identified by its position from 0. The
 * index of a target in this list is its number in the store: append only.
 */
export const ANNOTATION_TARGETS = ['span', 'trace', 'session', 'document'] as const;
export type AnnotationTarget = (typeof ANNOTATION_TARGETS)[number];

/** Kinds of annotators. Numbered in the store like the targets. */
export const ANNOTATOR_KINDS = ['LLM', 'CODE', 'HUMAN'] as const;
export type AnnotatorKind = (typeof ANNOTATOR_KINDS)[number];

/** Origin of an annotation: an API or the user interface. Numbered in the store like the targets. */
export const ANNOTATION_SOURCES = ['API', 'APP'] as const;
export type AnnotationSource = (typeof ANNOTATION_SOURCES)[number];

/** Name of annotations that are notes: texts by users, of which a target may have many. */
export const NOTE_NAME = 'note';

/** Reference to the target of an annotation. */
export interface TargetRef {
  /** Span ID (of documents too), trace ID, or session ID of the application. */
  readonly targetId: string;
  /**
   * Trace of a span or document when the caller named one row, because several traces may share a span ID. Such a
   * target is stored, so its annotation never waits. When absent, the target is the newest span with the ID.
   */
  readonly traceId?: string;
}

/** A new annotation. It replaces an annotation of the same target, name and identifier. */
export interface NewAnnotation extends TargetRef {
  /** Null for targets other than documents. */
  readonly documentPosition: number | null;
  readonly name: string;
  readonly identifier: string;
  readonly annotatorKind: AnnotatorKind;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  /** JSON object text. */
  readonly metadata: string;
}

/** Annotations of one request. */
export interface AnnotationBatch {
  readonly target: AnnotationTarget;
  /**
   * True: either all annotations are stored, or none if a target is missing. False: each annotation is stored when its
   * target is stored, and waits until then.
   */
  readonly isWhole: boolean;
  readonly source: AnnotationSource;
  /** Null if sign-in is off. */
  readonly userId: number | null;
  readonly annotations: readonly NewAnnotation[];
}

/** A stored annotation. */
export interface Annotation extends Omit<NewAnnotation, 'traceId'> {
  readonly rowId: number;
  readonly target: AnnotationTarget;
  readonly targetRowId: number;
  readonly source: AnnotationSource;
  readonly userId: number | null;
  /** Milliseconds since the epoch at which the server received the request. */
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Key that is equal for equal references to targets of one kind. */
export const targetKey = ({ targetId, traceId }: TargetRef): string => JSON.stringify([targetId, traceId]);
