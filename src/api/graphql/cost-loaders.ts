import type {
  CostOwners,
  Costs,
  CostsOfModel,
  CostsOfType,
  ModelCostQuery,
  ReadOptions,
  SpanReader,
} from '../../domain/domain.ts';
import { BatchLoader } from './batch-loader.ts';

/** Costs of rows by row id; of models besides by what of their spans is meant. */
export interface CostLoaders {
  readonly costsOf: Readonly<Record<CostOwners['of'], BatchLoader<number, Costs>>>;
  readonly costTypesOf: Readonly<Record<CostOwners['of'], BatchLoader<number, CostsOfType[]>>>;
  costsOfModels(scope: ModelScope): BatchLoader<number, CostsOfModel>;
  costTypesOfModels(scope: ModelScope): BatchLoader<number, CostsOfType[]>;
}

export type ModelScope = Omit<ModelCostQuery, 'modelIds'>;

export function createCostLoaders(spans: SpanReader, options: ReadOptions): CostLoaders {
  const costs = (of: CostOwners['of']) =>
    new BatchLoader<number, Costs>((rowIds) => spans.findCosts({ of, rowIds }, options));
  const types = (of: CostOwners['of']) =>
    new BatchLoader<number, CostsOfType[]>((rowIds) => spans.findCostsOfTypes({ of, rowIds }, options));
  return {
    costsOf: { spans: costs('spans'), traces: costs('traces'), sessions: costs('sessions') },
    costTypesOf: { spans: types('spans'), traces: types('traces'), sessions: types('sessions') },
    costsOfModels: byScope((query) => spans.sumUpModels(query, options)),
    costTypesOfModels: byScope((query) => spans.findCostsOfTypesOfModels(query, options)),
  };
}

function byScope<Value>(read: (query: ModelCostQuery) => Promise<ReadonlyMap<number, Value>>) {
  const loaders = new Map<string, BatchLoader<number, Value>>();
  return (scope: ModelScope): BatchLoader<number, Value> => {
    const key = `${scope.projectId} ${scope.startTimeUnixNano} ${scope.endTimeUnixNano}`;
    let loader = loaders.get(key);
    if (!loader) {
      loader = new BatchLoader<number, Value>((modelIds) => read({ ...scope, modelIds }));
      loaders.set(key, loader);
    }
    return loader;
  };
}
