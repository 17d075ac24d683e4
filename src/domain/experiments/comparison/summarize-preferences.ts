import type { Experiment } from '../../../model/experiment.ts';
import type { PreferenceCounts } from '../../../model/experiment-comparison.ts';
import { wilsonInterval } from './statistics/intervals.ts';

/** How often people prefer the runs of one experiment to those of another. */
export interface PreferenceSummary {
  /** The later experiment of the comparison is first, so that wins are against the baseline. */
  readonly experimentRowIds: readonly [number, number];
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** Share of wins in the preferences that are not ties. Null without any. */
  readonly winRate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly sentence: string;
}

export function summarizePreferences(
  counts: readonly PreferenceCounts[],
  experiments: readonly Pick<Experiment, 'rowId' | 'name'>[],
): PreferenceSummary[] {
  return counts.map(({ experimentRowIds: [base, other], wins: losses, losses: wins, ties }) => {
    const decided = wins + losses;
    const interval = wilsonInterval(wins, decided);
    const nameOf = (rowId: number) => `“${experiments.find((experiment) => experiment.rowId === rowId)?.name}”`;
    const winRate = decided === 0 ? null : wins / decided;
    const [low, high] = [interval?.low ?? null, interval?.high ?? null];
    return {
      ...{ experimentRowIds: [other, base], wins, losses, ties, winRate, low, high },
      sentence: toSentence({ other: nameOf(other), base: nameOf(base), winRate, low, high, decided, ties }),
    };
  });
}

interface Facts {
  readonly other: string;
  readonly base: string;
  readonly winRate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly decided: number;
  readonly ties: number;
}

function toSentence({ other, base, winRate, low, high, decided, ties }: Facts): string {
  const tied = ties === 0 ? '' : `; ${ties} ${ties === 1 ? 'tie' : 'ties'}`;
  if (winRate === null || low === null || high === null)
    return `${other} and ${base} are tied in all ${ties} preferences`;
  const range = `${percent(winRate)} % of ${decided} decided preferences (${percent(low)} to ${percent(high)} %)`;
  if (low > 0.5) return `${other} is preferred to ${base} in ${range}${tied}`;
  if (high < 0.5) return `${base} is preferred to ${other}, which wins ${range}${tied}`;
  return `no clear preference: ${other} wins ${range} against ${base}${tied}`;
}

const percent = (share: number): string => (share * 100).toFixed(0);
