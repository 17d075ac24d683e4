import { TextView } from '../../components/values/TextView.tsx';
import { formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { Link } from '../../router/Link.tsx';
import { at, type Json, list, parseIfJson, text } from '../trace/open-inference.ts';
import { Value } from '../trace/SpanContent.tsx';
import type { SessionTurnsData } from './generated/session.ts';

type SessionNode = Extract<SessionTurnsData['node'], { readonly __typename: 'ProjectSession' }>;
export type Turn = SessionNode['traces']['edges'][number]['node'];
type Side = NonNullable<Turn['rootSpan']>['input'];

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
        <SideView side={rootSpan?.input ?? null} />
      </div>
      <div className="bubble answered">
        <SideView side={rootSpan?.output ?? null} />
      </div>
    </li>
  );
}

function SideView({ side }: { readonly side: Side }) {
  if (!side) return <span className="muted">nothing recorded</span>;
  const plain = side.mimeType === 'json' ? sayings(parseIfJson(side.value)) : side.value;
  return plain === undefined ? <Value {...side} /> : <TextView text={plain} />;
}

/** The words of a side, for a list. */
export function turnText(side: Side | undefined): string {
  if (!side) return '';
  return (side.mimeType === 'json' ? sayings(parseIfJson(side.value)) : undefined) ?? side.value;
}

/** Where frameworks put what was said; undefined when it is nowhere. */
const PLACES = ['input', 'query', 'question', 'message', 'content', 'text', 'output', 'answer', 'response', 'result'];

function sayings(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  const messages = list(at(value, 'messages'));
  const last = messages.at(-1);
  const content = text(at(last, 'content'));
  if (content !== undefined) return content;
  for (const place of PLACES) {
    const found = at(value, place);
    if (typeof found === 'string') return found;
  }
  return undefined;
}
