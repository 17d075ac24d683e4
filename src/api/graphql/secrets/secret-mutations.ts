import type { GraphqlContext } from '../context.ts';
import { QUERY, type Resolvers } from '../resolvers.ts';
import { secretRef, toSecretId } from './secret.ts';

/** An absent value has the meaning of null. */
interface SecretInput {
  readonly key: string;
  readonly value?: string | null;
  readonly hosts?: readonly string[] | null;
}

export const secretMutations: Resolvers = {
  async upsertOrDeleteSecrets(
    _source,
    { input }: { readonly input: { readonly secrets: readonly SecretInput[] } },
    context: GraphqlContext,
  ) {
    const { stored, deletedKeys } = await context.domain.secrets.upsertOrDelete(
      input.secrets.map(({ key, value = null, hosts }) => ({ key, value, hosts })),
    );
    context.invalidateReads();
    for (const secret of stored) context.loaders.secrets.prime(secret.key, secret);
    return {
      upsertedSecrets: stored.map(({ key }) => secretRef(key)),
      deletedIds: deletedKeys.map(toSecretId),
      query: QUERY,
    };
  },
};
