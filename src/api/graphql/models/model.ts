import type { GenerativeModel, TokenPrice } from '../../../model/models/generative-model.ts';
import { providerOfWord } from '../../../model/models/provider-of-span.ts';
import { type FilterArguments, type RangeArguments, reject, toSpanFilter, toTimeRange } from '../arguments.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { rowIdOfNode } from '../node.ts';
import { fromRow, id, type NodeRef, type Resolvers } from '../resolvers.ts';
import { NO_COSTS, toCostEntries, toCostSummary } from './cost.ts';
import type { ModelScope } from './cost-loaders.ts';

type ModelRef = NodeRef<'GenerativeModel'>;

interface ScopeArguments extends RangeArguments, FilterArguments {
  readonly projectId?: string | null;
}

const row = fromRow(({ models }) => models);

export const modelResolvers: Resolvers = {
  id,
  name: row(({ name }) => name),
  namePattern: row(({ namePattern }) => namePattern),
  kind: row(({ isBuiltIn }) => (isBuiltIn ? 'BUILT_IN' : 'CUSTOM')),
  provider: row(({ provider }) => provider || null),
  providerKey: row(({ provider }) => providerOfWord(provider) ?? null),
  createdAt: row(({ createdAt }) => createdAt),
  updatedAt: row(({ updatedAt }) => updatedAt),
  startTime: row(({ startTimeMs }) => (startTimeMs === null ? null : new Date(startTimeMs))),
  tokenPrices: row(({ prices }) => prices.map(toTokenPrice)),
  costSummary: ({ rowId }: ModelRef, args: ScopeArguments, { loaders }) =>
    whenKnown(loaders.costsOfModels(toScope(args)).load(rowId), (costs) => toCostSummary(costs ?? NO_COSTS)),
  costDetailSummaryEntries: ({ rowId }: ModelRef, args: ScopeArguments, { loaders }) =>
    whenKnown(loaders.costTypesOfModels(toScope(args)).load(rowId), toCostEntries),
  lastUsedAt: ({ rowId }: ModelRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.costsOfModels({}).load(rowId), (costs) => costs?.lastUsedUnixNano ?? null),
};

function toScope({ projectId, ...range }: ScopeArguments): ModelScope {
  const filter = toSpanFilter(range);
  if (filter && !projectId) reject('A filter needs a project');
  return { ...toTimeRange(range), filter, ...(projectId && { projectId: rowIdOfNode('Project', projectId) }) };
}

const toTokenPrice = ({ tokenType, isPrompt, perToken }: TokenPrice): object => ({
  tokenType,
  kind: isPrompt ? 'PROMPT' : 'COMPLETION',
  costPerToken: perToken,
  // Rounds away the error of the division by a million.
  costPerMillionTokens: Number((perToken * 1e6).toPrecision(14)),
});

/** Order of lists: models of users first, models without a provider last. */
export function compareModels(a: GenerativeModel, b: GenerativeModel): number {
  return (
    Number(a.isBuiltIn) - Number(b.isBuiltIn) ||
    Number(a.provider === '') - Number(b.provider === '') ||
    compareTexts(a.provider, b.provider) ||
    compareTexts(a.name, b.name) ||
    a.rowId - b.rowId
  );
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
