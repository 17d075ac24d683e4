import type {
  Annotation,
  AnnotationBatch,
  AnnotationTarget,
  AnnotatorKind,
  NewAnnotation,
  TargetRef,
} from '../../model/annotation.ts';
import type { Page } from '../../model/page.ts';
import type { Bin, BinPlan, RangeQuery, TimeRange } from './query-terms.ts';
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
export type AnnotationKey = Pick<NewAnnotation, keyof TargetRef | 'documentPosition' | 'name' | 'identifier'>;

export interface WrittenQuery {
  readonly target: AnnotationTarget;
  readonly keys: readonly AnnotationKey[];
  /** Position of a record: only what it or a later one wrote. */
  readonly sincePosition: number;
}

/** A target that is stored. */
export interface StoredTarget {
  readonly rowId: number;
  readonly projectId: number;
  /** Documents that a span retrieved or ranked; null unless documents were asked for. */
  readonly documentCount: number | null;
}

/** Annotations that targets of a kind have in a project. */
export interface AnnotationNameQuery {
  readonly projectId: number;
  readonly target: AnnotationTarget;
  readonly annotatorKind?: AnnotatorKind;
}

/** Spans and traces by their start; sessions that overlap the range, or start in it where there are bins. */
export interface AnnotationSumsQuery extends RangeQuery {
  readonly target: AnnotationTarget;
  /** All when absent. */
  readonly names?: readonly string[];
  /** Absent: the whole range is one. */
  readonly bins?: BinPlan;
}

/** Figures of annotations of one name that have a score or a label. A target weighs the same however many it has. */
export interface AnnotationSums extends Bin {
  readonly name: string;
  readonly count: number;
  readonly scoreCount: number;
  readonly labelCount: number;
  /** Mean over targets of each one's mean; null without scores. */
  readonly meanScore: number | null;
  /** Mean over annotations. */
  readonly averageScore: number | null;
  /** In order; the mean over targets, those without labels too, of the share that a label has in a target's labels. */
  readonly labels: readonly { readonly label: string; readonly fraction: number }[];
}

/** Scores that an LLM gave to documents of spans, under one name. */
export interface DocumentScoresQuery extends RangeQuery {
  readonly name: string;
}

/** By position among the documents of a span; NaN where a document has none. */
export type DocumentScores = readonly number[];

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
  /** Of targets that start in the range. */
  readonly targetsStart?: TimeRange;
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
  /** Spans of the batch that came before it: its rows from the first on. Absent: all of them. */
  readonly spanCountBefore?: number;
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
  /** Annotations by name, in order of the names. */
  countAnnotations(query: AnnotationNameQuery, options?: ReadOptions): Promise<Map<string, number>>;
  /** How many there are that a deletion would remove. */
  countMatchingAnnotations(filter: AnnotationFilter, options?: ReadOptions): Promise<number>;
  /** By bin and name; of a name without a score or label in the range nothing. */
  sumUpAnnotations(query: AnnotationSumsQuery, options?: ReadOptions): Promise<AnnotationSums[]>;
  /** One item a span that has documents and a score for one of them; of the newest `DOCUMENT_SCORE_SPAN_COUNT_MAX`. */
  findDocumentScores(query: DocumentScoresQuery, options?: ReadOptions): Promise<DocumentScores[]>;
  /** Stored targets by `targetKey`. If several spans have the requested ID, the newest one is returned. */
  findTargets(
    query: { readonly target: AnnotationTarget; readonly refs: readonly TargetRef[] },
    options?: ReadOptions,
  ): Promise<Map<string, StoredTarget>>;
}
