import { SpandrelError } from '../../model/errors.ts';
import { SCIM_PAGE_ROW_COUNT_MAX } from '../../model/limits/identity-providers.ts';
import type { Route } from '../../server/route.ts';
import { defineScimRoute, type ScimOptions } from './scim-route.ts';
import { LIST_SCHEMA, RESOURCE_TYPES, SCHEMAS } from './scim-schemas.ts';

/** What the server can do (RFC 7643, sections 5 to 7). */
export const discoveryRoutes = (options: ScimOptions): Route[] => [
  defineScimRoute(options, {
    method: 'GET',
    path: '/ServiceProviderConfig',
    handle: ({ baseUrl }) => ({ resource: toProviderConfig(baseUrl) }),
  }),
  ...definitionRoutes(options, 'ResourceType', RESOURCE_TYPES),
  ...definitionRoutes(options, 'Schema', SCHEMAS),
];

function definitionRoutes(
  options: ScimOptions,
  resourceType: 'ResourceType' | 'Schema',
  definitions: readonly { readonly id: string }[],
): Route[] {
  const path = `/${resourceType}s`;
  const toJson = (definition: { readonly id: string }, baseUrl: string) => ({
    schemas: [`urn:ietf:params:scim:schemas:core:2.0:${resourceType}`],
    ...definition,
    meta: { resourceType, location: `${baseUrl}${path}/${definition.id}` },
  });
  return [
    defineScimRoute(options, {
      method: 'GET',
      path,
      handle({ baseUrl }) {
        const Resources = definitions.map((one) => toJson(one, baseUrl));
        const count = Resources.length;
        return {
          resource: { schemas: [LIST_SCHEMA], totalResults: count, startIndex: 1, itemsPerPage: count, Resources },
        };
      },
    }),
    defineScimRoute(options, {
      method: 'GET',
      path: `${path}/:id`,
      handle({ params, baseUrl }) {
        const found = definitions.find(({ id }) => id.toLowerCase() === params.id?.toLowerCase());
        if (found === undefined)
          throw new SpandrelError('SCIM_DEFINITION_NOT_FOUND', `There is no such ${resourceType}`);
        return { resource: toJson(found, baseUrl) };
      },
    }),
  ];
}

const toProviderConfig = (baseUrl: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: SCIM_PAGE_ROW_COUNT_MAX },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A system key of the scope SCIM',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
});
