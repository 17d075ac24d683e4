import { useEffect, useState } from 'react';
import { AnnotationChips } from '../../components/annotations/AnnotationChips.tsx';
import { AnnotationList } from '../../components/annotations/AnnotationList.tsx';
import { useAnnotations } from '../../components/annotations/use-annotations.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { RunningMark } from '../../components/RunningMark.tsx';
import { formatCost, formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { Saying } from '../trace/Saying.tsx';
import type { Turn } from './use-turns.ts';

interface SessionTurnProps {
  readonly turn: Turn;
  readonly number: number;
  /** Whether its trace is shown beside. */
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** What somebody asked, what was answered, what that took, and what was said of it. */
export function SessionTurn({ turn, number, isOpen, onOpen }: SessionTurnProps) {
  const times = useTimeFormat();
  const [isJudging, setJudging] = useState(false);
  const { rootSpan, tokenUsage } = turn;
  const cost = turn.costSummary.total.cost;
  return (
    <li className="turn" id={`turn-${turn.id}`} data-open={isOpen}>
      <header>
        <strong>{number}</strong>
        <span title={times.full(turn.startTime)}>{times.short(turn.startTime)}</span>
        <span>{formatLatency(turn.latencyMs)}</span>
        {tokenUsage.total > 0 && <span>{formatCount(tokenUsage.total)} tokens</span>}
        {cost !== null && cost > 0 && <span className="turn-cost">{formatCost(cost)}</span>}
        {turn.errorCount > 0 && <span className="status-error">{formatCount(turn.errorCount)} failed</span>}
        <span className="grow" />
        <button
          type="button"
          className="button bare small icon-only"
          aria-label={`Annotate turn ${number}`}
          title="Annotate the turn"
          onClick={() => setJudging(true)}
        >
          <Icon name="edit" size={13} />
        </button>
        <button type="button" className="button small" aria-pressed={isOpen} onClick={onOpen}>
          {formatCount(turn.numSpans)} {turn.numSpans === 1 ? 'span' : 'spans'} <Icon name="panelRight" size={12} />
        </button>
      </header>
      {rootSpan ? (
        <>
          <div className="bubble asked">
            <Saying side={rootSpan.input} />
          </div>
          <div className="bubble answered">
            <Saying side={rootSpan.output} />
          </div>
        </>
      ) : (
        <div className="bubble answered">
          <RunningMark />
        </div>
      )}
      <SaidOfTurn turn={turn} isJudging={isJudging} onJudge={setJudging} />
    </li>
  );
}

interface SaidProps {
  readonly turn: Turn;
  readonly isJudging: boolean;
  readonly onJudge: (isJudging: boolean) => void;
}

/** Of the trace and of its root, which are one to whoever reads the conversation. */
function SaidOfTurn({ turn, isJudging, onJudge }: SaidProps) {
  const [newer, setNewer] = useState<readonly Turn['annotations'][number][]>();
  // What the session has read since then is newer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` stands for having been read again
  useEffect(() => setNewer(undefined), [turn]);
  const all = [...(newer ?? turn.annotations), ...(turn.rootSpan?.annotations ?? [])];
  return (
    <>
      {all.length > 0 && (
        <div className="annotation-chips wraps">
          <AnnotationChips annotations={all} onOpen={() => onJudge(true)} countMax={8} />
        </div>
      )}
      {isJudging && (
        <JudgeTurn
          traceNodeId={turn.id}
          onClose={(annotations) => {
            setNewer(annotations);
            onJudge(false);
          }}
        />
      )}
    </>
  );
}

interface JudgeTurnProps {
  readonly traceNodeId: string;
  readonly onClose: (annotations: readonly Turn['annotations'][number][]) => void;
}

function JudgeTurn({ traceNodeId, onClose }: JudgeTurnProps) {
  const annotations = useAnnotations({ kind: 'trace', id: traceNodeId });
  return (
    <Dialog title="Annotations of the turn" isOpen onClose={() => onClose(annotations.annotations)}>
      <AnnotationList of={annotations} asked={1} />
    </Dialog>
  );
}
