import { groupBy } from '../../base/group-by.ts';
import type { UserFilterField } from '../../model/access/directory-filter.ts';
import type { GroupOfUser } from '../../model/access/group.ts';
import { isEmail, type User } from '../../model/access/user.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Domain } from '../../domain/domain.ts';
import type { Route } from '../../server/route.ts';
import { toMaybeId } from './group-resource.ts';
import { isSelected, readListQuery, readSelection, type Selection, select } from './list-query.ts';
import { readOperations } from './patch-operations.ts';
import type { FilterAttribute } from './resolve-filter.ts';
import { ScimError } from './scim-error.ts';
import { defineScimRoute, type ScimOptions, type ScimRequest } from './scim-route.ts';
import { LIST_SCHEMA, USER_SCHEMA } from './scim-schemas.ts';
import { checkSchema } from './scim-values.ts';
import { differenceOf, patchUser, readUser, toResource, toUserFields, type UserResource } from './user-resource.ts';

/** What filters and `sortBy` may name. */
const USER_ATTRIBUTES: ReadonlyMap<string, FilterAttribute<UserFilterField>> = new Map([
  ['id', { field: 'id', type: 'id' }],
  ['externalid', { field: 'externalId', type: 'exactText' }],
  ['username', { field: 'username', type: 'text' }],
  ['active', { field: 'isActive', type: 'boolean' }],
  ['displayname', { field: 'displayName', type: 'text' }],
  ['name.givenname', { field: 'givenName', type: 'text' }],
  ['name.familyname', { field: 'familyName', type: 'text' }],
  ['emails', { field: 'email', type: 'text' }],
  ['emails.value', { field: 'email', type: 'text' }],
  // An account has one email.
  ['emails.type', { constant: 'work', presence: 'email' }],
  ['emails.primary', { constant: true, presence: 'email' }],
  ['roles', { field: 'role', type: 'text' }],
  ['roles.value', { field: 'role', type: 'text' }],
  ['meta.created', { field: 'createdAt', type: 'time' }],
  ['meta.lastmodified', { field: 'updatedAt', type: 'time' }],
]);

export const userRoutes = (options: ScimOptions): Route[] => [
  defineScimRoute(options, {
    method: 'GET',
    path: '/Users',
    async handle({ domain, query, baseUrl }) {
      const { startIndex, ...page } = readListQuery(query, USER_ATTRIBUTES);
      const { items, totalCount } = await domain.users.query(page);
      const Resources = await toJson(domain, items, baseUrl, readSelection(query));
      return {
        resource: {
          ...{ schemas: [LIST_SCHEMA], totalResults: totalCount, startIndex },
          ...{ itemsPerPage: Resources.length, Resources },
        },
      };
    },
  }),
  defineScimRoute(options, {
    method: 'GET',
    path: '/Users/:id',
    handle: async (request) => toResult(request, await getUser(request)),
  }),
  defineScimRoute(options, {
    method: 'POST',
    path: '/Users',
    async handle(request) {
      checkSchema(request.body, USER_SCHEMA);
      const { username, ...fields } = toUserFields(readUser(request.body));
      if (username === undefined) throw new ScimError('invalidValue', 'A user needs a userName');
      const email = fields.email ?? (isEmail(username) ? username : undefined);
      if (email === undefined) throw new ScimError('invalidValue', 'A user needs an email');
      const user = await request.domain.users.provision({ ...fields, username, email });
      return { ...(await toResult(request, user)), status: 201, location: locationOf(user, request.baseUrl) };
    },
  }),
  defineScimRoute(options, {
    method: 'PUT',
    path: '/Users/:id',
    async handle(request) {
      checkSchema(request.body, USER_SCHEMA);
      return change(request, () => readUser(request.body));
    },
  }),
  defineScimRoute(options, {
    method: 'PATCH',
    path: '/Users/:id',
    async handle(request) {
      const operations = readOperations(request.body);
      return change(request, (user) => patchUser(toResource(user), operations));
    },
  }),
  defineScimRoute(options, {
    method: 'DELETE',
    path: '/Users/:id',
    async handle(request) {
      await request.domain.users.delete([(await getUser(request)).rowId]);
      return { resource: undefined };
    },
  }),
];

async function change(request: ScimRequest, toNew: (user: User) => UserResource) {
  const user = await getUser(request);
  const fields = differenceOf(toUserFields(toResource(user)), toUserFields(toNew(user)));
  return toResult(request, await request.domain.users.patchProvisioned(user, fields));
}

/** @throws {SpandrelError} `USER_NOT_FOUND`, also for the internal account */
async function getUser({ domain, params }: ScimRequest): Promise<User> {
  const rowId = toMaybeId(params.id ?? '');
  const user = rowId === undefined ? undefined : (await domain.users.findByRowIds([rowId])).get(rowId);
  if (user === undefined || user.role === 'SYSTEM') throw new SpandrelError('USER_NOT_FOUND', 'User not found');
  return user;
}

async function toResult({ domain, baseUrl, query }: ScimRequest, user: User) {
  const [resource] = await toJson(domain, [user], baseUrl, readSelection(query));
  return { resource };
}

async function toJson(domain: Domain, users: readonly User[], baseUrl: string, selection: Selection) {
  const groups = isSelected(selection, 'groups')
    ? await domain.groups.listGroupsOfUsers(users.map(({ rowId }) => rowId))
    : [];
  const byUser = groupBy(
    groups,
    ({ userRowId }) => userRowId,
    (group) => group,
  );
  return users.map((user) => select(selection, toUserJson(user, byUser.get(user.rowId) ?? [], baseUrl)));
}

const locationOf = ({ rowId }: User, baseUrl: string): string => `${baseUrl}/Users/${rowId}`;

function toUserJson(user: User, groups: readonly GroupOfUser[], baseUrl: string) {
  const { scimExternalId: externalId, displayName, givenName, familyName, email } = user;
  const formatted = [givenName, familyName].filter((one) => one !== null).join(' ');
  return {
    schemas: [USER_SCHEMA],
    id: String(user.rowId),
    ...(externalId !== null && { externalId }),
    userName: user.username,
    ...(formatted !== '' && {
      name: { formatted, ...(familyName !== null && { familyName }), ...(givenName !== null && { givenName }) },
    }),
    ...(displayName !== null && { displayName }),
    active: user.isActive,
    ...(email !== null && { emails: [{ value: email, type: 'work', primary: true }] }),
    roles: [{ value: user.role }],
    ...(groups.length > 0 && {
      groups: groups.map(({ groupRowId, displayName: display }) => ({
        ...{ value: String(groupRowId), display, type: 'direct', $ref: `${baseUrl}/Groups/${groupRowId}` },
      })),
    }),
    meta: {
      resourceType: 'User',
      created: user.createdAt.toISOString(),
      lastModified: user.updatedAt.toISOString(),
      location: locationOf(user, baseUrl),
    },
  };
}
