import { useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { SelectField } from '../../../components/fields.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatCost, formatCount } from '../../../format/numbers.ts';
import { type OnlineBackfillEstimateData, onlineBackfillEstimate, startOnlineBackfill } from './generated/online.ts';
import { callsModel, formatRest, hasBudget, nounOf, type OnlineEvaluator } from './online-text.ts';

interface BackfillDialogProps {
  readonly evaluator: OnlineEvaluator;
  readonly onClose: () => void;
}

const RANGES = [
  { id: 'hour', label: 'The last hour', ms: 3_600_000 },
  { id: 'day', label: 'The last 24 hours', ms: 86_400_000 },
  { id: 'week', label: 'The last 7 days', ms: 7 * 86_400_000 },
  { id: 'month', label: 'The last 30 days', ms: 30 * 86_400_000 },
  { id: 'all', label: 'Everything', ms: undefined },
] as const;

/** Scores what has arrived before, after an estimate. */
export function BackfillDialog({ evaluator, onClose }: BackfillDialogProps) {
  const [rangeId, setRangeId] = useState<string>('day');
  // The range does not move while its estimate is read.
  const [now] = useState(Date.now);
  const change = useChange();
  const { ms } = RANGES.find(({ id }) => id === rangeId) ?? RANGES[0];
  const startTime = ms === undefined ? null : new Date(now - ms).toISOString();
  const input = { id: evaluator.id, startTime };
  const { data, failure, isStale } = useQuery(onlineBackfillEstimate, { input }, { keeps: false });
  const estimate = isStale ? undefined : data?.onlineBackfillEstimate;
  return (
    <FormDialog
      title={`Score earlier ${nounOf(evaluator)}`}
      change={change}
      action="Start backfill"
      isReady={estimate !== undefined && estimate.evaluationCount > 0}
      onClose={onClose}
      onSubmit={() =>
        void change.run(
          () => send(startOnlineBackfill, { input }),
          () => {
            onClose();
            toast('The backfill runs in the background.');
          },
        )
      }
    >
      <SelectField label="Range" value={rangeId} onChange={setRangeId}>
        {RANGES.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectField>
      {failure && <Problem text={failure.message} />}
      <div className="muted online-estimate" role="status" aria-busy={!estimate && !failure}>
        <p>{estimate ? describe(evaluator, estimate) : failure ? '' : 'Counting…'}</p>
        {estimate && estimate.evaluationCount > 0 && <p>{describeDuration(evaluator, estimate)}</p>}
      </div>
      <p className="muted">
        {capitalize(nounOf(evaluator))} that this version has scored are left out.
        {hasBudget(evaluator) && ' The budget per day applies.'}
      </p>
    </FormDialog>
  );
}

type Estimate = OnlineBackfillEstimateData['onlineBackfillEstimate'];

function describe(evaluator: OnlineEvaluator, estimate: Estimate): string {
  const { matchedCount, evaluationCount, callCount, tokenCount, cost } = estimate;
  if (matchedCount === 0) return `No ${nounOf(evaluator)} match in this range.`;
  const matched = `${formatCount(matchedCount)} ${nounOf(evaluator, matchedCount)} ${matchedCount === 1 ? 'matches' : 'match'}`;
  const counts =
    evaluator.samplingRate < 1 ? `${matched}, about ${formatCount(evaluationCount)} are in the sample.` : `${matched}.`;
  if (callCount === 0 || !callsModel(evaluator)) return `${counts} No model is called.`;
  if (callCount === null) return `${counts} Calls and cost are not known before the first evaluation.`;
  return `${counts} By the evaluations so far: about ${formatCount(callCount)} calls, ${formatCount(Math.round(tokenCount ?? 0))} tokens, ${formatCost(cost ?? 0)}.`;
}

/** How long the backfill takes, and how many days if the budget is not enough for all of it today. */
function describeDuration(evaluator: OnlineEvaluator, estimate: Estimate): string {
  const { evaluationCount, withinBudgetCount, dayCount, durationSeconds } = estimate;
  const time = durationSeconds === null ? undefined : `about ${formatRest(durationSeconds)}`;
  const unknown = 'How long it takes is not known before the first evaluation.';
  if (withinBudgetCount === null) {
    return time ? `It takes ${time}, unless the budget ends before.` : unknown;
  }
  if (withinBudgetCount >= evaluationCount) return time ? `It takes ${time}.` : unknown;
  if (dayCount === null) return 'The budget allows no evaluation. Edit the evaluator to raise it.';
  const today =
    withinBudgetCount === 0
      ? 'The budget of today (UTC) is used up.'
      : `The budget of today (UTC) is enough for about ${formatCount(withinBudgetCount)} ${nounOf(evaluator, withinBudgetCount)}${time ? `, which ${withinBudgetCount === 1 ? 'takes' : 'take'} ${time}` : ''}.`;
  return `${today} The others will be over the budget. All of them take about ${formatCount(dayCount)} days, with “Score again” on each day, or fewer with a higher budget.`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
