import { createDatasetOperations, type DatasetOperations } from './datasets/dataset-operations.ts';
import { createEvaluatorOperations, type EvaluatorOperations } from './evaluators/evaluator-operations.ts';
import { createExperimentOperations, type ExperimentOperations } from './experiments/experiment-operations.ts';
import type { Ports } from './ports.ts';
import { createPromptOperations, type PromptOperations } from './prompts/prompt-operations.ts';

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

/** Operations and queries of the product, by noun. The API layers call these and know no store. */
export interface Domain extends Omit<Ports, 'datasets' | 'evaluators' | 'experiments' | 'prompts' | 'uploads'> {
  readonly datasets: DatasetOperations;
  readonly evaluators: EvaluatorOperations;
  readonly experiments: ExperimentOperations;
  readonly prompts: PromptOperations;
}

export function createDomain(ports: Ports): Domain {
  const { uploads: _, ...rest } = ports;
  return {
    ...rest,
    datasets: createDatasetOperations(ports),
    evaluators: createEvaluatorOperations(ports),
    experiments: createExperimentOperations(ports),
    prompts: createPromptOperations(ports),
  };
}
