import type { AnnotationConfigRows } from '../metadata-store/annotation-configs.ts';
import type { PromptRows } from '../metadata-store/prompt-rows.ts';
import type { AnnotationBatch } from '../model/annotation.ts';
import type { CostRecomputation } from '../model/cost-recomputation.ts';
import type { GenerativeModel, NewGenerativeModel } from '../model/generative-model.ts';
import type { Page } from '../model/page.ts';
import type { NewProject, Project, ProjectChanges } from '../model/project.ts';
import type { Deletion, SpanReader } from '../span-store/span-store.ts';

export type { AnnotationChange, AnnotationFilter } from '../span-store/annotation-queries.ts';
// A face asks for spans in these terms, and knows no store.
export type {
  CostOwners,
  Costs,
  CostsOfModel,
  CostsOfType,
  ModelCostQuery,
} from '../span-store/cost-queries.ts';
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
  readonly prompts: PromptRows;
  readonly annotationConfigs: AnnotationConfigRows;
  readonly models: ModelRows;
  readonly recomputations: RecomputationRows;
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

/** The repository of models that have prices (`metadata-store/models.ts`). */
export interface ModelRows {
  /** Those that are not deleted. */
  list(): Promise<GenerativeModel[]>;
  /** Deleted ones too; a row id that none has is absent. */
  findByRowIds(rowIds: readonly number[]): Promise<Map<number, GenerativeModel>>;
  /** @throws {SpandrelError} `MODEL_NAME_TAKEN`, as `update` */
  create(model: NewGenerativeModel): Promise<GenerativeModel>;
  /** Undefined when nobody made a model of this row id. */
  update(rowId: number, model: NewGenerativeModel): Promise<GenerativeModel | undefined>;
  delete(rowId: number): Promise<boolean>;
  /** Resolves when spans from now on have the prices that are stored now. */
  publish(): Promise<void>;
}

/** Wishes to compute costs anew (`metadata-store/cost-recomputations.ts`); one that is made begins by itself. */
export interface RecomputationRows {
  create(projectId: number | null): Promise<CostRecomputation>;
  find(rowId: number): Promise<CostRecomputation | undefined>;
  countOpen(): Promise<number>;
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
