import { useEffect, useState } from 'react';
import { lastMessageText } from '../../../semconv/read-open-inference.ts';
import { Failure, FailureBoundary } from '../../components/Failure.tsx';
import { lazy } from '../../components/lazy.tsx';
import type { Rows } from '../../data/use-rows.ts';
import { hasError } from '../../format/errors.ts';
import { shownName } from '../../format/names.ts';
import { formatCount, formatLatency } from '../../format/numbers.ts';
import { setSearch, useLocation } from '../../router/location.ts';
import { listText } from '../trace/span/readable-text.ts';
import { SessionTurn } from './SessionTurn.tsx';
import { turnAside } from './use-session-pane.tsx';
import type { Turn } from './use-turns.ts';

const TraceBeside = lazy(
  async () => (await import('./TraceBeside.tsx')).TraceBeside,
  () => <div className="beside" aria-busy="true" />,
);

export interface SessionViewProps {
  readonly projectId: string;
  readonly turns: Rows<Turn>;
  /** Number of all turns, including turns that are not loaded yet. */
  readonly count: number;
}

/** Session as a conversation, with one turn per trace. */
export function SessionTurns({ projectId, turns, count }: SessionViewProps) {
  const { search } = useLocation();
  const { rows, failure, isLoading, isComplete, loadMore, refresh } = turns;
  const openTraceId = search.get('selectedTraceId') ?? undefined;
  // A link with a trace refers to the turn of the trace.
  const [linkedTraceId] = useState(openTraceId);
  const linkedTurn = search.get('turn') ?? linkedTraceId;
  const linkedId = rows.find(({ traceId }) => traceId === linkedTurn)?.id;
  // Loads pages until the linked turn is found.
  useEffect(() => {
    if (linkedTurn !== undefined && linkedId === undefined && !isLoading && !isComplete) loadMore();
  }, [linkedTurn, linkedId, isLoading, isComplete, loadMore]);
  useEffect(() => {
    if (linkedId !== undefined) document.getElementById(`turn-${linkedId}`)?.scrollIntoView({ block: 'start' });
  }, [linkedId]);
  if (failure && rows.length === 0) return <Failure failure={failure} onRetry={() => refresh()} />;
  return (
    <div className="session" data-beside={openTraceId !== undefined}>
      <nav className="turns" aria-label="Turns">
        <ol>
          {rows.map((turn, index) => (
            <li key={turn.id}>
              <button
                type="button"
                className="menu-item button bare"
                aria-current={turn.traceId === (openTraceId ?? linkedTurn)}
                onClick={() => {
                  document.getElementById(`turn-${turn.id}`)?.scrollIntoView({ block: 'start' });
                  setSearch(openTraceId === undefined ? { turn: turn.traceId } : besideSearch(turn), {
                    replaces: true,
                  });
                }}
              >
                <span className="muted turn-number">{index + 1}</span>
                <span className={hasError(turn) ? 'clip grow error-text' : 'clip grow'} dir="auto">
                  {titleOf(turn)}
                </span>
                <span className="muted">{formatLatency(turn.latencyMs)}</span>
              </button>
            </li>
          ))}
        </ol>
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="conversation" aria-label="Conversation" aria-busy={isLoading} tabIndex={0}>
        {isLoading &&
          rows.length === 0 &&
          [260, 420, 320, 460].map((width) => (
            <div key={width} className="skeleton" style={{ width, maxWidth: '100%', height: 34, margin: '14px 0' }} />
          ))}
        <ol>
          {rows.map((turn, index) => (
            <SessionTurn
              projectId={projectId}
              key={turn.id}
              turn={turn}
              number={index + 1}
              isOpen={turn.traceId === openTraceId}
              onOpen={() =>
                // The annotation pane of the session closes instead of switching to a span.
                setSearch(
                  { ...besideSearch(turn), ...(openTraceId === undefined ? { aside: null } : {}) },
                  { replaces: openTraceId !== undefined },
                )
              }
              isAnnotated={openTraceId === undefined && search.get('aside') === turnAside(turn)}
              onAnnotate={() => setSearch({ aside: turnAside(turn), selectedTraceId: null }, { replaces: true })}
            />
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
      {openTraceId !== undefined && (
        <FailureBoundary name="The trace" key={openTraceId}>
          <TraceBeside projectId={projectId} traceId={openTraceId} />
        </FailureBoundary>
      )}
    </div>
  );
}

/** Title of a turn in the list, from its input. */
function titleOf({ rootSpan }: Turn): string {
  if (!rootSpan) return 'Running';
  const asked = rootSpan.input
    ? listText(rootSpan.input)
    : lastMessageText(rootSpan.inputMessages ?? undefined, 'user');
  return asked?.slice(0, 80) || shownName(rootSpan.name);
}

const besideSearch = ({ traceId }: Turn) => ({
  selectedTraceId: traceId,
  selectedSpanNodeId: null,
  aside: null,
  turn: null,
});
