import type { UserFilterField } from '../../model/access/directory-filter.ts';
import type { GroupOfUser } from '../../model/access/group.ts';
import { isEmail, type User } from '../../model/access/user.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Domain } from '../../domain/domain.ts';
import type { ResourceType } from './resource-routes.ts';
import { ScimError } from './scim-error.ts';
import { USER_SCHEMA } from './scim-schemas.ts';
import { differenceOf, patchUser, readUser, toResource, toUserFields, type UserResource } from './user-resource.ts';

export const USERS: ResourceType<User, UserFilterField, GroupOfUser> = {
  name: 'User',
  schema: USER_SCHEMA,
  attributes: new Map([
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
  ]),
  query: (domain, query) => domain.users.query(query),
  async get(domain, rowId) {
    const user = rowId === undefined ? undefined : (await domain.users.findByRowIds([rowId])).get(rowId);
    // The internal account is no user.
    if (user === undefined || user.role === 'SYSTEM') throw new SpandrelError('USER_NOT_FOUND', 'User not found');
    return user;
  },
  async create(domain, body) {
    const { username, ...fields } = toUserFields(readUser(body));
    if (username === undefined) throw new ScimError('invalidValue', 'A user needs a userName');
    const email = fields.email ?? (isEmail(username) ? username : undefined);
    if (email === undefined) throw new ScimError('invalidValue', 'A user needs an email');
    return domain.users.provision({ ...fields, username, email });
  },
  replace: async (domain, user, body) => change(domain, user, readUser(body)),
  patch: (operations) => async (domain, user) => change(domain, user, patchUser(toResource(user), operations)),
  delete: (domain, rowId) => domain.users.delete([rowId]),
  memberships: {
    attribute: 'groups',
    list: (domain, rowIds) => domain.groups.listGroupsOfUsers(rowIds),
    ownerOf: ({ userRowId }) => userRowId,
  },
  toJson(user, groups, baseUrl) {
    const { scimExternalId: externalId, displayName, givenName, familyName, email } = user;
    const formatted = [givenName, familyName].filter((one) => one !== null).join(' ');
    return {
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
    };
  },
};

const change = (domain: Domain, user: User, resource: UserResource): Promise<User> =>
  domain.users.patchProvisioned(user, differenceOf(toUserFields(toResource(user)), toUserFields(resource)));
