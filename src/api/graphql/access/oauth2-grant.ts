import type { OAuth2Grant } from '../../../model/access/oauth2.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { rowIdOfNode } from '../node.ts';
import { fromRow, grantRef, id, type NodeRef, QUERY, type Resolvers, userRef } from '../resolvers.ts';
import { checkManages } from './user.ts';

const row = fromRow<OAuth2Grant>(({ grants }) => grants);

export const grantResolvers: Resolvers = {
  id,
  user: row(({ userRowId }) => userRef(userRowId)),
  clientName: row(({ clientName }) => clientName),
  isFirstParty: row(({ isFirstParty }) => isFirstParty),
  clientId: row(({ clientId }) => clientId),
  scopes: row(({ scopes }) => scopes),
  resource: row(({ resource }) => resource),
  createdAt: row(({ createdAt }) => createdAt),
  expiresAt: row(({ expiresAt }) => expiresAt),
  lastUsedAt: row(({ lastUsedAt }) => lastUsedAt),
};

export const grantsOfUser: Resolvers = {
  oauth2Grants: ({ rowId }: NodeRef, _args, context) =>
    whenKnown(grantsOf(rowId, context), (grants) => toRefs(grants, context)),
  oauth2GrantCount: ({ rowId }: NodeRef, _args, context) => whenKnown(grantsOf(rowId, context), ({ length }) => length),
};

export const grantQueries: Resolvers = {
  oauth2Grants: async (_source, _args, context: GraphqlContext) =>
    toRefs(await context.domain.authorization.listGrants(), context),
};

export const grantMutations: Resolvers = {
  async revokeOAuth2Grant(
    _source,
    { input }: { readonly input: { readonly id: string } },
    { domain, invalidateReads }: GraphqlContext,
  ) {
    await domain.authorization.revokeGrant(rowIdOfNode('OAuth2Grant', input.id));
    invalidateReads();
    return { grantId: input.id, query: QUERY };
  },
};

function grantsOf(rowId: number, context: GraphqlContext) {
  checkManages(rowId, context);
  return whenKnown(context.loaders.grantsOfUsers.load(rowId), (grants = []) => grants);
}

function toRefs(grants: readonly OAuth2Grant[], { items, loaders }: GraphqlContext) {
  items.take(grants.length);
  for (const grant of grants) loaders.grants.prime(grant.rowId, grant);
  return grants.map(({ rowId }) => grantRef(rowId));
}
