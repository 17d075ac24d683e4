import { useEffect, useRef, useState } from 'react';
import { lastMessageText } from '../../../semconv/read-open-inference.ts';
import { useAccess } from '../../access/use-access.ts';
import { AnnotationChips } from '../../components/annotations/AnnotationChips.tsx';
import { addTraceAnnotation } from '../../components/annotations/generated/annotations.ts';
import { useAnnotations } from '../../components/annotations/use-annotations.ts';
import { AddToDatasetButton } from '../../components/cases/AddToDatasetButton.tsx';
import { Icon } from '../../components/Icon.tsx';
import { RunningMark } from '../../components/RunningMark.tsx';
import { errorReason, formatErrors, hasError } from '../../format/errors.ts';
import { formatCost, formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { ReadableText } from '../trace/span/ReadableText.tsx';
import type { Turn } from './use-turns.ts';

interface SessionTurnProps {
  readonly projectId: string;
  readonly turn: Turn;
  readonly number: number;
  /** Whether the trace of the turn is open beside the conversation. */
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  /** Whether the annotation pane shows this turn. */
  readonly isAnnotated: boolean;
  readonly onAnnotate: () => void;
}

/** Turn of a session: input, output, duration and annotations. */
export function SessionTurn({ projectId, turn, number, isOpen, onOpen, isAnnotated, onAnnotate }: SessionTurnProps) {
  const times = useTimeFormat();
  const { may } = useAccess();
  const { rootSpan, tokenUsage } = turn;
  const cost = turn.costSummary.total.cost;
  return (
    <li className="turn" id={`turn-${turn.id}`} data-open={isOpen || isAnnotated}>
      <header>
        <strong>{number}</strong>
        <span title={times.full(turn.startTime)}>{times.short(turn.startTime)}</span>
        <span>{formatLatency(turn.latencyMs)}</span>
        {tokenUsage.total > 0 && <span className="turn-tokens">{formatCount(tokenUsage.total)} tokens</span>}
        {cost !== null && cost > 0 && <span className="turn-cost">{formatCost(cost)}</span>}
        {hasError(turn) && <span className="status-error">{formatErrors(turn.errorCount)}</span>}
        <span className="grow" />
        {may(addTraceAnnotation) && (
          <button
            type="button"
            className="button bare small icon-only"
            aria-label={`Annotate turn ${number}`}
            title="Annotate the turn"
            onClick={onAnnotate}
          >
            <Icon name="edit" size={13} />
          </button>
        )}
        {rootSpan && (
          <AddToDatasetButton
            isBare
            label={`Add turn ${number} to a dataset`}
            projectId={projectId}
            spans={[rootSpan.id]}
          />
        )}
        <button type="button" className="button small" aria-pressed={isOpen} onClick={onOpen}>
          {formatCount(turn.numSpans)} {turn.numSpans === 1 ? 'span' : 'spans'} <Icon name="panelRight" size={12} />
        </button>
      </header>
      {rootSpan ? (
        <>
          <div className="bubble asked">
            <ReadableText
              value={rootSpan.input}
              text={rootSpan.input ? undefined : lastMessageText(rootSpan.inputMessages ?? undefined, 'user')}
            />
          </div>
          <div className="bubble answered">
            <Answer turn={turn} rootSpan={rootSpan} />
          </div>
        </>
      ) : (
        <div className="bubble answered">
          <RunningMark />
        </div>
      )}
      <SaidOfTurn turn={turn} isAnnotated={isAnnotated} onAnnotate={onAnnotate} />
    </li>
  );
}

interface AnswerProps {
  readonly turn: Turn;
  readonly rootSpan: NonNullable<Turn['rootSpan']>;
}

/** Output of the turn, or its error. */
function Answer({ turn, rootSpan }: AnswerProps) {
  const words = rootSpan.output ? undefined : lastMessageText(rootSpan.outputMessages ?? undefined);
  const hasAnswer = rootSpan.output !== null || words !== undefined;
  const isFailed = rootSpan.statusCode === 'ERROR';
  return (
    <>
      {isFailed && <p className="problem">{errorReason(rootSpan)}</p>}
      {hasAnswer ? (
        <ReadableText value={rootSpan.output} text={words} />
      ) : (
        !isFailed &&
        (hasError(turn) ? (
          <p className="problem">The trace has no output and {formatErrors(turn.errorCount)} below its root.</p>
        ) : (
          <ReadableText value={null} />
        ))
      )}
    </>
  );
}

type SaidProps = Pick<SessionTurnProps, 'turn' | 'isAnnotated' | 'onAnnotate'>;

/** Annotations of the trace and of its root span, which a reader of the conversation does not distinguish. */
function SaidOfTurn({ turn, isAnnotated, onAnnotate }: SaidProps) {
  // Annotations that were changed on this page are read again immediately.
  const [wasAnnotated, setWasAnnotated] = useState(isAnnotated);
  if (isAnnotated && !wasAnnotated) setWasAnnotated(true);
  const newer = useAnnotations(wasAnnotated ? { kind: 'trace', id: turn.id } : undefined);
  // A turn that was read later is newer.
  const seen = useRef(turn);
  useEffect(() => {
    if (seen.current !== turn) newer.refetch();
    seen.current = turn;
  });
  const ofTrace = newer.projectId === undefined ? turn.annotations : newer.annotations;
  const all = [...ofTrace, ...(turn.rootSpan?.annotations ?? [])];
  if (all.length === 0) return null;
  return (
    <div className="annotation-chips wraps">
      <AnnotationChips annotations={all} onOpen={onAnnotate} countMax={8} />
    </div>
  );
}
