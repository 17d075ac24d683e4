import type { Domain } from '../../domain/domain.ts';
import type { Route } from '../../server/route.ts';
import { costRoutes } from './costs.ts';
import { documentationRoutes } from './documentation.ts';
import { projectRoutes } from './projects.ts';
import { sessionRoutes } from './sessions.ts';
import { spanRoutes } from './spans.ts';
import { traceRoutes } from './traces.ts';

/** Every REST route, and the pages that describe them. `version` is our own. */
export function restRoutes({ domain, version }: { readonly domain: Domain; readonly version: string }): Route[] {
  const routes = [
    ...projectRoutes(domain),
    ...spanRoutes(domain),
    ...traceRoutes(domain),
    ...sessionRoutes(domain),
    ...costRoutes(domain),
  ];
  return [...routes, ...documentationRoutes(routes, version)];
}
