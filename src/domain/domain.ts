import {
  type AnnotationConfigOperations,
  createAnnotationConfigOperations,
} from './annotation-configs/annotation-config-operations.ts';
import { type AnnotationOperations, createAnnotationOperations } from './annotations/annotation-operations.ts';
import { type CostOperations, createCostOperations } from './costs/cost-operations.ts';
import { createDatasetOperations, type DatasetOperations } from './datasets/dataset-operations.ts';
import { createEvaluatorOperations, type EvaluatorOperations } from './evaluators/evaluator-operations.ts';
import { createExperimentOperations, type ExperimentOperations } from './experiments/experiment-operations.ts';
import { createModelOperations, type ModelOperations } from './models/model-operations.ts';
import type { Ports } from './ports.ts';
import { createProjectOperations, type ProjectOperations } from './projects/project-operations.ts';
import { createPromptOperations, type PromptOperations } from './prompts/prompt-operations.ts';
import {
  type CustomProviderOperations,
  createCustomProviderOperations,
} from './providers/custom-provider-operations.ts';
import { createRetentionOperations, type RetentionOperations } from './retention/retention-operations.ts';
import { createSessionOperations, type SessionOperations } from './sessions/session-operations.ts';
import { createSpanOperations, type SpanOperations } from './spans/span-operations.ts';
import { createTraceOperations, type TraceOperations } from './traces/trace-operations.ts';
import { createSavedViewOperations, type SavedViewOperations } from './views/saved-view-operations.ts';

export type {
  AnnotationChange,
  AnnotationFilter,
  AnnotationSums,
  AnnotationSumsQuery,
} from '../span-store/annotation-queries.ts';
export type {
  CostOwners,
  Costs,
  CostsOfModel,
  CostsOfType,
  ModelCostQuery,
} from '../span-store/cost-queries.ts';
export type { Grain, TraceGrain } from '../span-store/grain.ts';
export type { RowFigures } from '../span-store/grain-queries.ts';
export type {
  AnnotationSort,
  Bin,
  BinPlan,
  BinQuery,
  ErrorTypeCount,
  ListPosition,
  ProjectSums,
  QuantileQuery,
  RangeQuery,
  SessionDetails,
  SessionSortColumn,
  SessionSums,
  SpanListPage,
  SpanSize,
  SpanSortColumn,
  TimeRange,
  TraceSums,
} from '../span-store/list-queries.ts';
export { LATENCY_QUANTILES } from '../span-store/list-queries.ts';
export type {
  AttributeCondition,
  ReadOptions,
  RowRef,
  SpanQuery,
  SpanReader,
  StoreChange,
} from '../span-store/span-store.ts';
export type { AnnotationConfigRef as ConfigRef } from './annotation-configs/annotation-config-repository.ts';
export type { ProjectRef } from './projects/project-repository.ts';

/** Operations and queries of the product, by noun. The API layers call these and know no store. */
export interface Domain extends Pick<Ports, 'secrets' | 'search'> {
  readonly projects: ProjectOperations;
  readonly spans: SpanOperations;
  readonly traces: TraceOperations;
  readonly sessions: SessionOperations;
  readonly annotations: AnnotationOperations;
  readonly annotationConfigs: AnnotationConfigOperations;
  readonly datasets: DatasetOperations;
  readonly experiments: ExperimentOperations;
  readonly evaluators: EvaluatorOperations;
  readonly prompts: PromptOperations;
  readonly models: ModelOperations;
  readonly providers: CustomProviderOperations;
  readonly costs: CostOperations;
  readonly retention: RetentionOperations;
  readonly savedViews: SavedViewOperations;
}

export const createDomain = (ports: Ports): Domain => ({
  secrets: ports.secrets,
  search: ports.search,
  projects: createProjectOperations(ports),
  spans: createSpanOperations(ports),
  traces: createTraceOperations(ports),
  sessions: createSessionOperations(ports),
  annotations: createAnnotationOperations(ports),
  annotationConfigs: createAnnotationConfigOperations(ports),
  datasets: createDatasetOperations(ports),
  experiments: createExperimentOperations(ports),
  evaluators: createEvaluatorOperations(ports),
  prompts: createPromptOperations(ports),
  models: createModelOperations(ports),
  providers: createCustomProviderOperations(ports),
  costs: createCostOperations(ports),
  retention: createRetentionOperations(ports),
  savedViews: createSavedViewOperations(ports),
});
