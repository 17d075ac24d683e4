import type { GroupFilterField } from '../../model/access/directory-filter.ts';
import type { Group, GroupMember } from '../../model/access/group.ts';
import { SpandrelError } from '../../model/errors.ts';
import { SCIM_LISTED_MEMBER_COUNT_MAX } from '../../model/limits/identity-providers.ts';
import { readGroup, readGroupPatch } from './group-resource.ts';
import type { ResourceType } from './resource-routes.ts';
import { ScimError } from './scim-error.ts';
import { GROUP_SCHEMA } from './scim-schemas.ts';

export const GROUPS: ResourceType<Group, GroupFilterField, GroupMember> = {
  name: 'Group',
  schema: GROUP_SCHEMA,
  attributes: new Map([
    ['id', { field: 'id', type: 'id' }],
    ['externalid', { field: 'externalId', type: 'exactText' }],
    ['displayname', { field: 'displayName', type: 'text' }],
    ['members', { field: 'member', type: 'id' }],
    ['members.value', { field: 'member', type: 'id' }],
    ['meta.created', { field: 'createdAt', type: 'time' }],
    ['meta.lastmodified', { field: 'updatedAt', type: 'time' }],
  ]),
  // Providers add the members of a large group by many requests, and read none of the responses.
  isPatchSilent: true,
  query: (domain, query) => domain.groups.query(query),
  async get(domain, rowId) {
    const group = rowId === undefined ? undefined : await domain.groups.findByRowId(rowId);
    if (group === undefined) throw new SpandrelError('GROUP_NOT_FOUND', 'Group not found');
    return group;
  },
  async create(domain, body) {
    const { displayName, externalId = null, members } = readGroup(body);
    if (displayName === undefined) throw new ScimError('invalidValue', 'A group needs a displayName');
    return domain.groups.create({ displayName, externalId, members: members?.added ?? [] });
  },
  replace: async (domain, { rowId }, body) => domain.groups.change(rowId, readGroup(body)),
  patch(operations) {
    const changes = readGroupPatch(operations);
    return (domain, { rowId }) => domain.groups.change(rowId, changes);
  },
  delete: (domain, rowId) => domain.groups.delete(rowId),
  memberships: {
    attribute: 'members',
    async list(domain, rowIds) {
      const members = await domain.groups.listMembers(rowIds, SCIM_LISTED_MEMBER_COUNT_MAX + 1);
      if (members.length <= SCIM_LISTED_MEMBER_COUNT_MAX) return members;
      throw new ScimError('tooMany', 'These groups have too many members; exclude them by excludedAttributes=members');
    },
    ownerOf: ({ groupRowId }) => groupRowId,
  },
  toJson: ({ externalId, displayName }, members, baseUrl) => ({
    ...(externalId !== null && { externalId }),
    displayName,
    members: members.map(({ userRowId, username }) => ({
      ...{ value: String(userRowId), display: username, type: 'User', $ref: `${baseUrl}/Users/${userRowId}` },
    })),
  }),
};
