import { useEffect } from 'react';
import { Failure } from '../../components/Failure.tsx';
import { RequestFailure } from '../../data/request.ts';
import { useQuery } from '../../data/use-query.ts';
import { setPreference, usePreferences } from '../../preferences/preferences.ts';
import { Link } from '../../router/Link.tsx';
import { navigate } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { TimeRangePicker } from '../../time-range/TimeRangePicker.tsx';
import { DashboardView } from './DashboardView.tsx';
import { dashboardPath, toDashboards } from './dashboard.ts';
import { dashboardProjects, projectDashboards } from './generated/dashboards.ts';
import { ProjectMenu } from './ProjectMenu.tsx';
import './dashboards.css';

/** Dashboards of a project. Without a project in the address, the one that the user chose last opens. */
export function DashboardsPage({ params }: { readonly params: RouteParams }) {
  const { projectId, dashboardId } = params;
  return projectId === undefined ? (
    <LastProject />
  ) : (
    <ProjectDashboards key={projectId} projectId={projectId} dashboardId={dashboardId} />
  );
}

function LastProject() {
  const { dashboardProject } = usePreferences();
  const { data, failure, refetch } = useQuery(dashboardProjects, { name: '' });
  const projects = data?.projects.edges.map(({ node }) => node);
  const target = projects && (projects.find(({ id }) => id === dashboardProject) ?? projects[0]);
  useEffect(() => {
    if (target) navigate(dashboardPath(target.id), { replaces: true });
  }, [target]);
  return (
    <>
      <PageHeader crumbs={[{ label: 'Dashboards' }]} />
      {failure && <Failure failure={failure} onRetry={refetch} />}
      {projects && !target && (
        <div className="empty">
          <h2>No projects yet</h2>
          <p>A dashboard shows the spans of a project. Send spans first, or load the sample data.</p>
          <Link className="button" to="/projects">
            Projects
          </Link>
        </div>
      )}
    </>
  );
}

interface ProjectDashboardsProps {
  readonly projectId: string;
  readonly dashboardId: string | undefined;
}

function ProjectDashboards({ projectId, dashboardId }: ProjectDashboardsProps) {
  const { data, failure, refetch } = useQuery(projectDashboards, { id: projectId });
  const node = data?.node;
  const project = node?.__typename === 'Project' ? node : undefined;
  const dashboards = project ? toDashboards(project) : [];
  const isFound = project !== undefined;
  useEffect(() => {
    if (isFound) setPreference('dashboardProject', projectId);
  }, [isFound, projectId]);
  const open = dashboardId === undefined ? dashboards[0] : dashboards.find(({ id }) => id === dashboardId);
  const problem =
    failure ?? (node && !project ? NO_PROJECT : project && dashboardId && !open ? NO_DASHBOARD : undefined);
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Dashboards', ...(project && open ? { to: dashboardPath(projectId) } : {}) },
          ...(project && open ? [{ label: open.name }] : []),
        ]}
      >
        <ProjectMenu projectId={projectId} name={project?.name} />
        <TimeRangePicker hasLive />
      </PageHeader>
      {problem ? (
        <Failure failure={problem} onRetry={refetch} />
      ) : (
        open && (
          <DashboardView
            key={open.id}
            projectId={projectId}
            dashboard={open}
            dashboards={dashboards}
            onChanged={refetch}
          />
        )
      )}
    </>
  );
}

const NO_PROJECT = new RequestFailure(
  'notFound',
  'The project does not exist.',
  'The ID does not belong to a project.',
);
const NO_DASHBOARD = new RequestFailure(
  'notFound',
  'The dashboard does not exist.',
  'The project has no dashboard with this ID.',
);
