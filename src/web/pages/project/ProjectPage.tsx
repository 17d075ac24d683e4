import { useState } from 'react';
import { Failure, FailureBoundary } from '../../components/Failure.tsx';
import { FilterField } from '../../components/filter/FilterField.tsx';
import { lazy } from '../../components/lazy.tsx';
import { RequestFailure } from '../../data/request.ts';
import { useQuery } from '../../data/use-query.ts';
import { Link } from '../../router/Link.tsx';
import { setSearch, useLocation } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { useVisit } from '../../shell/visits.ts';
import { TimeRangePicker } from '../../time-range/TimeRangePicker.tsx';
import { useChosenRange } from '../../time-range/time-range.ts';
import { NotFoundPage } from '../not-found/NotFoundPage.tsx';
import type { LastEnd } from './EmptyRange.tsx';
import { projectExtent, projectHead } from './generated/project.ts';
import { type DataTab, isDataTab, type ProjectTab, TABS, useFirstTab } from './project-tabs.ts';
import { readRowScope } from './row-scope.ts';
import { SessionsTable } from './sessions/SessionsTable.tsx';
import { SpansTable } from './spans/SpansTable.tsx';
import { ProjectStatistics } from './statistics/ProjectStatistics.tsx';
import { type Live, useLive } from './use-live.ts';
import './project.css';

const OnboardingPage = lazy(async () => (await import('../onboarding/Onboarding.tsx')).Onboarding);
const MetricsTab = lazy(async () => (await import('../metrics/MetricsTab.tsx')).MetricsTab);
const OnlineTab = lazy(async () => (await import('./online/OnlineTab.tsx')).OnlineTab);
const ConfigTab = lazy(async () => (await import('./config/ConfigTab.tsx')).ConfigTab);

export function ProjectPage({ params }: { readonly params: RouteParams }) {
  const projectId = params.projectId!;
  const [firstTab] = useFirstTab(projectId);
  const tab = TABS.find(({ id }) => id === (params.tab ?? firstTab))?.id;
  if (tab === undefined) return <NotFoundPage />;
  return <Project key={projectId} projectId={projectId} tab={tab} />;
}

function Project({ projectId, tab }: { readonly projectId: string; readonly tab: ProjectTab }) {
  const head = useQuery(projectHead, { id: projectId });
  const node = head.data?.node;
  const project = node?.__typename === 'Project' ? node : undefined;
  const live = useLive(projectId);
  // Reads all traces of the project, so it is only sent when it is needed.
  const [hasNoRows, setHasNoRows] = useState(false);
  const extent = useQuery(projectExtent, hasNoRows || tab === 'metrics' ? { id: projectId } : undefined);
  const ends = extent.data?.node.__typename === 'Project' ? extent.data.node : undefined;
  const isEmpty = ends !== undefined && !ends.hasTraces;
  const failure = head.failure ?? (node && !project ? NO_PROJECT : undefined);
  const name = project?.name ?? ' ';
  const place = `/projects/${encodeURIComponent(projectId)}`;
  useVisit(project && { kind: 'project', path: place, label: name }, place, failure);
  return (
    <>
      <PageHeader crumbs={[{ label: 'Projects', to: '/projects' }, { label: project?.name ?? '…' }]}>
        {!failure && !isEmpty && isDataTab(tab) && <TimeRangePicker hasLive />}
      </PageHeader>
      {failure ? (
        <Failure failure={failure} onRetry={head.refetch} />
      ) : !isDataTab(tab) || isEmpty ? (
        <div className="project">
          <div className="table-bar">
            <Tabs projectId={projectId} tab={tab} />
          </div>
          <FailureBoundary name="This tab" key={tab}>
            {tab === 'config' ? (
              <ConfigTab projectId={projectId} />
            ) : tab === 'evaluators' ? (
              <OnlineTab projectId={projectId} />
            ) : (
              <OnboardingPage projectId={projectId} projectName={name} onArrived={extent.refetch} />
            )}
          </FailureBoundary>
        </div>
      ) : (
        <Tables
          projectId={projectId}
          tab={tab}
          live={live}
          lastEnd={extent.failure ? null : ends?.endTime}
          onEmpty={() => setHasNoRows(true)}
        />
      )}
    </>
  );
}

const NO_PROJECT = new RequestFailure(
  'notFound',
  'The project does not exist.',
  'The ID does not belong to a project.',
);

interface TablesProps {
  readonly projectId: string;
  readonly tab: DataTab;
  readonly live: Live;
  readonly lastEnd: LastEnd;
  /** Called if there are no rows. */
  readonly onEmpty: () => void;
}

function Tables({ projectId, tab, live, lastEnd, onEmpty }: TablesProps) {
  const range = useChosenRange();
  const scope = readRowScope(tab, useLocation().search);
  // The statistics load after the rows, so that the rows do not wait.
  const [hasRows, setHasRows] = useState(false);
  const onRows = (rowCount: number) => {
    setHasRows(true);
    if (rowCount === 0) onEmpty();
  };
  const common = { projectId, live, lastEnd, onRows };
  return (
    <div className="project">
      <FailureBoundary name="The statistics">
        <ProjectStatistics
          projectId={projectId}
          tab={tab}
          range={range}
          scope={scope}
          change={live.change}
          isWaiting={!hasRows && tab !== 'metrics'}
        />
      </FailureBoundary>
      <FailureBoundary name={tab === 'metrics' ? 'The charts' : 'The table'} key={tab}>
        {tab === 'metrics' ? (
          <>
            <div className="table-bar">
              <Tabs projectId={projectId} tab={tab} />
              <FilterField
                projectId={projectId}
                kind="span"
                value={scope.filter}
                onApply={(condition) => setSearch({ spanFilterCondition: condition || null })}
              />
            </div>
            <MetricsTab projectId={projectId} range={range} filter={scope.filter} change={live.change} />
          </>
        ) : tab === 'sessions' ? (
          <SessionsTable {...common} tabs={<Tabs projectId={projectId} tab={tab} />} />
        ) : (
          <SpansTable key={tab} {...common} range={range} tab={tab} tabs={<Tabs projectId={projectId} tab={tab} />} />
        )}
      </FailureBoundary>
    </div>
  );
}

function Tabs({ projectId, tab }: { readonly projectId: string; readonly tab: ProjectTab }) {
  const search = new URLSearchParams(window.location.search);
  const kept = new URLSearchParams(
    [...search].filter(([name]) => name.startsWith('timeRange') || name === 'spanFilterCondition'),
  ).toString();
  return (
    <nav className="tabs" aria-label="Views of the project">
      {TABS.map(({ id, label }) => (
        <Link
          key={id}
          to={`/projects/${encodeURIComponent(projectId)}/${id}${kept && `?${kept}`}`}
          {...(id === tab ? { 'aria-current': 'page' } : {})}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
