import type { Ports } from '../ports.ts';
import {
  guardedAnnotationConfigs,
  guardedDatasets,
  guardedProjects,
  guardedRecomputations,
  guardedRetention,
  guardedSavedViews,
} from './guarded-repositories.ts';
import { guardedWrites } from './guarded-writes.ts';
import { ProjectAccess } from './project-access.ts';
import { VisibleRows } from './visible-rows.ts';
import { visibleSpans } from './visible-spans.ts';

/**
 * The stores as the caller may use them. Each domain is built on the result, so no operation and no API layer can reach a
 * project that is hidden from its caller. The server itself, and everyone while sign-in is off, uses the stores as they are.
 */
export function guardPorts(ports: Ports): Ports {
  const { caller, signIn } = ports;
  if (signIn === undefined || caller.kind === 'signInOff') return ports;
  const access = new ProjectAccess(caller, signIn.projectDirectory);
  const rows = new VisibleRows(ports.spans, access);
  return {
    ...ports,
    projectAccess: access,
    projects: guardedProjects(ports.projects, access),
    datasets: guardedDatasets(ports.datasets, rows),
    savedViews: guardedSavedViews(ports.savedViews, access),
    annotationConfigs: guardedAnnotationConfigs(ports.annotationConfigs, access),
    retention: guardedRetention(ports.retention, access),
    recomputations: guardedRecomputations(ports.recomputations, access),
    search: (query) => ports.search(access.reachesAll ? query : { ...query, projects: access.scope }),
    spans: visibleSpans(ports.spans, access, rows),
    writes: guardedWrites(ports.writes, { reader: ports.spans, access, rows }),
  };
}
