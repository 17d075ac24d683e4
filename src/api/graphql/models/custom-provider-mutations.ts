import type { CustomProvider } from '../../../model/models/custom-provider.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import type { Fields } from '../prompts/prompt-input.ts';
import { customProviderRef, QUERY, type Resolvers } from '../resolvers.ts';
import { toProviderConfig } from './custom-provider-input.ts';

interface CreateInput {
  readonly name: string;
  readonly description?: string | null;
  readonly provider: string;
  readonly clientConfig: Fields;
}

/** Null has the meaning of absent, except for a description, which it clears. */
interface PatchInput {
  readonly id: string;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly provider?: string | null;
  readonly clientConfig?: Fields | null;
}

export const customProviderMutations: Resolvers = {
  async createGenerativeModelCustomProvider(
    _source,
    { input }: { readonly input: CreateInput },
    context: GraphqlContext,
  ) {
    const { domain } = context;
    const provider = await domain.providers.create({
      name: input.name,
      description: input.description ?? null,
      provider: input.provider,
      config: toProviderConfig(input.clientConfig, domain.secretBox),
    });
    return payload(provider, context);
  },
  async patchGenerativeModelCustomProvider(
    _source,
    { input }: { readonly input: PatchInput },
    context: GraphqlContext,
  ) {
    const { domain } = context;
    const { id, name, description, provider, clientConfig } = input;
    const changed = await domain.providers.patch(rowIdOfNode('GenerativeModelCustomProvider', id), {
      ...(typeof name === 'string' && { name }),
      ...(description !== undefined && { description }),
      ...(typeof provider === 'string' && { provider }),
      ...(clientConfig && { config: toProviderConfig(clientConfig, domain.secretBox) }),
    });
    return payload(changed, context);
  },
  async deleteGenerativeModelCustomProvider(
    _source,
    { input: { id } }: { readonly input: { readonly id: string } },
    context: GraphqlContext,
  ) {
    await context.domain.providers.delete(rowIdOfNode('GenerativeModelCustomProvider', id));
    context.invalidateReads();
    return { id, query: QUERY };
  },
};

function payload(provider: CustomProvider, context: GraphqlContext): object {
  context.invalidateReads();
  context.loaders.customProviders.prime(provider.rowId, provider);
  return { provider: customProviderRef(provider.rowId), query: QUERY };
}
