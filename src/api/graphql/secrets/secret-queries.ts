import { GRAPHQL_ITEM_COUNT_MAX } from '../../../model/limits/graphql.ts';
import { type PageArguments, reject } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import type { Resolvers } from '../resolvers.ts';
import { secretRef } from './secret.ts';

interface SecretArguments extends PageArguments {
  readonly keys?: readonly string[] | null;
}

export const secretQueries: Resolvers = {
  async secrets(_source, args: SecretArguments, { domain, loaders, items }: GraphqlContext) {
    const { first, last, after, before } = args;
    for (const name of ['first', 'last'] as const) {
      if ((args[name] ?? 0) < 0) reject(`Argument "${name}" must be a non-negative int`);
    }
    const keys = args.keys?.map((key) => key.trim()).filter((key) => key !== '');
    const fromEnd = typeof first !== 'number' && typeof last === 'number';
    const limit = Math.min((fromEnd ? last : first) ?? GRAPHQL_ITEM_COUNT_MAX, GRAPHQL_ITEM_COUNT_MAX);
    const page = await domain.secrets.list({
      limit,
      fromEnd,
      ...(keys && keys.length > 0 && { keys }),
      ...(after && { after }),
      ...(before && { before }),
    });
    // As Relay defines it, `last` counts from the end of what `first` leaves.
    const start = typeof last === 'number' ? Math.max(0, page.items.length - last) : 0;
    const found = page.items.slice(start);
    items.take(found.length);
    const edges = found.map((secret) => {
      loaders.secrets.prime(secret.key, secret);
      return { cursor: secret.key, node: secretRef(secret.key) };
    });
    return {
      edges,
      pageInfo: {
        hasNextPage: !fromEnd && page.hasMore,
        hasPreviousPage: start > 0 || (fromEnd && page.hasMore),
        startCursor: edges[0]?.cursor ?? null,
        endCursor: edges.at(-1)?.cursor ?? null,
      },
    };
  },
};
