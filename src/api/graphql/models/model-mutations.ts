import type { GenerativeModel, NewGenerativeModel } from '../../../model/models/generative-model.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { modelRef, QUERY, type Resolvers } from '../resolvers.ts';

interface ModelInput {
  readonly name: string;
  readonly provider?: string | null;
  readonly namePattern: string;
  readonly costs: readonly {
    readonly tokenType: string;
    readonly costPerMillionTokens: number;
    readonly kind: 'PROMPT' | 'COMPLETION';
  }[];
  /** Decimal text of nanoseconds since the epoch. */
  readonly startTime?: string | null;
}

export const modelMutations: Resolvers = {
  async createModel(_source, { input }: { readonly input: ModelInput }, context) {
    return payload(await context.domain.models.create(toModel(input)), context);
  },
  async updateModel(_source, { input }: { readonly input: ModelInput & { readonly id: string } }, context) {
    const rowId = rowIdOfNode('GenerativeModel', input.id);
    return payload(await context.domain.models.update(rowId, toModel(input)), context);
  },
  async deleteModel(_source, { input }: { readonly input: { readonly id: string } }, context) {
    return payload(await context.domain.models.delete(rowIdOfNode('GenerativeModel', input.id)), context);
  },
};

const toModel = ({ name, provider, namePattern, costs, startTime }: ModelInput): NewGenerativeModel => ({
  name,
  provider: provider ?? '',
  namePattern,
  startTimeMs: startTime ? Number(BigInt(startTime) / 1_000_000n) : null,
  prices: costs.map(({ tokenType, costPerMillionTokens, kind }) => ({
    tokenType,
    isPrompt: kind === 'PROMPT',
    perToken: costPerMillionTokens / 1e6,
  })),
});

function payload(model: GenerativeModel, context: GraphqlContext): object {
  context.invalidateReads();
  context.loaders.models.prime(model.rowId, model);
  return { model: modelRef(model.rowId), query: QUERY };
}
