import { groupBy } from '../../base/group-by.ts';
import type { GroupFilterField } from '../../model/access/directory-filter.ts';
import type { Group, GroupMember } from '../../model/access/group.ts';
import { SpandrelError } from '../../model/errors.ts';
import { SCIM_LISTED_MEMBER_COUNT_MAX } from '../../model/limits/identity-providers.ts';
import type { Domain } from '../../domain/domain.ts';
import type { Route } from '../../server/route.ts';
import { readGroup, readGroupPatch, toMaybeId } from './group-resource.ts';
import { isSelected, readListQuery, readSelection, type Selection, select } from './list-query.ts';
import { readOperations } from './patch-operations.ts';
import type { FilterAttribute } from './resolve-filter.ts';
import { ScimError } from './scim-error.ts';
import { defineScimRoute, type ScimOptions, type ScimRequest } from './scim-route.ts';
import { GROUP_SCHEMA, LIST_SCHEMA } from './scim-schemas.ts';
import { checkSchema } from './scim-values.ts';

/** What filters and `sortBy` may name. */
const GROUP_ATTRIBUTES: ReadonlyMap<string, FilterAttribute<GroupFilterField>> = new Map([
  ['id', { field: 'id', type: 'id' }],
  ['externalid', { field: 'externalId', type: 'exactText' }],
  ['displayname', { field: 'displayName', type: 'text' }],
  ['members', { field: 'member', type: 'id' }],
  ['members.value', { field: 'member', type: 'id' }],
  ['meta.created', { field: 'createdAt', type: 'time' }],
  ['meta.lastmodified', { field: 'updatedAt', type: 'time' }],
]);

export const groupRoutes = (options: ScimOptions): Route[] => [
  defineScimRoute(options, {
    method: 'GET',
    path: '/Groups',
    async handle({ domain, query, baseUrl }) {
      const { startIndex, ...page } = readListQuery(query, GROUP_ATTRIBUTES);
      const { items, totalCount } = await domain.groups.query(page);
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
    path: '/Groups/:id',
    handle: async (request) => toResult(request, await getGroup(request)),
  }),
  defineScimRoute(options, {
    method: 'POST',
    path: '/Groups',
    async handle(request) {
      checkSchema(request.body, GROUP_SCHEMA);
      const { displayName, externalId = null, members } = readGroup(request.body);
      if (displayName === undefined) throw new ScimError('invalidValue', 'A group needs a displayName');
      const added = members?.added ?? [];
      const group = await request.domain.groups.create({ displayName, externalId, members: added });
      return { ...(await toResult(request, group)), status: 201, location: locationOf(group, request.baseUrl) };
    },
  }),
  defineScimRoute(options, {
    method: 'PUT',
    path: '/Groups/:id',
    async handle(request) {
      checkSchema(request.body, GROUP_SCHEMA);
      const group = await getGroup(request);
      return toResult(request, await request.domain.groups.change(group.rowId, readGroup(request.body)));
    },
  }),
  defineScimRoute(options, {
    method: 'PATCH',
    path: '/Groups/:id',
    async handle(request) {
      const changes = readGroupPatch(readOperations(request.body));
      const { rowId } = await getGroup(request);
      const group = await request.domain.groups.change(rowId, changes);
      // Providers add the members of a large group by many requests, and read none of the responses.
      return readSelection(request.query).attributes ? toResult(request, group) : { resource: undefined };
    },
  }),
  defineScimRoute(options, {
    method: 'DELETE',
    path: '/Groups/:id',
    async handle(request) {
      await request.domain.groups.delete((await getGroup(request)).rowId);
      return { resource: undefined };
    },
  }),
];

/** @throws {SpandrelError} `GROUP_NOT_FOUND` */
async function getGroup({ domain, params }: ScimRequest): Promise<Group> {
  const rowId = toMaybeId(params.id ?? '');
  const group = rowId === undefined ? undefined : await domain.groups.findByRowId(rowId);
  if (group === undefined) throw new SpandrelError('GROUP_NOT_FOUND', 'Group not found');
  return group;
}

async function toResult({ domain, baseUrl, query }: ScimRequest, group: Group) {
  const [resource] = await toJson(domain, [group], baseUrl, readSelection(query));
  return { resource };
}

/** @throws {ScimError} `tooMany` if the groups have more members than one response may */
async function toJson(domain: Domain, groups: readonly Group[], baseUrl: string, selection: Selection) {
  const hasMembers = isSelected(selection, 'members');
  const rowIds = hasMembers ? groups.map(({ rowId }) => rowId) : [];
  const members = await domain.groups.listMembers(rowIds, SCIM_LISTED_MEMBER_COUNT_MAX + 1);
  if (members.length > SCIM_LISTED_MEMBER_COUNT_MAX) {
    throw new ScimError('tooMany', 'These groups have too many members; exclude them by excludedAttributes=members');
  }
  const byGroup = groupBy(
    members,
    ({ groupRowId }) => groupRowId,
    (member) => member,
  );
  return groups.map((group) => select(selection, toGroupJson(group, byGroup.get(group.rowId) ?? [], baseUrl)));
}

const locationOf = ({ rowId }: Group, baseUrl: string): string => `${baseUrl}/Groups/${rowId}`;

const toGroupJson = (group: Group, members: readonly GroupMember[], baseUrl: string) => ({
  schemas: [GROUP_SCHEMA],
  id: String(group.rowId),
  ...(group.externalId !== null && { externalId: group.externalId }),
  displayName: group.displayName,
  members: members.map(({ userRowId, username }) => ({
    ...{ value: String(userRowId), display: username, type: 'User', $ref: `${baseUrl}/Users/${userRowId}` },
  })),
  meta: {
    resourceType: 'Group',
    created: group.createdAt.toISOString(),
    lastModified: group.updatedAt.toISOString(),
    location: locationOf(group, baseUrl),
  },
});
