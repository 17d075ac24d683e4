import { formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { Link } from '../../router/Link.tsx';
import { Saying } from '../trace/Saying.tsx';
import type { SessionTurnsData } from './generated/session.ts';

type SessionNode = Extract<SessionTurnsData['node'], { readonly __typename: 'ProjectSession' }>;
export type Turn = SessionNode['traces']['edges'][number]['node'];

interface SessionTurnProps {
  readonly turn: Turn;
  readonly number: number;
  /** Of the project, in the interface. */
  readonly projectPath: string;
}

/** What somebody asked, what was answered, and what that took. */
export function SessionTurn({ turn, number, projectPath }: SessionTurnProps) {
  const times = useTimeFormat();
  const { rootSpan } = turn;
  return (
    <li className="turn" id={`turn-${turn.id}`}>
      <header>
        <strong>{number}</strong>
        <span title={times.full(turn.startTime)}>{times.short(turn.startTime)}</span>
        <span>{formatLatency(turn.latencyMs)}</span>
        {!!rootSpan?.cumulativeTokenCountTotal && <span>{formatCount(rootSpan.cumulativeTokenCountTotal)} tokens</span>}
        {turn.errorCount > 0 && <span className="status-error">{formatCount(turn.errorCount)} failed</span>}
        <span className="grow" />
        <Link to={`${projectPath}/traces/${turn.traceId}`}>
          {formatCount(turn.numSpans)} {turn.numSpans === 1 ? 'span' : 'spans'} →
        </Link>
      </header>
      <div className="bubble asked">
        <Saying side={rootSpan?.input} />
      </div>
      <div className="bubble answered">
        <Saying side={rootSpan?.output} />
      </div>
    </li>
  );
}
