import { Failure } from '../../components/Failure.tsx';
import { lazy } from '../../components/lazy.tsx';
import { RunningMark } from '../../components/RunningMark.tsx';
import { formatErrors, hasError } from '../../format/errors.ts';
import { shownName } from '../../format/names.ts';
import { formatCost, formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { setSearch, useLocation } from '../../router/location.ts';
import type { SessionViewProps } from './SessionTurns.tsx';

const TraceBeside = lazy(
  async () => (await import('./TraceBeside.tsx')).TraceBeside,
  () => <div className="beside" aria-busy="true" />,
);

/** Traces of a session, with the selected trace beside them. */
export function SessionTraces({ projectId, turns, count }: SessionViewProps) {
  const times = useTimeFormat();
  const { search } = useLocation();
  const { rows, failure, isLoading, isComplete, loadMore, refresh } = turns;
  const open = search.get('selectedTraceId') ?? rows[0]?.traceId;
  if (failure && rows.length === 0) return <Failure failure={failure} onRetry={() => refresh()} />;
  return (
    <div className="session-traces" aria-busy={isLoading}>
      <nav className="turns" aria-label="Traces of the session">
        <ol>
          {rows.map((turn) => (
            <li key={turn.id}>
              <button
                type="button"
                className="session-trace"
                aria-current={turn.traceId === open}
                onClick={() =>
                  setSearch({ selectedTraceId: turn.traceId, selectedSpanNodeId: null }, { replaces: true })
                }
              >
                <span className="row">
                  <strong className="clip grow" dir="auto" title={turn.rootSpan?.name}>
                    {shownName(turn.rootSpan?.name ?? turn.traceId)}
                  </strong>
                  {!turn.rootSpan && <RunningMark />}
                  {hasError(turn) && <span className="status-error">{formatErrors(turn.errorCount)}</span>}
                  {(turn.costSummary.total.cost ?? 0) > 0 && (
                    <span className="muted">{formatCost(turn.costSummary.total.cost)}</span>
                  )}
                </span>
                <span className="row muted">
                  <span className="clip grow">{times.short(turn.startTime)}</span>
                  <span>{turn.numSpans === 1 ? '1 span' : `${formatCount(turn.numSpans)} spans`}</span>
                  <span>{formatLatency(turn.latencyMs)}</span>
                </span>
              </button>
            </li>
          ))}
        </ol>
        {!isComplete && (
          <button type="button" className="button" disabled={isLoading} onClick={loadMore}>
            {formatCount(count - rows.length)} more traces
          </button>
        )}
      </nav>
      {open !== undefined && <TraceBeside key={open} projectId={projectId} traceId={open} />}
    </div>
  );
}
