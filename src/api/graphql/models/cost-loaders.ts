import type {
  CostOwners,
  CostReader,
  Costs,
  CostsOfModel,
  CostsOfType,
  ModelCostQuery,
  ReadOptions,
} from '../../../domain/domain.ts';
import type { BatchLoader, NewLoader } from '../execution/batch-loader.ts';

/** Costs of rows by row id. Costs of models also depend on a scope of spans. */
export interface CostLoaders {
  readonly costsOf: Readonly<Record<CostOwners['of'], BatchLoader<number, Costs>>>;
  readonly costTypesOf: Readonly<Record<CostOwners['of'], BatchLoader<number, CostsOfType[]>>>;
  costsOfModels(scope: ModelScope): BatchLoader<number, CostsOfModel>;
  costTypesOfModels(scope: ModelScope): BatchLoader<number, CostsOfType[]>;
}

export type ModelScope = Omit<ModelCostQuery, 'modelIds'>;

export function createCostLoaders(newLoader: NewLoader, spans: CostReader, options: ReadOptions): CostLoaders {
  const costs = (of: CostOwners['of']) =>
    newLoader<number, Costs>((rowIds) => spans.findCosts({ of, rowIds }, options));
  const types = (of: CostOwners['of']) =>
    newLoader<number, CostsOfType[]>((rowIds) => spans.findCostsOfTypes({ of, rowIds }, options));
  return {
    costsOf: { spans: costs('spans'), traces: costs('traces'), sessions: costs('sessions') },
    costTypesOf: { spans: types('spans'), traces: types('traces'), sessions: types('sessions') },
    costsOfModels: byScope(newLoader, scopeKey, (scope: ModelScope, modelIds: readonly number[]) =>
      spans.sumUpModels({ ...scope, modelIds }, options),
    ),
    costTypesOfModels: byScope(newLoader, scopeKey, (scope: ModelScope, modelIds: readonly number[]) =>
      spans.findCostsOfTypesOfModels({ ...scope, modelIds }, options),
    ),
  };
}

/** One loader for each scope, identified by `keyOf`. */
export function byScope<Scope, Key, Value>(
  newLoader: NewLoader,
  keyOf: (scope: Scope) => string,
  read: (scope: Scope, keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
) {
  const loaders = new Map<string, BatchLoader<Key, Value>>();
  return (scope: Scope): BatchLoader<Key, Value> => {
    const key = keyOf(scope);
    let loader = loaders.get(key);
    if (!loader) {
      loader = newLoader<Key, Value>((keys) => read(scope, keys));
      loaders.set(key, loader);
    }
    return loader;
  };
}

const scopeKey = ({ projectId, startTimeUnixNano, endTimeUnixNano, filter }: ModelScope): string =>
  `${projectId} ${startTimeUnixNano} ${endTimeUnixNano} ${filter?.text ?? ''}`;
