import type { AnnotationConfigRows } from '../metadata-store/annotation-configs.ts';
import type { PromptRows } from '../metadata-store/prompt-rows.ts';
import type { AnnotationBatch } from '../model/annotation.ts';
import type { Page } from '../model/page.ts';
import type { NewProject, Project, ProjectChanges } from '../model/project.ts';
import type { Deletion, SpanReader } from '../span-store/span-store.ts';

export type { AnnotationChange, AnnotationFilter } from '../span-store/annotation-queries.ts';
// A face asks for spans in these terms, and knows no store.
export type {
  Bin,
  BinQuery,
  BinScale,
  ErrorTypeCount,
  ListPosition,
  ProjectSums,
  QuantileQuery,
  SessionDetails,
  SessionSortColumn,
  SessionSums,
  SpanListPage,
  SpanSortColumn,
  TimeRange,
  TraceSums,
} from '../span-store/list-queries.ts';
export { LATENCY_QUANTILES } from '../span-store/list-queries.ts';
export type { AttributeCondition, ReadOptions, RowRef, SpanQuery, SpanReader } from '../span-store/span-store.ts';

/** What the operations of this folder work with; each names the parts it needs. */
export interface Domain {
  readonly projects: ProjectRows;
  readonly annotationConfigs: AnnotationConfigRows;
  readonly prompts: PromptRows;
  readonly spans: SpanReader;
  readonly writes: SpanWrites;
}

/** The repository of projects (`metadata-store/projects.ts`), its database given. */
export interface ProjectRows {
  /** Highest row id first. `nameContains` ignores case. */
  list(query: ProjectQuery): Promise<Page<Project>>;
  find(ref: { readonly rowId: number } | { readonly name: string }): Promise<Project | undefined>;
  /** A row id that no project has is absent. */
  findByRowIds(rowIds: readonly number[]): Promise<Map<number, Project>>;
  /** @throws {SpandrelError} `PROJECT_NAME_TAKEN` */
  create(project: NewProject): Promise<Project>;
  update(rowId: number, changes: ProjectChanges): Promise<Project | undefined>;
  /** Idempotent. The row id is never given again. */
  delete(rowId: number): Promise<void>;
}

export interface ProjectQuery {
  readonly limit: number;
  readonly fromRowId?: number;
  readonly nameContains?: string;
}

/** The way to the span store: `Ingest`. A position that comes back is durable; `applied` waits until reads see it. */
export interface SpanWrites {
  /** Text of `{"project":…,"spans":[…]}`, made by `spans/create-spans.ts`. */
  submitSpans(json: string, spanCount: number): Promise<{ readonly position: number }>;
  submitAnnotations(batch: AnnotationBatch): Promise<{ readonly position: number }>;
  submitDeletion(deletion: Deletion): Promise<{ readonly position: number }>;
  applied(position: number): Promise<void>;
}
