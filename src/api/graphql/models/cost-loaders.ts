import { groupBy } from '../../../base/group-by.ts';
import {
  type AggregateQuery,
  type CostOwner,
  type Costs,
  type CostsOfType,
  compareTokenTypes,
  measure,
  type ReadOptions,
  type SpanStoreReader,
} from '../../../domain/domain.ts';
import type { BatchLoader, NewLoader } from '../execution/batch-loader.ts';

/** Costs of rows by row id. Costs of models also depend on a scope of spans. */
export interface CostLoaders {
  readonly costsOf: Readonly<Record<CostOwner, BatchLoader<number, Costs>>>;
  readonly costTypesOf: Readonly<Record<CostOwner, BatchLoader<number, CostsOfType[]>>>;
  costsOfModels(scope: ModelScope): BatchLoader<number, CostsOfModel>;
  costTypesOfModels(scope: ModelScope): BatchLoader<number, CostsOfType[]>;
}

export interface CostsOfModel extends Costs {
  /** Start of the latest span. */
  readonly lastUsedUnixNano: bigint | null;
}

/** Spans whose traces start in the range. */
export type ModelScope = Pick<AggregateQuery, 'projectId' | 'startTimeUnixNano' | 'endTimeUnixNano' | 'filter'>;

export const COST_SUMS = {
  tokensPrompt: measure.sum('costTokensPrompt'),
  tokensCompletion: measure.sum('costTokensCompletion'),
  promptPico: measure.sum('promptPico'),
  completionPico: measure.sum('completionPico'),
} as const;
/** Costs by token type. */
export const TYPE_SUMS = { tokens: measure.sum('tokens'), pico: measure.sumOrNull('pico') } as const;

/** Costs by row id of the model. Models without spans are absent. */
export async function aggregateModels(
  spans: SpanStoreReader,
  scope: ModelScope & { readonly modelIds?: readonly number[] },
  options: ReadOptions,
): Promise<Map<number, CostsOfModel>> {
  const measures = { ...COST_SUMS, lastUsedUnixNano: measure.latest('startTime') } as const;
  const rows = { grain: 'spans', isRangeOfTraces: true, groupBy: ['modelId'] } as const;
  const found = await spans.aggregate({ ...scope, ...rows, measures }, options);
  return new Map(found.map((costs) => [costs.modelId, costs]));
}

async function aggregateTypesOfModels(
  spans: SpanStoreReader,
  scope: ModelScope & { readonly modelIds: readonly number[] },
  options: ReadOptions,
): Promise<Map<number, CostsOfType[]>> {
  const rows = { grain: 'tokenTypes', groupBy: ['modelId', 'tokenType', 'isPrompt'] } as const;
  const found = await spans.aggregate({ ...scope, ...rows, measures: TYPE_SUMS }, options);
  return groupBy(found.sort(compareTokenTypes), ({ modelId }) => modelId);
}

export function createCostLoaders(newLoader: NewLoader, spans: SpanStoreReader, options: ReadOptions): CostLoaders {
  const costs = (of: CostOwner) =>
    newLoader<number, Costs>((rowIds) => spans.get({ of, column: 'costs', rowIds }, options));
  const types = (of: CostOwner) =>
    newLoader<number, CostsOfType[]>((rowIds) => spans.get({ of, column: 'tokenTypes', rowIds }, options));
  return {
    costsOf: { spans: costs('spans'), traces: costs('traces'), sessions: costs('sessions') },
    costTypesOf: { spans: types('spans'), traces: types('traces'), sessions: types('sessions') },
    costsOfModels: byScope(newLoader, scopeKey, (scope: ModelScope, modelIds: readonly number[]) =>
      aggregateModels(spans, { ...scope, modelIds }, options),
    ),
    costTypesOfModels: byScope(newLoader, scopeKey, (scope: ModelScope, modelIds: readonly number[]) =>
      aggregateTypesOfModels(spans, { ...scope, modelIds }, options),
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
