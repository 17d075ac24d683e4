import type { Domain } from '../../domain/domain.ts';
import type { Route } from '../../server/route.ts';
import { annotationConfigRoutes } from './annotation-configs.ts';
import { annotationRoutes } from './annotations.ts';
import { costRoutes } from './costs.ts';
import { documentationRoutes } from './documentation.ts';
import { noteRoutes } from './notes.ts';
import { projectAnnotationConfigRoutes } from './project-annotation-configs.ts';
import { projectAnnotationRoutes } from './project-annotations.ts';
import { projectRoutes } from './projects.ts';
import { promptTagRoutes } from './prompt-tags.ts';
import { promptRoutes } from './prompts.ts';
import { sessionRoutes } from './sessions.ts';
import { spanQueryRoutes } from './span-queries.ts';
import { spanRoutes } from './spans.ts';
import { traceRoutes } from './traces.ts';

/** Every REST route, and the pages that describe them. `version` is our own. */
export function restRoutes({ domain, version }: { readonly domain: Domain; readonly version: string }): Route[] {
  const routes = [
    ...projectRoutes(domain),
    ...spanRoutes(domain),
    ...spanQueryRoutes(domain),
    ...traceRoutes(domain),
    ...sessionRoutes(domain),
    ...promptRoutes(domain),
    ...promptTagRoutes(domain),
    ...annotationRoutes(domain),
    ...noteRoutes(domain),
    ...projectAnnotationRoutes(domain),
    ...annotationConfigRoutes(domain),
    ...projectAnnotationConfigRoutes(domain),
    ...costRoutes(domain),
  ];
  return [...routes, ...documentationRoutes(routes, version)];
}
