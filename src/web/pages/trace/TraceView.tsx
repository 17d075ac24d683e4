import { type ReactNode, useState } from 'react';
import { PaneLayout } from '../../components/annotations/PaneLayout.tsx';
import { Failure, FailureBoundary } from '../../components/Failure.tsx';
import { Icon, type IconName } from '../../components/Icon.tsx';
import { lazy } from '../../components/lazy.tsx';
import { RunningMark } from '../../components/RunningMark.tsx';
import { formatErrors, hasError } from '../../format/errors.ts';
import { formatCost, formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { Link } from '../../router/Link.tsx';
import { setSearch, useLocation } from '../../router/location.ts';
import { useVisit } from '../../shell/visits.ts';
import { SplitPane } from './SplitPane.tsx';
import { SpanPanel } from './span/SpanPanel.tsx';
import { TraceAnnotations } from './TraceAnnotations.tsx';
import { TraceTools } from './TraceTools.tsx';
import type { SpanTree } from './tree/span-tree.ts';
import { TreePane } from './tree/TreePane.tsx';
import { type OpenTrace, type Trace, useSpanCosts } from './use-trace.ts';
import { type TracePane, useTracePane } from './use-trace-pane.tsx';
import './trace.css';

const Conversation = lazy(async () => (await import('./conversation/Conversation.tsx')).Conversation, ViewSkeleton);
const AgentGraph = lazy(async () => (await import('./graph/AgentGraph.tsx')).AgentGraph, ViewSkeleton);

function ViewSkeleton() {
  return <div className="tree" aria-busy="true" />;
}

const VIEWS = [
  { id: 'waterfall', label: 'Waterfall', icon: 'tracing' },
  { id: 'conversation', label: 'Conversation', icon: 'prompt' },
  { id: 'graph', label: 'Graph', icon: 'agent' },
] as const satisfies readonly { readonly id: string; readonly label: string; readonly icon: IconName }[];

/** Trace on a page or in a drawer: its facts, a view of all spans, and the selected span. */
export function TraceView({ projectId, open }: { readonly projectId: string; readonly open: OpenTrace }) {
  const { trace, tree, failure, refetch } = open;
  useTraceVisit(projectId, open);
  const selected = useSelected(trace, tree);
  // The pane stays open while another trace loads, so that a user can step from row to row.
  const pane = useTracePane(trace?.id, selected === undefined ? undefined : tree?.nodeId(selected));
  return (
    <PaneLayout pane={failure ? undefined : pane.pane}>
      {failure ? (
        <Failure failure={failure} onRetry={refetch} />
      ) : !trace || !tree || selected === undefined ? (
        <TraceSkeleton />
      ) : (
        <Whole key={trace.id} projectId={projectId} trace={trace} tree={tree} selected={selected} pane={pane} />
      )}
    </PaneLayout>
  );
}

/** Index of the shown span. By default the first known root, which a later root does not replace. */
function useSelected(trace: Trace | undefined, tree: SpanTree | undefined): number | undefined {
  const { search } = useLocation();
  const [first, setFirst] = useState<{ readonly traceId: string; readonly rowId: number }>();
  const root = tree?.roots[0];
  if (!trace || !tree || root === undefined) return undefined;
  const isFirstKnown = first?.traceId === trace.id;
  if (!isFirstKnown) setFirst({ traceId: trace.id, rowId: tree.rowId(root) });
  const rootThen = isFirstKnown ? tree.indexOfRow(first.rowId) : root;
  return tree.indexOfNode(search.get('selectedSpanNodeId')) ?? rootThen ?? root;
}

/** Adds the trace to the recent objects, by title and time. The address in the drawer is equivalent. */
function useTraceVisit(projectId: string, { traceId, trace, tree, failure }: OpenTrace): void {
  const path = `/projects/${encodeURIComponent(projectId)}/traces/${traceId}`;
  const label = tree?.title();
  useVisit(
    trace && label !== undefined ? { kind: 'trace', path, label, startTime: trace.startTime } : undefined,
    path,
    failure,
  );
}

interface FactsProps {
  readonly projectId: string;
  readonly trace: Trace;
  readonly tree: SpanTree;
  readonly pane: TracePane;
}

interface WholeProps extends FactsProps {
  /** Index of the selected span. */
  readonly selected: number;
}

function Whole({ projectId, trace, tree, selected, pane }: WholeProps) {
  const { search } = useLocation();
  const costs = useSpanCosts(trace, tree);
  const view = VIEWS.find(({ id }) => id === search.get('traceView'))?.id ?? 'waterfall';
  const panes = { tree, costs, selected, onSelect: (index: number) => select(tree, index) };
  return (
    <div className="trace-view">
      <div className="trace-facts">
        <span className="segments" role="group" aria-label="View of the trace">
          {VIEWS.map(({ id, label, icon }) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === view}
              onClick={() => setSearch({ traceView: id === 'waterfall' ? null : id })}
            >
              <Icon name={icon} size={13} /> {label}
            </button>
          ))}
        </span>
        <Facts projectId={projectId} trace={trace} tree={tree} pane={pane} />
      </div>
      <SplitPane
        name={view}
        left={
          <FailureBoundary name={`The ${view}`} key={view}>
            {view === 'waterfall' && <TreePane {...panes} />}
            {view === 'conversation' && <Conversation {...panes} />}
            {view === 'graph' && <AgentGraph {...panes} />}
          </FailureBoundary>
        }
        right={
          <FailureBoundary name="The span" key={tree.rowId(selected)}>
            <SpanPanel nodeId={tree.nodeId(selected)} projectId={projectId} pane={pane} />
          </FailureBoundary>
        }
      />
    </div>
  );
}

