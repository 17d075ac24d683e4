import type { Route } from '../../server/route.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import { groupRoutes } from './group-routes.ts';
import type { ScimOptions } from './scim-route.ts';
import { userRoutes } from './user-routes.ts';

/** SCIM 2.0: an identity provider creates, changes and deactivates users and groups. */
export const scimRoutes = (options: ScimOptions): Route[] => [
  ...discoveryRoutes(options),
  ...userRoutes(options),
  ...groupRoutes(options),
];
