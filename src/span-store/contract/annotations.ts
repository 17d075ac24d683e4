import type {
  Annotation,
  AnnotationBatch,
  AnnotationTarget,
  AnnotatorKind,
  NewAnnotation,
  TargetRef,
} from '../../model/annotations/annotation.ts';
import type { Page } from '../../model/page.ts';
import type { Receipt } from '../../model/receipt.ts';
import type { Bin, BinPlan, RangeQuery, TimeRange } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

/** Conditions are ANDed, and values of one list are ORed. An absent field is no condition. An empty list matches nothing. */
export interface AnnotationQuery {
  readonly target: AnnotationTarget;
  /** Project of the targets. */
  readonly projectId: number;
  readonly targetIds?: readonly string[];
  readonly identifiers?: readonly string[];
  readonly names?: readonly string[];
  readonly exceptNames?: readonly string[];
  /** Cursor: greatest row id of the page. */
  readonly fromRowId?: number;
  /** 1 to `ANNOTATION_PAGE_ROW_COUNT_MAX`. */
  readonly limit: number;
}

/** Identifies an annotation: a target has at most one per key. */
export type AnnotationKey = Pick<NewAnnotation, keyof TargetRef | 'documentPosition' | 'name' | 'identifier'>;

export interface WrittenQuery {
  readonly target: AnnotationTarget;
  readonly keys: readonly AnnotationKey[];
  /** Only annotations of this write or a later one are found. */
  readonly since: Receipt;
}

/** A target that is stored. */
export interface StoredTarget {
  readonly rowId: number;
  readonly projectId: number;
  /** Documents that a span retrieved or ranked; null unless the targets are documents. */
  readonly documentCount: number | null;
}

/** Spans and traces that start in the range; sessions that overlap it, or with bins start in it. */
export interface AnnotationAggregatesQuery extends RangeQuery {
  readonly target: AnnotationTarget;
  /** Absent: all names. */
  readonly names?: readonly string[];
  /** Absent: the whole range is one bin. */
  readonly bins?: BinPlan;
}

/** Aggregates of the annotations of one name with a score or label. Every target has the same weight. */
export interface AnnotationAggregates extends Bin {
  readonly name: string;
  readonly count: number;
  readonly scoreCount: number;
  readonly labelCount: number;
  /** Mean of the mean scores of targets; null without scores. */
  readonly meanScore: number | null;
  /** Mean score of annotations. */
  readonly averageScore: number | null;
  /** Labels in order, with the mean share of the label among the labels of a target, over all targets. */
  readonly labels: readonly { readonly label: string; readonly fraction: number }[];
}

/** Scores of documents by an LLM, under one name. */
export interface DocumentScoresQuery extends RangeQuery {
  readonly name: string;
}

/** Scores by position of the document in its span; NaN without a score. */
export type DocumentScores = readonly number[];

/** Annotations that meet every given condition. */
export interface AnnotationFilter {
  readonly target: AnnotationTarget;
  readonly projectId: number;
  readonly name?: string;
  readonly identifier?: string;
  readonly annotatorKind?: AnnotatorKind;
  readonly userId?: number;
  /** Created in [from, before), in milliseconds since the epoch. */
  readonly createdFromMs?: number;
  readonly createdBeforeMs?: number;
  /** Only annotations whose target starts in the range. */
  readonly targetsStart?: TimeRange;
}

/** New values of all fields of a stored annotation that can change. */
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

/** Annotations of one record of the journal. */
export interface AnnotationRecord extends AnnotationBatch {
  /** Journal position just after the record. */
  readonly position: number;
  readonly receivedAtMs: number;
  /** Number of rows of the batch that arrived before the record. Absent: all rows. */
  readonly spanCountBefore?: number;
}

/** Reads of annotations. `SpanStoreReader` states what all reads have in common. */
export interface AnnotationReader {
  /** One page, highest row id first. */
  findAnnotations(query: AnnotationQuery, options?: ReadOptions): Promise<Page<Annotation>>;
  /** Row ids in the order of the keys; undefined where no annotation was written since the position. */
  findWrittenAnnotations(query: WrittenQuery, options?: ReadOptions): Promise<(number | undefined)[]>;
  /** Number of annotations by name, in the order of the names. */
  countAnnotations(filter: AnnotationFilter, options?: ReadOptions): Promise<Map<string, number>>;
  /** Aggregates by bin and name. Names without a score or label in the range are absent. */
  aggregateAnnotations(query: AnnotationAggregatesQuery, options?: ReadOptions): Promise<AnnotationAggregates[]>;
  /** One item per span with a scored document, of the newest `DOCUMENT_SCORE_SPAN_COUNT_MAX` spans. */
  findDocumentScores(query: DocumentScoresQuery, options?: ReadOptions): Promise<DocumentScores[]>;
  /** Stored targets by `targetKey`. If several spans have the requested ID, the newest one is returned. */
  findTargets(
    query: { readonly target: AnnotationTarget; readonly refs: readonly TargetRef[] },
    options?: ReadOptions,
  ): Promise<Map<string, StoredTarget>>;
}
