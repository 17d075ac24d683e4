/**
 * What an annotation judges. A document is one of those that a span retrieved or ranked, by its place from 0. The
 * place of a target in this list is its number in the store: append only.
 */
export const ANNOTATION_TARGETS = ['span', 'trace', 'session', 'document'] as const;
export type AnnotationTarget = (typeof ANNOTATION_TARGETS)[number];

/** Who judged. Numbered in the store like the targets. */
export const ANNOTATOR_KINDS = ['LLM', 'CODE', 'HUMAN'] as const;
export type AnnotatorKind = (typeof ANNOTATOR_KINDS)[number];

/** By which way it came: an API, or the user interface. Numbered in the store like the targets. */
export const ANNOTATION_SOURCES = ['API', 'APP'] as const;
export type AnnotationSource = (typeof ANNOTATION_SOURCES)[number];

/** The name of annotations that are notes: remarks of people, of which a target may have many. */
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
  /** Null for other targets than documents. */
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

/** Annotations that come together, in one request. */
export interface AnnotationBatch {
  readonly target: AnnotationTarget;
  /**
   * True: all are stored, or none when a target is missing. False: each is stored as soon as its target is, and waits
   * until then.
   */
  readonly isWhole: boolean;
  readonly source: AnnotationSource;
  /** Null when nobody had to sign in. */
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
  /** Milliseconds since the epoch, when the server had the request. */
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Key that is equal for equal references to targets of one kind. */
export const targetKey = ({ targetId, traceId }: TargetRef): string => JSON.stringify([targetId, traceId]);
