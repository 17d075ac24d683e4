import type { AnnotationBatch } from '../model/annotation.ts';
import type { CostRecomputation } from '../model/cost-recomputation.ts';
import type {
  CustomProvider,
  CustomProviderChanges,
  NewCustomProvider,
  ProviderSdk,
} from '../model/custom-provider.ts';
import type { GenerativeModel, NewGenerativeModel } from '../model/generative-model.ts';
import type { Page } from '../model/page.ts';
import type { NewProject, Project, ProjectChanges } from '../model/project.ts';
import type { ResourceMatches } from '../model/resource-matches.ts';
import type { RetentionPolicy, RetentionPolicyChanges, RetentionPolicyFields } from '../model/retention-policy.ts';
import type { SavedView, SavedViewFields } from '../model/saved-view.ts';
import type { SpanStoreReader } from '../span-store/contract/span-store.ts';
import type { Deletion, Transfer } from '../span-store/contract/writer.ts';
import type { DatasetRows } from '../metadata-store/datasets/dataset-rows.ts';
import type { EvaluatorRows } from '../metadata-store/evaluators/evaluator-rows.ts';
import type { ExperimentRows } from '../metadata-store/experiments/experiment-rows.ts';
import type { AnnotationConfigRows } from '../metadata-store/projects/annotation-configs.ts';
import type { PromptRows } from '../metadata-store/prompts/prompt-rows.ts';
import type { UploadQueue } from './datasets/upload-queue.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import type { ImportQueue } from './spans/import-queue.ts';

/** The stores and queues that operations need. Each operation names the ports that it uses. */
export interface Ports {
  readonly projects: ProjectRows;
  readonly datasets: DatasetRows;
  readonly experiments: ExperimentRows;
  readonly evaluators: EvaluatorRows;
  readonly uploads: UploadQueue;
  readonly imports: ImportQueue;
  readonly retention: RetentionPolicyRows;
  readonly prompts: PromptRows;
  readonly annotationConfigs: AnnotationConfigRows;
  readonly models: ModelRows;
  readonly recomputations: RecomputationRows;
  readonly providers: CustomProviderRows;
  readonly secrets: SecretBox;
  readonly savedViews: SavedViewRows;
  /** By name or description (`metadata-store/search.ts`). */
  search(query: { readonly text: string; readonly limitPerKind: number }): Promise<ResourceMatches>;
  readonly spans: SpanStoreReader;
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
  /** Which evaluator of a dataset keeps its traces in it, in words; undefined when none does. */
  findEvaluator(rowId: number): Promise<string | undefined>;
}

/** The repository of custom providers (`metadata-store/custom-providers.ts`). */
export interface CustomProviderRows {
  /** Highest row id first. `beforeRowId` is where the page before ended. */
  list(query: { readonly limit: number; readonly beforeRowId?: number }): Promise<Page<CustomProvider>>;
  findByRowIds(rowIds: readonly number[]): Promise<Map<number, CustomProvider>>;
  /** Of models that versions of prompts use, in order; a provider without any is absent. */
  modelNamesOf(rowIds: readonly number[]): Promise<Map<number, string[]>>;
  /** @throws {SpandrelError} `PROVIDER_NAME_TAKEN` */
  create(provider: NewCustomProvider): Promise<CustomProvider>;
  /**
   * Undefined when there is no such provider, or its SDK is none of `sdks`.
   *
   * @throws {SpandrelError} `PROVIDER_NAME_TAKEN`
   */
  update(
    rowId: number,
    changes: CustomProviderChanges,
    sdks: readonly ProviderSdk[],
  ): Promise<CustomProvider | undefined>;
  delete(rowId: number): Promise<void>;
}

/** The repository of saved views (`metadata-store/saved-views.ts`). */
export interface SavedViewRows {
  /** Of a project, by name. */
  list(projectId: number): Promise<SavedView[]>;
  /** Undefined when there is no such project. */
  save(projectId: number, view: SavedViewFields): Promise<SavedView | undefined>;
  delete(rowId: number): Promise<SavedView | undefined>;
}

/** The repository of retention policies (`metadata-store/retention-policies.ts`). */
export interface RetentionPolicyRows {
  /** By row id. */
  list(): Promise<RetentionPolicy[]>;
  findByRowIds(rowIds: readonly number[]): Promise<Map<number, RetentionPolicy>>;
  /** Row ids of the projects under it; of the default one those that have none of their own. */
  projectsOf(rowId: number): Promise<number[]>;
  create(fields: RetentionPolicyFields, projectIds: readonly number[]): Promise<RetentionPolicy>;
  update(rowId: number, changes: RetentionPolicyChanges): Promise<RetentionPolicy | undefined>;
  delete(rowId: number): Promise<RetentionPolicy | undefined>;
  /** Applies one that is due, and notes when; false when it is not, or another server is at it. */
  sweep(
    rowId: number,
    now: Date,
    isDue: (policy: RetentionPolicy, sweptAt: Date) => boolean,
    apply: (policy: RetentionPolicy, projectIds: readonly number[]) => Promise<void>,
  ): Promise<boolean>;
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
  /** Leaves out the projects of experiments. */
  readonly isOutsideExperiments?: boolean;
  /** Leaves out the projects of evaluators of datasets. */
  readonly isOutsideEvaluators?: boolean;
}

/** The way to the span store: `Ingest`. A position that comes back is durable; `applied` waits until reads see it. */
export interface SpanWrites {
  /** Text of `{"project":…,"spans":[…]}`, made by `spans/create-spans.ts`. */
  submitSpans(json: string, spanCount: number): Promise<{ readonly position: number }>;
  submitAnnotations(batch: AnnotationBatch): Promise<{ readonly position: number }>;
  /** A deletion of a project takes its row too, when it is applied. */
  submitDeletion(deletion: Deletion): Promise<{ readonly position: number }>;
  submitTransfer(transfer: Transfer): Promise<{ readonly position: number }>;
  applied(position: number): Promise<void>;
}
