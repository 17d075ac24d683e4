import { useRef } from 'react';
import { Failure, FailureBoundary } from '../../components/Failure.tsx';
import { RequestFailure, send } from '../../data/request.ts';
import { useQuery } from '../../data/use-query.ts';
import { type RowPage, useRows } from '../../data/use-rows.ts';
import { formatCost, formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { appPath } from '../../router/app-url.ts';
import { navigate, useLocation } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { useHotkeys } from '../../shell/use-hotkeys.ts';
import { sideText } from '../trace/side-text.ts';
import { toPlace, useTraceOrder } from '../trace/trace-order.ts';
import { sessionHead, sessionTurns } from './generated/session.ts';
import { SessionTurn, type Turn } from './SessionTurn.tsx';
import './session.css';

const TURN_COUNT = 50;

/** A session as the conversation that it was: a turn for each trace. */
export function SessionPage({ params }: { readonly params: RouteParams }) {
  const { projectId = '', sessionId = '' } = params;
  const { path } = useLocation();
  const head = useQuery(sessionHead, { id: sessionId });
  const node = head.data?.node;
  const session = node?.__typename === 'ProjectSession' ? node : undefined;
  const projectPath = `/projects/${encodeURIComponent(projectId)}`;
  const order = useTraceOrder(path, null);
  const { back } = order;
  const step = (entry: typeof order.next) => entry && navigate(toPlace(entry), { replaces: true });
  useHotkeys({
    j: () => step(order.next),
    k: () => step(order.previous),
    escape: () => navigate(back ? appPath(back) : `${projectPath}/sessions`),
  });
  const failure = head.failure ?? (node && !session ? NO_SESSION : undefined);
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Projects', to: '/projects' },
          { label: session?.project.name ?? '…', to: back ? appPath(back) : `${projectPath}/sessions` },
          { label: session?.sessionId ?? '…' },
        ]}
      />
      {failure && <Failure failure={failure} onRetry={head.refetch} />}
      {session && (
        <>
          <div className="trace-facts">
            <Fact label="Turns" value={formatCount(session.numTraces)} />
            {session.numTracesWithError > 0 && (
              <span className="status-error">{formatCount(session.numTracesWithError)} failed</span>
            )}
            <Fact label="P50" value={formatLatency(session.p50)} />
            <Fact label="Tokens" value={formatCount(session.tokenUsage.total || undefined)} />
            <Fact label="Cost" value={formatCost(session.costSummary.total.cost)} />
            <Span start={session.startTime} end={session.endTime} />
            {session.userId && <Fact label="User" value={session.userId} />}
          </div>
          <FailureBoundary name="The conversation">
            <Conversation key={sessionId} sessionId={sessionId} projectPath={projectPath} count={session.numTraces} />
          </FailureBoundary>
        </>
      )}
    </>
  );
}

const NO_SESSION = new RequestFailure('notFound', 'There is no such session.', 'The id is not that of a session.');

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <span className="fact">
      <span>{label}</span>
      <strong>{value}</strong>
    </span>
  );
}

function Span({ start, end }: { readonly start: string; readonly end: string }) {
  const times = useTimeFormat();
  return <Fact label="When" value={times.range(start, end)} />;
}

interface ConversationProps {
  readonly sessionId: string;
  readonly projectPath: string;
  readonly count: number;
}

function Conversation({ sessionId, projectPath, count }: ConversationProps) {
  const frame = useRef<HTMLDivElement>(null);
  const load = async (after: string | undefined, signal: AbortSignal): Promise<RowPage<Turn>> => {
    const { node } = await send(sessionTurns, { id: sessionId, first: TURN_COUNT, after: after ?? null }, signal);
    if (node.__typename !== 'ProjectSession') return { rows: [], next: undefined };
    const { edges, pageInfo } = node.traces;
    return {
      rows: edges.map((edge) => edge.node),
      next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
    };
  };
  const { rows, failure, isLoading, isComplete, loadMore, refresh } = useRows(`turns ${sessionId}`, load, turnId);
  const jump = (id: string) => document.getElementById(`turn-${id}`)?.scrollIntoView({ block: 'start' });
  if (failure && rows.length === 0) return <Failure failure={failure} onRetry={refresh} />;
  return (
    <div className="session" ref={frame}>
      <nav className="turns" aria-label="Turns">
        <ol>
          {rows.map((turn, index) => (
            <li key={turn.id}>
              <button type="button" className="menu-item button bare" onClick={() => jump(turn.id)}>
                <span className="muted">{index + 1}</span>
                <span className={turn.errorCount > 0 ? 'clip error-text' : 'clip'}>
                  {sideText(turn.rootSpan?.input).slice(0, 80) || turn.rootSpan?.name}
                </span>
              </button>
            </li>
          ))}
        </ol>
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="conversation" aria-label="Conversation" aria-busy={isLoading} tabIndex={0}>
        <ol>
          {rows.map((turn, index) => (
            <SessionTurn key={turn.id} turn={turn} number={index + 1} projectPath={projectPath} />
          ))}
        </ol>
        {failure && <Failure failure={failure} onRetry={loadMore} />}
        {!isComplete && (
          <div className="table-foot">
            <button type="button" className="button" disabled={isLoading} onClick={loadMore}>
              {formatCount(count - rows.length)} more turns
            </button>
          </div>
        )}
      </section>
    </div>
  );
}

const turnId = ({ id }: Turn): string => id;
