import { type Static, Type } from '@sinclair/typebox';
import { nowUnixNano } from '../../../base/now-unix-nano.ts';
import { type ApiKey, KEY_SCOPES } from '../../../model/access/api-key.ts';
import { KEY_PROJECT_COUNT_MAX } from '../../../model/limits/access.ts';
import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import { formatUnixNano } from '../../../model/time/datetime.ts';
import type { ApiKeyInput, CreatedApiKey } from '../../../domain/access/change-api-keys.ts';
import { type GlobalIdType, toGlobalId } from '../../contract/global-id.ts';
import { cursorTo, rowIdOfCursor } from '../cursor.ts';
import { dateText } from '../date-text.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { rowIdIn } from '../row-id.ts';
import {
  BoundedLimit,
  Cursor,
  DataOf,
  DateTime,
  DateTimeText,
  Nullable,
  OneOf,
  PageOf,
  Ruled,
  TrimmedText,
} from '../schema.ts';

const KEY_SCOPE_TEXT =
  'ALL: as the owner. READ: only reads. SEND: only sends spans. SCIM: only provisions users; for system keys.';

const FIELDS = {
  id: Type.String({ description: 'Global ID.' }),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  created_at: DateTimeText(),
  expires_at: Type.Optional(DateTimeText()),
  last_used_at: Type.Optional(DateTimeText()),
  last_characters: Type.String({ description: 'The last four characters of the key.' }),
  scope: OneOf(KEY_SCOPES, { description: KEY_SCOPE_TEXT }),
  projects: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Names of the only projects that the key reaches. Absent: all of its owner.',
    }),
  ),
};
const KeyJson = Type.Object(FIELDS, { $id: 'ApiKey' });
const CreatedKeyJson = Type.Object(
  { ...FIELDS, key: Type.String({ description: 'The key, which is shown only now.' }) },
  { $id: 'CreatedApiKey' },
);
const OwnedKeyJson = Type.Object(
  {
    ...FIELDS,
    user: Type.Object({ id: Type.String(), username: Type.String(), email: Nullable(Type.String()) }),
  },
  { $id: 'ApiKeyOfUser' },
);

const NewKey = Type.Object({
  name: TrimmedText(),
  description: Type.Optional(Nullable(Type.String())),
  expires_at: Type.Optional(Nullable(DateTime({ description: 'In the future. Without an offset it is in UTC.' }))),
  scope: Type.Optional(OneOf(KEY_SCOPES)),
  projects: Type.Optional(
    Nullable(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: KEY_PROJECT_COUNT_MAX,
        description: 'Names of the only projects that the key reaches. They need not exist.',
      }),
    ),
  ),
});
const NewKeyBody = Type.Object({
  data: Ruled(NewKey, ({ expires_at: expiresAt }) =>
    expiresAt && expiresAt.unixNano <= nowUnixNano() ? 'expires_at must be in the future' : undefined,
  ),
});

const NEW_EXAMPLE = { data: { name: 'exporter of production', scope: 'SEND' } };
const USER_ERRORS = {
  403: 'System API keys must be managed through the /system/api_keys endpoints.',
  422: 'Invalid UserApiKey GlobalID format: <id>',
};

