import { useMemo } from 'react';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Failure, FailureBoundary } from '../../components/Failure.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Tip } from '../../components/Tip.tsx';
import { RequestFailure } from '../../data/request.ts';
import { useQuery } from '../../data/use-query.ts';
import { formatCost, formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { appPath, appUrl } from '../../router/app-url.ts';
import { Link } from '../../router/Link.tsx';
import { navigate, setSearch, useLocation } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { useHotkeys } from '../../shell/use-hotkeys.ts';
import { traceHead } from './generated/trace.ts';
import { SpanPanel } from './SpanPanel.tsx';
import { SplitPane } from './SplitPane.tsx';
import { SpanTree } from './span-tree.ts';
import { TreePane } from './TreePane.tsx';
import { neighbourOf, placeBefore } from './trace-order.ts';
import './trace.css';

/** One trace: its spans on a time axis, and the span that is selected. */
export function TracePage({ params }: { readonly params: RouteParams }) {
  const { projectId = '', traceId = '' } = params;
  const times = useTimeFormat();
  const { path, search } = useLocation();
  const head = useQuery(traceHead, { projectId, traceId }, { keeps: false });
  const node = head.isStale ? undefined : head.data?.node;
  const project = node?.__typename === 'Project' ? node : undefined;
  const trace = project?.trace ?? undefined;
  const tree = useMemo(() => trace && new SpanTree(trace.skeleton), [trace]);
  const selected = tree?.indexOfNode(search.get('selectedSpanNodeId')) ?? tree?.roots[0];
  const projectPath = `/projects/${encodeURIComponent(projectId)}`;
  const tab = path.includes('/traces/') ? 'traces' : 'spans';
  const back = placeBefore();

  const step = (direction: 1 | -1) => {
    const place = neighbourOf(path, direction);
    if (place !== undefined) navigate(place, { replaces: true });
  };
  useHotkeys({
    j: () => step(1),
    k: () => step(-1),
    escape: () => navigate(back ? appPath(back) : `${projectPath}/${tab}`),
  });

  const failure = head.failure ?? (node && !trace ? NO_TRACE : undefined);
  const root = tree && tree.roots[0] !== undefined ? tree.name(tree.roots[0]) : traceId.slice(0, 12);
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Projects', to: '/projects' },
          { label: project?.name ?? '…', to: back ? appPath(back) : `${projectPath}/${tab}` },
          { label: root },
        ]}
      >
        <span className="row">
          <StepButton label="Previous trace" keys="K" place={neighbourOf(path, -1)} icon="up" />
          <StepButton label="Next trace" keys="J" place={neighbourOf(path, 1)} icon="down" />
          <CopyButton
            label="Copy link"
            text={() => new URL(appUrl(path) + window.location.search, window.location.origin).href}
          />
        </span>
      </PageHeader>
      {failure ? (
        <Failure failure={failure} onRetry={head.refetch} />
      ) : !trace || !tree || selected === undefined ? (
        <TraceSkeleton />
      ) : (
        <>
          <div className="trace-facts">
            {trace.errorCount > 0 ? (
              <span className="status-error">
                <Icon name="error" size={13} /> {formatCount(trace.errorCount)} failed
              </span>
            ) : (
              <span className="muted">No errors</span>
            )}
            <Fact label="Latency" value={formatLatency(trace.latencyMs)} />
            <Fact label="Spans" value={formatCount(trace.numSpans)} />
            <Fact label="Tokens" value={formatCount(sumRoots(tree) || undefined)} />
            <Fact label="Cost" value={formatCost(trace.costSummary.total.cost)} />
            <Fact label="Started" value={times.full(trace.startTime)} />
            {trace.session && (
              <span className="fact">
                <span>Session</span>
                <Link to={`${projectPath}/sessions/${encodeURIComponent(trace.session.id)}`}>
                  {trace.session.sessionId}
                </Link>
              </span>
            )}
            <span className="fact">
              <span>Trace</span>
              <code>{trace.traceId}</code>
              <CopyButton text={trace.traceId} label="Copy trace id" />
            </span>
          </div>
          <SplitPane
            left={
              <FailureBoundary name="The tree">
                <TreePane
                  key={trace.id}
                  tree={tree}
                  selected={selected}
                  onSelect={(index) => setSearch({ selectedSpanNodeId: tree.nodeId(index) })}
                />
              </FailureBoundary>
            }
            right={
              <FailureBoundary name="The span" key={selected}>
                <SpanPanel nodeId={tree.nodeId(selected)} />
              </FailureBoundary>
            }
          />
        </>
      )}
    </>
  );
}

const NO_TRACE = new RequestFailure('notFound', 'There is no such trace.', 'The project has no trace with this id.');

const sumRoots = (tree: SpanTree): number =>
  tree.roots.reduce((sum, index) => sum + (tree.skeleton.cumulativeTokenCounts[index] ?? 0), 0);

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <span className="fact">
      <span>{label}</span>
      <strong>{value}</strong>
    </span>
  );
}

interface StepProps {
  readonly label: string;
  readonly keys: string;
  readonly place: string | undefined;
  readonly icon: 'up' | 'down';
}

function StepButton({ label, keys, place, icon }: StepProps) {
  if (place === undefined) return null;
  return (
    <Tip
      text={
        <>
          {label} <kbd>{keys}</kbd>
        </>
      }
    >
      <button
        type="button"
        className="button small icon-only"
        aria-label={label}
        onClick={() => navigate(place, { replaces: true })}
      >
        <Icon name={icon} size={13} />
      </button>
    </Tip>
  );
}

function TraceSkeleton() {
  return (
    <div className="trace" aria-busy="true">
      <div className="tree" style={{ padding: 12, gap: 10 }}>
        {[70, 56, 48, 60, 40, 52].map((width) => (
          <div key={width} className="skeleton" style={{ width: `${width}%`, height: 14 }} />
        ))}
      </div>
      <span className="divider" />
      <div />
    </div>
  );
}
