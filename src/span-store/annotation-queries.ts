import type {
  Annotation,
  AnnotationBatch,
  AnnotationTarget,
  AnnotatorKind,
  NewAnnotation,
} from '../model/annotation.ts';
import type { Page } from '../model/page.ts';
import type { ReadOptions } from './read-options.ts';

/** Conditions are ANDed; values inside one list are ORed. An absent field is no condition, an empty list matches nothing. */
export interface AnnotationQuery {
  readonly target: AnnotationTarget;
  /** Of the targets. */
  readonly projectId: number;
  readonly targetIds?: readonly string[];
  readonly identifiers?: readonly string[];
  readonly names?: readonly string[];
  readonly exceptNames?: readonly string[];
  /** Annotations with a row id of at most this: the cursor. */
  readonly fromRowId?: number;
  /** 1 to `ANNOTATION_PAGE_ROW_COUNT_MAX`. */
  readonly limit: number;
}

/** What a target has one annotation of. */
export type AnnotationKey = Pick<NewAnnotation, 'targetId' | 'documentPosition' | 'name' | 'identifier'>;

export interface WrittenQuery {
  readonly target: AnnotationTarget;
  readonly keys: readonly AnnotationKey[];
  /** Position of a record: only what it or a later one wrote. */
  readonly sincePosition: number;
}

/** A stored target. Of several spans with one span id it is the newest. */
export interface StoredTarget {
  readonly rowId: number;
  readonly projectId: number;
  /** Documents that a span retrieved or ranked; null unless documents were asked for. */
  readonly documentCount: number | null;
}

/** What is deleted: annotations for which every given condition holds. */
export interface AnnotationFilter {
  readonly target: AnnotationTarget;
  readonly projectId: number;
  readonly name?: string;
  readonly identifier?: string;
  readonly annotatorKind?: AnnotatorKind;
  readonly userId?: number;
  /** Made in [from, before), milliseconds since the epoch. */
  readonly createdFromMs?: number;
  readonly createdBeforeMs?: number;
}

/** What becomes of a stored annotation: every field that can change. */
export interface AnnotationChange
  extends Pick<
    Annotation,
    | 'rowId'
    | 'name'
    | 'identifier'
    | 'annotatorKind'
    | 'label'
    | 'score'
    | 'explanation'
    | 'metadata'
    | 'source'
    | 'updatedAtMs'
  > {}

/** Annotations that one record of the journal holds. */
export interface AnnotationRecord extends AnnotationBatch {
  /** Just after the record. */
  readonly position: number;
  readonly receivedAtMs: number;
}

/** Reads of annotations: part of `SpanReader`. */
export interface AnnotationReader {
  /** One page, highest row id first. */
  findAnnotations(query: AnnotationQuery, options?: ReadOptions): Promise<Page<Annotation>>;
  /** Those that are not stored are absent. */
  findAnnotationsByRowIds(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, Annotation>>;
  /** By the row id of the target, each in the order of their own row ids; a target without is absent. */
  findAnnotationsOfTargets(
    query: { readonly target: AnnotationTarget; readonly rowIds: readonly number[] },
    options?: ReadOptions,
  ): Promise<Map<number, Annotation[]>>;
  /** Row ids in the order of the keys; undefined where nothing was written since. */
  findWrittenAnnotations(query: WrittenQuery, options?: ReadOptions): Promise<(number | undefined)[]>;
  /** Names of the annotations that targets of a kind have in a project, in order. */
  findAnnotationNames(
    query: { readonly projectId: number; readonly target: AnnotationTarget },
    options?: ReadOptions,
  ): Promise<string[]>;
  /** By the id that applications know; those that are not stored are absent. */
  findTargets(
    query: { readonly target: AnnotationTarget; readonly ids: readonly string[] },
    options?: ReadOptions,
  ): Promise<Map<string, StoredTarget>>;
}