/** Keys of the caller, of all users, and of the internal account. */
export const apiKeyRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/user/api_keys',
    access: 'person',
    operationId: 'listOwnApiKeys',
    tag: 'api keys',
    summary: 'List the keys of the caller',
    success: {
      status: 200,
      description: 'All keys, newest first.',
      schema: Type.Object({ data: Type.Array(KeyJson) }),
    },
    async handle({ domain: { caller, apiKeys } }) {
      if (caller.kind !== 'signedIn' || caller.user.role === 'SYSTEM') return { data: [] };
      const { rowId } = caller.user;
      const keys = (await apiKeys.findOfUsers([rowId])).get(rowId) ?? [];
      return { data: keys.map((key) => toJson('UserApiKey', key)) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/user/api_keys',
    access: 'person',
    blockedWhenStorageFull: true,
    operationId: 'createOwnApiKey',
    tag: 'api keys',
    summary: 'Create a key of the caller',
    description: 'Needs a session: a key cannot create keys.',
    body: NewKeyBody,
    bodyExample: NEW_EXAMPLE,
    success: { status: 201, description: 'The key.', schema: DataOf(CreatedKeyJson) },
    errors: { 403: 'API keys cannot create API keys' },
    handle: async ({ domain, body }) => ({
      data: toCreatedJson('UserApiKey', await domain.apiKeys.createForUser(toInput(body.data))),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/user/api_keys/:api_key_id',
    access: 'person',
    operationId: 'deleteUserApiKey',
    tag: 'api keys',
    summary: 'Delete a key of the caller, or of any user as an administrator',
    params: { api_key_id: 'Global ID of the key.' },
    success: { status: 204, description: 'The key is deleted and invalid.' },
    errors: { ...USER_ERRORS, 404: 'API key not found' },
    async handle({ domain, params: { api_key_id: id } }) {
      await domain.apiKeys.deleteOfUser(rowIdIn('UserApiKey', id, `Invalid UserApiKey GlobalID format: ${id}`));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/users/api_keys',
    access: 'strictAdmin',
    operationId: 'listApiKeysOfUsers',
    tag: 'api keys',
    summary: 'List the keys of all users, newest first',
    query: Type.Object({ cursor: Cursor, limit: BoundedLimit }),
    success: { status: 200, description: 'One page of keys, without system keys.', schema: PageOf(OwnedKeyJson) },
    errors: { 422: 'Invalid UserApiKey GlobalID format: <cursor>' },
    async handle({ domain, query: { cursor, limit } }) {
      const fromRowId = rowIdOfCursor(cursor, `Invalid UserApiKey GlobalID format: ${cursor}`);
      const page = await domain.apiKeys.list('users', { limit, ...(fromRowId !== undefined && { fromRowId }) });
      const owners = await domain.users.findByRowIds(page.items.map(({ userRowId }) => userRowId));
      const data = page.items.flatMap((key) => {
        const owner = owners.get(key.userRowId);
        if (owner === undefined) return [];
        const user = { id: toGlobalId('User', owner.rowId), username: owner.username, email: owner.email };
        return [{ ...toJson('UserApiKey', key), user }];
      });
      return { data, next_cursor: cursorTo('UserApiKey', page.nextRowId) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/system/api_keys',
    access: 'strictAdmin',
    operationId: 'listSystemApiKeys',
    tag: 'api keys',
    summary: 'List system keys, newest first',
    success: { status: 200, description: 'All system keys.', schema: Type.Object({ data: Type.Array(KeyJson) }) },
    async handle({ domain }) {
      const { items } = await domain.apiKeys.list('system', { limit: PAGE_ROW_COUNT_MAX });
      return { data: items.map((key) => toJson('SystemApiKey', key)) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/system/api_keys',
    access: 'strictAdmin',
    blockedWhenStorageFull: true,
    operationId: 'createSystemApiKey',
    tag: 'api keys',
    summary: 'Create a system key',
    description:
      'A system key belongs to no person, so it stays valid when people leave. Needs a session or the admin secret.',
    body: NewKeyBody,
    bodyExample: NEW_EXAMPLE,
    success: { status: 201, description: 'The key.', schema: DataOf(CreatedKeyJson) },
    errors: { 403: 'API keys cannot create API keys' },
    handle: async ({ domain, body }) => ({
      data: toCreatedJson('SystemApiKey', await domain.apiKeys.createForSystem(toInput(body.data))),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/system/api_keys/:api_key_id',
    access: 'strictAdmin',
    operationId: 'deleteSystemApiKey',
    tag: 'api keys',
    summary: 'Delete a system key',
    params: { api_key_id: 'Global ID of the key.' },
    success: { status: 204, description: 'The key is deleted and invalid.' },
    errors: { 404: 'System API key not found', 422: 'Invalid SystemApiKey GlobalID format: <id>' },
    async handle({ domain, params: { api_key_id: id } }) {
      await domain.apiKeys.deleteOfSystem(rowIdIn('SystemApiKey', id, `Invalid SystemApiKey GlobalID format: ${id}`));
    },
  }),
];

type KeyType = Extract<GlobalIdType, 'UserApiKey' | 'SystemApiKey'>;

const toJson = (type: KeyType, key: ApiKey): Static<typeof KeyJson> => ({
  id: toGlobalId(type, key.rowId),
  name: key.name,
  ...(key.description !== null && { description: key.description }),
  created_at: dateText(key.createdAt),
  ...(key.expiresAtUnixNano !== null && { expires_at: formatUnixNano(key.expiresAtUnixNano) }),
  ...(key.lastUsedAt !== null && { last_used_at: dateText(key.lastUsedAt) }),
  last_characters: key.lastCharacters,
  scope: key.scope,
  ...(key.projects !== null && { projects: [...key.projects] }),
});

const toCreatedJson = (type: KeyType, { key, text }: CreatedApiKey) => ({ ...toJson(type, key), key: text });

const toInput = (fields: Static<typeof NewKey>): ApiKeyInput => ({
  name: fields.name,
  description: fields.description,
  expiresAtUnixNano: fields.expires_at?.unixNano ?? null,
  scope: fields.scope,
  projects: fields.projects,
});
