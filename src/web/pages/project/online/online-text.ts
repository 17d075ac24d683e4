import { formatCount, formatLatency } from '../../../format/numbers.ts';
import type { OnlineEvaluatorsData } from './generated/online.ts';

type Project = Extract<OnlineEvaluatorsData['node'], { __typename: 'Project' }>;
export type OnlineEvaluator = Project['onlineEvaluators'][number];
export type OnlineBackfill = OnlineEvaluator['backfills'][number];
export type OnlineDay = OnlineEvaluator['days'][number];

const NOUNS = { SPAN: 'span', TRACE: 'trace', SESSION: 'session' } as const;
/** Targets of an evaluator in words: one if the count is 1, else several. */
export const nounOf = ({ target }: Pick<OnlineEvaluator, 'target'>, count?: number): string =>
  count === 1 ? NOUNS[target] : `${NOUNS[target]}s`;

/** What an evaluator scores, in one sentence. */
export function describeSelection(evaluator: OnlineEvaluator): string {
  const { samplingRate, quietSeconds, target, filter } = evaluator;
  const share = samplingRate >= 1 ? 'All' : `${formatShare(samplingRate)} of the`;
  const noun = nounOf(evaluator);
  const matching = filter === '' ? '' : target === 'SPAN' ? ' that match' : ' with a span that matches';
  const quiet = target === 'SPAN' ? '' : `, ${formatSeconds(quietSeconds)} after their last span`;
  return `${share} ${noun}${matching}${quiet}`;
}

/** The budget per day in words. */
export function describeBudget({ dailyCallCountMax, dailyCostMax }: OnlineEvaluator): string {
  const limits = [
    dailyCallCountMax === null ? '' : `${formatCount(dailyCallCountMax)} calls`,
    dailyCostMax === null ? '' : `$${dailyCostMax}`,
  ].filter((text) => text !== '');
  return limits.length === 0 ? 'No limit' : `At most ${limits.join(' and ')} a day`;
}

export const formatShare = (rate: number): string =>
  `${(rate * 100).toLocaleString('en-US', { maximumSignificantDigits: 3 })} %`;

export function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** An estimated time in whole seconds, because tenths would change with every look. */
export const formatRest = (seconds: number): string => formatLatency(Math.max(1, Math.round(seconds)) * 1_000);

/** Time that the rest of a backfill takes. */
export function describeRest({ settledCount, remainingSeconds }: OnlineBackfill): string {
  if (remainingSeconds !== null) return `about ${formatRest(remainingSeconds)} left`;
  return settledCount === 0 ? 'waiting for the first result' : 'waiting for the next result';
}

/** How a backfill ended. */
export function describeEnd(
  evaluator: OnlineEvaluator,
  { state, targetCount, settledCount, failedCount, overBudgetCount }: OnlineBackfill,
): string {
  const noun = nounOf(evaluator, targetCount);
  if (targetCount === 0) return `The last backfill found no ${nounOf(evaluator)} that this version had not scored.`;
  const details = [
    failedCount > 0 ? `${formatCount(failedCount)} failed` : '',
    overBudgetCount > 0 ? `${formatCount(overBudgetCount)} were over the budget` : '',
  ].filter((text) => text !== '');
  const rest = details.length === 0 ? '.' : `; ${details.join(', ')}.`;
  return state === 'STOPPED'
    ? `The last backfill was stopped after ${formatCount(settledCount)} of ${formatCount(targetCount)} ${noun}${rest}`
    : `The last backfill evaluated ${formatCount(targetCount)} ${noun}${rest}`;
}

/** The backfill to show: the latest one, unless it ended before the days that are shown. */
export function shownBackfill({ backfills }: OnlineEvaluator): OnlineBackfill | undefined {
  const [latest] = backfills;
  return latest?.endedAt && Date.now() - Date.parse(latest.endedAt) > DAY_COUNT * 86_400_000 ? undefined : latest;
}

/** Days whose counts a card shows. */
export const DAY_COUNT = 14;

/** Sums of the days that are shown. */
export const sumDays = (days: readonly OnlineDay[], read: (day: OnlineDay) => number): number =>
  days.reduce((sum, day) => sum + read(day), 0);

/** The last days in order, with those on which nothing happened. `today` is a day like 2026-01-31, in UTC. */
export function fillDays(days: readonly OnlineDay[], today: string, count: number): readonly OnlineDay[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const end = Date.parse(today);
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(end - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    return (
      known.get(day) ?? { day, doneCount: 0, sampledOutCount: 0, overBudgetCount: 0, failedCount: 0, callCount: 0 }
    );
  });
}

/** Whether evaluations of a day are limited. */
export const hasBudget = (evaluator: OnlineEvaluator): boolean =>
  callsModel(evaluator) && (evaluator.dailyCallCountMax !== null || evaluator.dailyCostMax !== null);

/** Whether its evaluations cost calls of a model. Code and built-in evaluators run on the server, so no budget applies to them. */
export const callsModel = ({ evaluator }: OnlineEvaluator): boolean => evaluator.__typename === 'LLMEvaluator';
