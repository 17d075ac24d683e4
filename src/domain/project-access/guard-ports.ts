import type { Ports } from '../ports.ts';
import {
  guardedAnnotationConfigs,
  guardedCalibrations,
  guardedDashboards,
  guardedDatasetSources,
  guardedDatasets,
  guardedOnlineEvaluators,
  guardedProjects,
  guardedRecomputations,
  guardedRetention,
  guardedSavedViews,
} from './guarded-repositories.ts';
import { guardedWrites } from './guarded-writes.ts';
import { ProjectAccess } from './project-access.ts';
import { VisibleRows } from './visible-rows.ts';
import { visibleSpans } from './visible-spans/visible-spans.ts';

/**
 * The stores as the caller may use them. Each domain is built on the result, so no operation and no API layer can reach a
 * project that is hidden from its caller. The server itself, and everyone while sign-in is off, uses the stores as they are.
 */
export function guardPorts(ports: Ports): Ports {
  const { caller, signIn } = ports;
  if (signIn === undefined || caller.kind === 'signInOff') return ports;
  const access = new ProjectAccess(caller, signIn.projectDirectory);
  const rows = new VisibleRows(ports.spans, access);
  const guarded: Ports = Object.create(ports);
  // A request uses few stores, so each is guarded when it is first used.
  for (const name of GUARDED) {
    Object.defineProperty(guarded, name, {
      enumerable: true,
      configurable: true,
      get() {
        const value = GUARDS[name](ports, access, rows);
        Object.defineProperty(guarded, name, { enumerable: true, value });
        return value;
      },
    });
  }
  return guarded;
}

/** Stores with data of projects. All others have none. */
const GUARDS = {
  projectAccess: (_ports, access) => access,
  projects: (ports, access) => guardedProjects(ports.projects, access),
  datasets: (ports, _access, rows) => guardedDatasets(ports.datasets, rows),
  datasetSources: (ports, access) => guardedDatasetSources(ports.datasetSources, access),
  savedViews: (ports, access) => guardedSavedViews(ports.savedViews, access),
  calibrations: (ports, access) => guardedCalibrations(ports.calibrations, access),
  onlineEvaluators: (ports, access) => guardedOnlineEvaluators(ports.onlineEvaluators, access),
  dashboards: (ports, access) => guardedDashboards(ports.dashboards, access),
  annotationConfigs: (ports, access) => guardedAnnotationConfigs(ports.annotationConfigs, access),
  retention: (ports, access) => guardedRetention(ports.retention, access),
  recomputations: (ports, access) => guardedRecomputations(ports.recomputations, access),
  search: (ports, access) => (query) => ports.search(access.reachesAll ? query : { ...query, projects: access.scope }),
  spans: (ports, access, rows) => visibleSpans(ports.spans, access, rows),
  writes: (ports, access, rows) => guardedWrites(ports.writes, { reader: ports.spans, access, rows }),
} as const satisfies {
  readonly [Name in keyof Ports]?: (ports: Ports, access: ProjectAccess, rows: VisibleRows) => Ports[Name];
};

const GUARDED = Object.keys(GUARDS) as readonly (keyof typeof GUARDS)[];
