import { useAccess } from '../../access/use-access.ts';
import { AnnotationChips } from '../../components/annotations/AnnotationChips.tsx';
import { addSessionAnnotation } from '../../components/annotations/generated/annotations.ts';
import { PaneLayout } from '../../components/annotations/PaneLayout.tsx';
import { refetchAnnotations } from '../../components/annotations/use-annotations.ts';
import { Failure, FailureBoundary } from '../../components/Failure.tsx';
import { Switch } from '../../components/values/Card.tsx';
import { RequestFailure } from '../../data/request.ts';
import { useFollow } from '../../data/use-follow.ts';
import { useQuery } from '../../data/use-query.ts';
import { formatCost, formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { hasRange } from '../../router/carried-range.ts';
import { navigate, setSearch, useLocation } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { useHotkeys } from '../../shell/use-hotkeys.ts';
import { useVisit } from '../../shell/visits.ts';
import { toSessionList, toSessionOrder } from '../project/sessions/session-list.ts';
import { tableQuery } from '../trace/order/table-address.ts';
import { toStep, useTraceOrder } from '../trace/order/trace-order.ts';
import { useReadOrder } from '../trace/order/use-read-order.ts';
import { StepActions } from '../trace/TraceActions.tsx';
import { Fact } from '../trace/TraceView.tsx';
import { closeTrace } from './close-trace.ts';
import { type SessionHeadData, sessionHead } from './generated/session.ts';
import { SessionTraces } from './SessionTraces.tsx';
import { SessionTurns } from './SessionTurns.tsx';
import { useSessionPane } from './use-session-pane.tsx';
import { useTurns } from './use-turns.ts';
import './session.css';

type Session = Extract<SessionHeadData['node'], { readonly __typename: 'ProjectSession' }>;

const VIEWS = [
  ['turns', 'Conversation'],
  ['traces', 'Traces'],
] as const;

/** Session as a conversation, with the trace of a turn beside it, or as a list of traces. */
export function SessionPage({ params }: { readonly params: RouteParams }) {
  const { projectId = '', sessionId = '' } = params;
  const { search } = useLocation();
  const head = useQuery(sessionHead, { id: sessionId });
  const node = head.isStale ? undefined : head.data?.node;
  const session = node?.__typename === 'ProjectSession' ? node : undefined;
  const order = useTraceOrder();
  const list = toSessionList(projectId, search);
  // A session that was opened by its ID is not a row of a table.
  useReadOrder(session && hasRange(search) ? toSessionOrder(list, tableQuery(search)) : undefined);
  const step = (entry: typeof order.next) => entry && navigate(toStep(entry), { replaces: true });
  useHotkeys({
    j: () => step(order.next),
    k: () => step(order.previous),
    escape: () => (search.get('selectedTraceId') === null ? navigate(order.back) : closeTrace()),
  });
  const failure = head.failure ?? (node && !session ? NO_SESSION : undefined);
  const place = `/projects/${encodeURIComponent(projectId)}/sessions/${encodeURIComponent(sessionId)}`;
  useVisit(session && { kind: 'session', path: place, label: session.sessionId }, place, failure);
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Projects', to: '/projects' },
          { label: session?.project.name ?? '…', to: order.back },
          { label: session?.sessionId ?? '…' },
        ]}
      >
        <span className="row">
          <StepActions order={order} />
        </span>
      </PageHeader>
      {failure && <Failure failure={failure} onRetry={head.refetch} />}
      {session && <Whole key={sessionId} projectId={projectId} session={session} onChange={head.refetch} />}
    </>
  );
}

const NO_SESSION = new RequestFailure(
  'notFound',
  'The session does not exist.',
  'The ID does not belong to a session.',
);

interface WholeProps {
  readonly projectId: string;
  readonly session: Session;
  /** Called when the session has changed. Resolves when it has been read again. */
  readonly onChange: () => Promise<unknown>;
}

function Whole({ projectId, session, onChange }: WholeProps) {
  const canAnnotate = useAccess().may(addSessionAnnotation);
  const times = useTimeFormat();
  const { search } = useLocation();
  const view = search.get('sessionView') === 'traces' ? 'traces' : 'turns';
  const turns = useTurns(session.id);
  const isBeside = search.get('selectedTraceId') !== null || view === 'traces';
  const { pane, ofSession, isOfSession, open, close } = useSessionPane(session.id, turns.rows, isBeside);
  useFollow({ kind: 'session', id: session.id }, () => Promise.all([onChange(), turns.reread(), refetchAnnotations()]));
  const annotationCount = ofSession.annotations.length + ofSession.notes.length;
  const common = { projectId, turns, count: session.numTraces };
  return (
    <>
      <div className="trace-facts">
        <Switch
          label="View of the session"
          values={VIEWS}
          value={view}
          onChange={(next) =>
            setSearch({ sessionView: next === 'turns' ? null : next, selectedTraceId: null, aside: null })
          }
        />
        <Fact label="Turns" value={formatCount(session.numTraces)} />
        {session.numTracesWithError > 0 && (
          <span className="status-error">{formatCount(session.numTracesWithError)} with errors</span>
        )}
        <Fact label="P50" value={formatLatency(session.p50)} />
        <Fact label="Tokens" value={formatCount(session.tokenUsage.total || undefined)} />
        <Fact label="Cost" value={formatCost(session.costSummary.total.cost)} />
        <span className="muted">{times.range(session.startTime, session.endTime)}</span>
        {session.userId && <Fact label="User" value={session.userId} />}
        <span className="grow" />
        <AnnotationChips annotations={ofSession.annotations} onOpen={open} countMax={4} />
        <button type="button" className="button small" aria-expanded={isOfSession} onClick={isOfSession ? close : open}>
          {canAnnotate ? 'Annotate' : 'Annotations'}{' '}
          {annotationCount > 0 && <span className="muted">{annotationCount}</span>}
          <kbd>E</kbd>
        </button>
      </div>
      <PaneLayout pane={pane}>
        <FailureBoundary name="The session" key={view}>
          {view === 'turns' ? <SessionTurns {...common} /> : <SessionTraces {...common} />}
        </FailureBoundary>
      </PaneLayout>
    </>
  );
}
