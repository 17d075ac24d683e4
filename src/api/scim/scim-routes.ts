import type { Route } from '../../server/route.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import { GROUPS } from './groups.ts';
import { resourceRoutes } from './resource-routes.ts';
import type { ScimOptions } from './scim-route.ts';
import { USERS } from './users.ts';

/** SCIM 2.0: an identity provider creates, changes and deactivates users and groups. */
export const scimRoutes = (options: ScimOptions): Route[] => [
  ...discoveryRoutes(options),
  ...resourceRoutes(options, USERS),
  ...resourceRoutes(options, GROUPS),
];
