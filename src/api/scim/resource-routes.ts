import { groupBy } from '../../base/group-by.ts';
import type { DirectoryQuery } from '../../model/access/directory-filter.ts';
import type { Domain } from '../../domain/domain.ts';
import type { Route } from '../../server/route.ts';
import { isSelected, readListQuery, readSelection, select } from './list-query.ts';
import { type Operation, readOperations } from './patch-operations.ts';
import type { FilterAttributes } from './resolve-filter.ts';
import { defineScimRoute, type ScimOptions, type ScimRequest, type ScimResult } from './scim-route.ts';
import { LIST_SCHEMA } from './scim-schemas.ts';
import { type Attributes, checkSchema, toMaybeId } from './scim-values.ts';

interface Stored {
  readonly rowId: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A resource type that clients change. */
export interface ResourceType<Resource extends Stored, Field extends string, Member> {
  readonly name: 'User' | 'Group';
  readonly schema: string;
  /** What filters and `sortBy` may name. */
  readonly attributes: FilterAttributes<Field>;
  readonly isPatchSilent?: boolean;
  readonly query: (
    domain: Domain,
    query: DirectoryQuery<Field>,
  ) => Promise<{ readonly items: readonly Resource[]; readonly totalCount: number }>;
  /** @throws {SpandrelError} if there is none that clients may see */
  readonly get: (domain: Domain, rowId: number | undefined) => Promise<Resource>;
  readonly create: (domain: Domain, body: Attributes) => Promise<Resource>;
  readonly replace: (domain: Domain, resource: Resource, body: Attributes) => Promise<Resource>;
  /** Checks the operations before the resource is read. */
  readonly patch: (operations: readonly Operation[]) => (domain: Domain, resource: Resource) => Promise<Resource>;
  readonly delete: (domain: Domain, rowId: number) => Promise<unknown>;
  /** The attribute that lists groups of users or members of groups, which are read only if it is selected. */
  readonly memberships: {
    readonly attribute: string;
    readonly list: (domain: Domain, rowIds: readonly number[]) => Promise<readonly Member[]>;
    readonly ownerOf: (member: Member) => number;
  };
  /** Attributes besides `schemas`, `id` and `meta`. */
  readonly toJson: (resource: Resource, members: readonly Member[], baseUrl: string) => object;
}

export function resourceRoutes<Resource extends Stored, Field extends string, Member>(
  options: ScimOptions,
  type: ResourceType<Resource, Field, Member>,
): Route[] {
  const route = (
    method: Route['method'],
    suffix: '' | '/:id',
    handle: (request: ScimRequest) => Promise<ScimResult>,
  ): Route => defineScimRoute(options, { method, path: `/${type.name}s${suffix}`, handle });
  const get = ({ domain, params }: ScimRequest) => type.get(domain, toMaybeId(params.id ?? ''));
  return [
    route('GET', '', async (request) => {
      const { startIndex, ...page } = readListQuery(request.query, type.attributes);
      const { items, totalCount } = await type.query(request.domain, page);
      const Resources = await toResources(request, items);
      return {
        resource: {
          ...{ schemas: [LIST_SCHEMA], totalResults: totalCount, startIndex },
          ...{ itemsPerPage: Resources.length, Resources },
        },
      };
    }),
    route('GET', '/:id', async (request) => toResult(request, await get(request))),
    route('POST', '', async (request) => {
      checkSchema(request.body, type.schema);
      const created = await type.create(request.domain, request.body);
      return { ...(await toResult(request, created)), status: 201, location: locationOf(created, request.baseUrl) };
    }),
    route('PUT', '/:id', async (request) => {
      checkSchema(request.body, type.schema);
      return toResult(request, await type.replace(request.domain, await get(request), request.body));
    }),
    route('PATCH', '/:id', async (request) => {
      const patch = type.patch(readOperations(request.body));
      const patched = await patch(request.domain, await get(request));
      const isSilent = type.isPatchSilent && !readSelection(request.query).attributes;
      return isSilent ? { resource: undefined } : toResult(request, patched);
    }),
    route('DELETE', '/:id', async (request) => {
      await type.delete(request.domain, (await get(request)).rowId);
      return { resource: undefined };
    }),
  ];

  async function toResult(request: ScimRequest, resource: Resource) {
    return { resource: (await toResources(request, [resource]))[0] };
  }

  async function toResources({ domain, query, baseUrl }: ScimRequest, resources: readonly Resource[]) {
    const selection = readSelection(query);
    const { attribute, list, ownerOf } = type.memberships;
    const rowIds = resources.map(({ rowId }) => rowId);
    const members = groupBy(
      isSelected(selection, attribute) ? await list(domain, rowIds) : [],
      ownerOf,
      (member) => member,
    );
    return resources.map((resource) =>
      select(selection, {
        schemas: [type.schema],
        id: String(resource.rowId),
        ...type.toJson(resource, members.get(resource.rowId) ?? [], baseUrl),
        meta: {
          resourceType: type.name,
          created: resource.createdAt.toISOString(),
          lastModified: resource.updatedAt.toISOString(),
          location: locationOf(resource, baseUrl),
        },
      }),
    );
  }

  function locationOf({ rowId }: Stored, baseUrl: string): string {
    return `${baseUrl}/${type.name}s/${rowId}`;
  }
}