function select(tree: SpanTree, index: number): void {
  const aside = new URLSearchParams(window.location.search).get('aside');
  // Documents belong to one span.
  const isOfDocument = aside?.startsWith('document-') ?? false;
  const changes = { selectedSpanNodeId: tree.nodeId(index), aside: isOfDocument ? 'annotations' : aside };
  setSearch(changes, { replaces: true });
}

function Facts({ projectId, trace, tree, pane }: FactsProps) {
  const times = useTimeFormat();
  return (
    <>
      {tree.isRunning() && <RunningMark />}
      {hasError(trace) ? (
        <span className="status-error">
          <Icon name="error" size={13} /> {formatErrors(trace.errorCount)}
        </span>
      ) : (
        <span className="muted">No errors</span>
      )}
      <Fact label="Latency" value={formatLatency(trace.latencyMs)} />
      <Fact label="Spans" value={formatCount(trace.numSpans)} />
      <Fact label="Tokens" value={formatCount(sumRoots(tree) || undefined)} />
      <Fact label="Cost" value={formatCost(trace.costSummary.total.cost)} />
      <span className="muted" title={times.full(trace.startTime)}>
        {times.short(trace.startTime)}
      </span>
      {trace.session && (
        <span className="fact">
          <span>Session</span>
          <Link
            to={`/projects/${encodeURIComponent(projectId)}/sessions/${encodeURIComponent(trace.session.id)}?turn=${trace.traceId}`}
          >
            {trace.session.sessionId}
          </Link>
        </span>
      )}
      <TraceAnnotations pane={pane} />
      <TraceTools projectId={projectId} trace={trace} tree={tree} />
    </>
  );
}

const sumRoots = (tree: SpanTree): number =>
  tree.roots.reduce((sum, index) => sum + (tree.skeleton.cumulativeTokenCounts[index] ?? 0), 0);

export function Fact({ label, value }: { readonly label: string; readonly value: ReactNode }) {
  return (
    <span className="fact">
      <span>{label}</span>
      <strong>{value}</strong>
    </span>
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
