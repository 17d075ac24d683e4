import type { ApiKey, KeyScope } from '../../../model/access/api-key.ts';
import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import type { ApiKeyInput } from '../../../domain/access/change-api-keys.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { fromRow, id, QUERY, type Resolvers, systemApiKeyRef, userApiKeyRef, userRef } from '../resolvers.ts';

const row = fromRow<ApiKey>(({ apiKeys }) => apiKeys);

export const systemApiKeyResolvers: Resolvers = {
  id,
  name: row(({ name }) => name),
  description: row(({ description }) => description),
  createdAt: row(({ createdAt }) => createdAt),
  expiresAt: row(({ expiresAtUnixNano }) => expiresAtUnixNano),
  lastCharacters: row(({ lastCharacters }) => lastCharacters),
  lastUsedAt: row(({ lastUsedAt }) => lastUsedAt),
  scope: row(({ scope }) => scope),
  projects: row(({ projects }) => projects),
};

export const userApiKeyResolvers: Resolvers = {
  ...systemApiKeyResolvers,
  user: row(({ userRowId }) => userRef(userRowId)),
};

export const apiKeyQueries: Resolvers = {
  userApiKeys: async (_source, _args, context: GraphqlContext) =>
    (await listKeys('users', context)).map(({ rowId }) => userApiKeyRef(rowId)),
  systemApiKeys: async (_source, _args, context: GraphqlContext) =>
    (await listKeys('system', context)).map(({ rowId }) => systemApiKeyRef(rowId)),
};

async function listKeys(owners: 'users' | 'system', { domain, loaders, items }: GraphqlContext): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for (let fromRowId: number | undefined; ; ) {
    const page = await domain.apiKeys.list(owners, {
      limit: PAGE_ROW_COUNT_MAX,
      ...(fromRowId !== undefined && { fromRowId }),
    });
    items.take(page.items.length);
    for (const key of page.items) loaders.apiKeys.prime(key.rowId, key);
    keys.push(...page.items);
    if (page.nextRowId === undefined) return keys;
    fromRowId = page.nextRowId;
  }
}

interface KeyFields {
  readonly name: string;
  readonly description?: string | null;
  /** Nanoseconds since the epoch, as text. */
  readonly expiresAt?: string | null;
  readonly scope?: KeyScope | null;
  readonly projects?: readonly string[] | null;
}

export const apiKeyMutations: Resolvers = {
  async createUserApiKey(_source, { input }: { readonly input: KeyFields }, { domain, loaders }: GraphqlContext) {
    const { key, text } = await domain.apiKeys.createForUser(toInput(input));
    loaders.apiKeys.prime(key.rowId, key);
    return { jwt: text, apiKey: userApiKeyRef(key.rowId), query: QUERY };
  },
  async createSystemApiKey(_source, { input }: { readonly input: KeyFields }, { domain, loaders }: GraphqlContext) {
    const { key, text } = await domain.apiKeys.createForSystem(toInput(input));
    loaders.apiKeys.prime(key.rowId, key);
    return { jwt: text, apiKey: systemApiKeyRef(key.rowId), query: QUERY };
  },
  async deleteUserApiKey(_source, { input }: DeleteArguments, { domain }: GraphqlContext) {
    await domain.apiKeys.deleteOfUser(rowIdOfNode('UserApiKey', input.id), { reportsDenial: true });
    return { apiKeyId: input.id, query: QUERY };
  },
  async deleteSystemApiKey(_source, { input }: DeleteArguments, { domain }: GraphqlContext) {
    await domain.apiKeys.deleteOfSystem(rowIdOfNode('SystemApiKey', input.id));
    return { apiKeyId: input.id, query: QUERY };
  },
};

interface DeleteArguments {
  readonly input: { readonly id: string };
}

const toInput = ({ name, description, expiresAt, scope, projects }: KeyFields): ApiKeyInput => ({
  name,
  description,
  expiresAtUnixNano: expiresAt ? BigInt(expiresAt) : null,
  scope: scope ?? undefined,
  projects,
});
