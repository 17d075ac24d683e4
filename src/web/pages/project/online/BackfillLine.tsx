import { formatCount } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { describeEnd, describeRest, nounOf, type OnlineBackfill, type OnlineEvaluator } from './online-text.ts';

interface BackfillLineProps {
  readonly evaluator: OnlineEvaluator;
  readonly backfill: OnlineBackfill;
  /** Undefined for people who may not stop it. */
  readonly onStop: (() => void) | undefined;
  /** Undefined for people who may not queue targets again. */
  readonly onRetry: (() => void) | undefined;
  readonly isBusy: boolean;
}

/** How far a backfill is and what is left, or how the last one ended. */
export function BackfillLine({ evaluator, backfill, onStop, onRetry, isBusy }: BackfillLineProps) {
  const times = useTimeFormat();
  const { state, targetCount, settledCount, overBudgetCount, isSelecting, endedAt } = backfill;
  if (state !== 'RUNNING') {
    return (
      <div className="row online-ended">
        <p className="muted">
          {describeEnd(evaluator, backfill)}
          {endedAt !== null && <span title={times.full(endedAt)}> · {times.short(endedAt)}</span>}
        </p>
        {overBudgetCount > 0 && onRetry && (
          <button type="button" className="button small" disabled={isBusy} onClick={onRetry}>
            Score again
          </button>
        )}
      </div>
    );
  }
  return (
    <section className="online-backfill" aria-label="Backfill">
      <p className="row">
        <span className="grow">
          Backfill: {formatCount(settledCount)} of {isSelecting && 'about '}
          {formatCount(targetCount)} {nounOf(evaluator, targetCount)} evaluated, {describeRest(backfill)}
        </span>
        {onStop && (
          <button type="button" className="button small" disabled={isBusy} onClick={onStop}>
            Stop backfill
          </button>
        )}
      </p>
      <progress
        max={Math.max(1, targetCount)}
        value={Math.min(settledCount, targetCount)}
        aria-label="Progress of the backfill"
      />
    </section>
  );
}
