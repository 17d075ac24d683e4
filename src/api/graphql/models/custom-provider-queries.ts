import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import { checkCappedPage, type PageArguments } from '../arguments.ts';
import { keysetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { parseCursor, toCursor } from '../cursor.ts';
import { customProviderRef, type Resolvers } from '../resolvers.ts';

export const customProviderQueries: Resolvers = {
  async generativeModelCustomProviders(_source, args: PageArguments, { domain, loaders, items }: GraphqlContext) {
    const limit = checkCappedPage({ ...args, first: args.first ?? PAGE_ROW_COUNT_MAX });
    const after = args.after ? parseCursor(args.after, undefined).rowId : undefined;
    const page = await domain.providers.list({ limit, ...(after !== undefined && { beforeRowId: after }) });
    const edges = page.items.map((provider) => {
      loaders.customProviders.prime(provider.rowId, provider);
      return { cursor: toCursor(provider, undefined), node: customProviderRef(provider.rowId) };
    });
    const { pageInfo } = keysetConnection(
      edges,
      page.nextRowId === undefined ? undefined : edges.at(-1)?.cursor,
      items,
    );
    return { edges, pageInfo: { ...pageInfo, hasPreviousPage: after !== undefined } };
  },
};
