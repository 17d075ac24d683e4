import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Failure, FailureBoundary } from '../../components/Failure.tsx';
import { RequestFailure, send } from '../../data/request.ts';
import { usePoll } from '../../data/use-poll.ts';
import { useQuery } from '../../data/use-query.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { Link } from '../../router/Link.tsx';
import { useLocation } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { TimeRangePicker } from '../../time-range/TimeRangePicker.tsx';
import { useChosenRange } from '../../time-range/time-range.ts';
import { NotFoundPage } from '../not-found/NotFoundPage.tsx';
import { projectChange, projectHead } from './generated/project.ts';
import { ProjectStrip } from './ProjectStrip.tsx';
import { type ProjectTab, TABS } from './project-tabs.ts';
import { SessionsTable } from './SessionsTable.tsx';
import { SpansTable } from './SpansTable.tsx';
import './project.css';

const OnboardingPage = lazy(async () => ({ default: (await import('../onboarding/Onboarding.tsx')).Onboarding }));
const MetricsTab = lazy(async () => ({ default: (await import('../metrics/MetricsTab.tsx')).MetricsTab }));

const LIVE_MS = 2_000;

export function ProjectPage({ params }: { readonly params: RouteParams }) {
  const projectId = params.projectId!;
  const tab = TABS.find(({ id }) => id === (params.tab ?? 'spans'))?.id;
  if (tab === undefined) return <NotFoundPage />;
  return <Project key={projectId} projectId={projectId} tab={tab} />;
}

function Project({ projectId, tab }: { readonly projectId: string; readonly tab: ProjectTab }) {
  const head = useQuery(
    projectHead,
    useMemo(() => ({ id: projectId }), [projectId]),
  );
  const node = head.data?.node;
  const project = node?.__typename === 'Project' ? node : undefined;
  const [hasTraces, setHasTraces] = useState<boolean>();
  const change = useChange(projectId, () => setHasTraces(true));
  const isEmpty = project !== undefined && !project.hasTraces && hasTraces !== true;
  const failure = head.failure ?? (node && !project ? NO_PROJECT : undefined);
  const name = project?.name ?? ' ';
  return (
    <>
      <PageHeader crumbs={[{ label: 'Projects', to: '/projects' }, { label: name }]}>
        {!failure && !isEmpty && <TimeRangePicker hasLive />}
      </PageHeader>
      {failure ? (
        <Failure failure={failure} onRetry={head.refetch} />
      ) : isEmpty ? (
        <Suspense fallback={null}>
          <OnboardingPage projectId={projectId} projectName={name} />
        </Suspense>
      ) : (
        <Tables projectId={projectId} tab={tab} change={change} lastEnd={project?.endTime ?? undefined} />
      )}
    </>
  );
}

const NO_PROJECT = new RequestFailure('notFound', 'There is no such project.', 'The id is not that of a project.');

interface TablesProps {
  readonly projectId: string;
  readonly tab: ProjectTab;
  readonly change: string | undefined;
  readonly lastEnd: string | undefined;
}

function Tables({ projectId, tab, change, lastEnd }: TablesProps) {
  const range = useChosenRange();
  const filter = useLocation().search.get('spanFilterCondition') ?? '';
  // The rows come first; what is above them must not make them wait.
  const [hasRows, setHasRows] = useState(false);
  const common = { projectId, range, change, lastEnd, onRows: () => setHasRows(true) };
  return (
    <div className="project">
      <FailureBoundary name="The statistics">
        <ProjectStrip
          projectId={projectId}
          tab={tab}
          range={range}
          filter={tab === 'sessions' || tab === 'metrics' ? '' : filter}
          change={change}
          isWaiting={!hasRows && tab !== 'metrics'}
        />
      </FailureBoundary>
      <FailureBoundary name={tab === 'metrics' ? 'The charts' : 'The table'} key={tab}>
        {tab === 'metrics' ? (
          <>
            <div className="table-bar">
              <Tabs projectId={projectId} tab={tab} />
            </div>
            <Suspense fallback={null}>
              <MetricsTab projectId={projectId} range={range} change={change} />
            </Suspense>
          </>
        ) : tab === 'sessions' ? (
          <SessionsTable {...common} tabs={<Tabs projectId={projectId} tab={tab} />} />
        ) : (
          <SpansTable key={tab} {...common} tab={tab} tabs={<Tabs projectId={projectId} tab={tab} />} />
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

/** When the project's spans last changed; asked while the range is open and somebody wants to see. */
function useChange(projectId: string, onTraces: () => void): string | undefined {
  const range = useChosenRange();
  const { isLive } = usePreferences();
  const [changedAt, setChangedAt] = useState<string>();
  const isOpen = range.kind === 'relative' || range.end === undefined;
  const poll = () => {
    send(projectChange, { id: projectId }).then(
      ({ node }) => {
        if (node.__typename !== 'Project') return;
        if (node.hasTraces) onTraces();
        if (node.streamingLastUpdatedAt) setChangedAt(node.streamingLastUpdatedAt);
      },
      // The next one may work; what is on the screen stays.
      () => {},
    );
  };
  usePoll(poll, isLive && isOpen ? LIVE_MS : undefined);
  useEffect(() => setChangedAt(undefined), []);
  return changedAt;
}
