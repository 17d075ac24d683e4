import type { ProjectDashboardsData } from './generated/dashboards.ts';
import type { Panel } from './panel.ts';

type Project = Extract<ProjectDashboardsData['node'], { readonly __typename: 'Project' }>;

export interface Dashboard extends Omit<Project['dashboards'][number], 'panels'> {
  readonly panels: readonly Panel[];
}

/** The server has checked the panels. */
export const toDashboards = ({ dashboards }: Project): readonly Dashboard[] =>
  dashboards.map((dashboard) => ({ ...dashboard, panels: dashboard.panels as readonly Panel[] }));

export const dashboardPath = (projectId: string, id?: string): string =>
  `/dashboards/projects/${encodeURIComponent(projectId)}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;

/** A name that no dashboard of the project has: `Overview (copy)`, `Overview (copy 2)`. */
export function freeName(name: string, taken: readonly { readonly name: string }[]): string {
  const names = new Set(taken.map((each) => each.name));
  const base = name.slice(0, 85);
  for (let number = 1; ; number++) {
    const candidate = `${base} (copy${number === 1 ? '' : ` ${number}`})`;
    if (!names.has(candidate)) return candidate;
  }
}
