import { expectPresent } from '../../../base/expect-present.ts';
import { groupBy } from '../../../base/group-by.ts';
import { PICO_PER_DOLLAR } from '../../../model/models/span-cost.ts';
import { type CostOwner, type Costs, type CostsOfType, compareTokenTypes, measure } from '../../../domain/domain.ts';
import {
  type BinnedQuery,
  type FilterArguments,
  type RangeArguments,
  reject,
  type SessionFilterArguments,
  toFilteredRange,
  toSpanFilter,
  toTimeRange,
} from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { modelRef, type NodeRef, type Resolver, type Resolvers } from '../resolvers.ts';
import { aggregateModels, COST_SUMS, type CostsOfModel, TYPE_SUMS } from './cost-loaders.ts';

interface CostSummary {
  readonly prompt: Breakdown;
  readonly completion: Breakdown;
  readonly total: Breakdown;
}
interface Breakdown {
  readonly tokens: number | null;
  /** US dollars. */
  readonly cost: number | null;
}

export function toCostSummary({ tokensPrompt, tokensCompletion, promptPico, completionPico }: Costs): CostSummary {
  const total = promptPico === null || completionPico === null ? null : promptPico + completionPico;
  return {
    prompt: { tokens: tokensPrompt, cost: toDollars(promptPico) },
    completion: { tokens: tokensCompletion, cost: toDollars(completionPico) },
    total: { tokens: tokensPrompt + tokensCompletion, cost: toDollars(total) },
  };
}

export const toDollars = (pico: number | null): number | null => (pico === null ? null : pico / PICO_PER_DOLLAR);

const NOTHING: Breakdown = { tokens: null, cost: null };
export const NO_SUMMARY: CostSummary = { prompt: NOTHING, completion: NOTHING, total: NOTHING };
export const NO_COSTS: Costs = { tokensPrompt: 0, tokensCompletion: 0, promptPico: 0, completionPico: 0 };

export const toCostEntries = (types: readonly CostsOfType[] = []): object[] =>
  types.map(({ tokenType, isPrompt, tokens, pico }) => ({
    tokenType,
    isPrompt,
    value: { tokens, cost: toDollars(pico) },
  }));

/** A span without a cost row has no summary; a trace or session has one with nulls. */
export const spanCostResolvers: Resolvers = ownerResolvers('spans', null);
export const traceCostResolvers: Resolvers = ownerResolvers('traces', NO_SUMMARY);
export const sessionCostResolvers: Resolvers = ownerResolvers('sessions', NO_SUMMARY);

function ownerResolvers(of: CostOwner, none: CostSummary | null): Resolvers {
  return {
    costSummary: ({ rowId }: NodeRef, _args: unknown, { loaders }) =>
      whenKnown(loaders.costsOf[of].load(rowId), (costs) => (costs ? toCostSummary(costs) : none)),
    costDetailSummaryEntries: ({ rowId }: NodeRef, _args: unknown, { loaders }) =>
      whenKnown(loaders.costTypesOf[of].load(rowId), toCostEntries),
  };
}

export const projectCostResolvers: Resolvers = {
  costSummary(
    { rowId: projectId }: NodeRef,
    args: RangeArguments & FilterArguments & SessionFilterArguments,
    { loaders },
  ) {
    const range = toFilteredRange(args);
    const rows = { grain: 'traces', projectId, ...range, ofMatchingSpans: range.filter !== undefined } as const;
    return loaders.aggregates.load(rows, COST_SUMS).then(toCostSummary);
  },
  topModelsByCost: topModels(({ promptPico, completionPico }) => (promptPico ?? 0) + (completionPico ?? 0)),
  topModelsByTokenCount: topModels(({ tokensPrompt, tokensCompletion }) => tokensPrompt + tokensCompletion),
};

function topModels(rank: (costs: CostsOfModel) => number): Resolver<NodeRef, RangeArguments & FilterArguments> {
  return async ({ rowId: projectId }, args, { domain, items, loaders, signal }) => {
    const range = toTimeRange(args);
    if (range.startTimeUnixNano === undefined) return reject('Start time is required');
    const scope = { projectId, ...range, filter: toSpanFilter(args) };
    const found = await aggregateModels(domain.spans, scope, { readClass: 'interface', signal });
    const models = await domain.models.findByRowIds([...found.keys()]);
    const ranked = [...found]
      .filter(([rowId]) => models.has(rowId))
      .sort(([a, x], [b, y]) => rank(y) - rank(x) || a - b);
    items.take(ranked.length);
    return ranked.map(([rowId, costs]) => {
      loaders.models.prime(rowId, expectPresent(models.get(rowId), 'only stored models are ranked'));
      loaders.costsOfModels(scope).prime(rowId, costs);
      return modelRef(rowId);
    });
  };
}

interface TokenBin {
  readonly startTimeUnixMicro: number;
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
  readonly details: readonly CostsOfType[];
}

/** Tokens of traces, with their split for spans with costs. */
export async function binTokens({ domain, signal }: GraphqlContext, query: BinnedQuery): Promise<TokenBin[]> {
  const options = { readClass: 'interface', signal } as const;
  const measures = { tokensPrompt: measure.sum('tokensPrompt'), tokensCompletion: measure.sum('tokensCompletion') };
  const types = { grain: 'tokenTypes', groupBy: ['tokenType', 'isPrompt'], measures: TYPE_SUMS } as const;
  const [traces, costs] = await Promise.all([
    domain.spans.aggregate({ ...query, grain: 'traces', ofMatchingSpans: true, measures }, options),
    domain.spans.aggregate({ ...query, ...types }, options),
  ]);
  const detailsOf = groupBy(costs.sort(compareTokenTypes), ({ startTimeUnixMicro }) => startTimeUnixMicro);
  return traces.map((bin) => ({ ...bin, details: detailsOf.get(bin.startTimeUnixMicro) ?? [] }));
}

/** Token types of one side. Its remaining tokens have the type of the side. */
export function toTypeCounts({ tokensPrompt, tokensCompletion, details }: TokenBin, isPrompt: boolean): object[] {
  const ownType = isPrompt ? 'input' : 'output';
  const counts = new Map<string, number>([[ownType, 0]]);
  for (const type of details) if (type.isPrompt === isPrompt) counts.set(type.tokenType, type.tokens);
  const known = [...counts.values()].reduce((sum, tokens) => sum + tokens, 0);
  const rest = Math.max(0, (isPrompt ? tokensPrompt : tokensCompletion) - known);
  counts.set(ownType, (counts.get(ownType) ?? 0) + rest);
  return [...counts].filter(([, tokens]) => tokens > 0).map(([tokenType, tokenCount]) => ({ tokenType, tokenCount }));
}
