import { normalCdf, Z_95 } from '../statistics/distributions.ts';
import type { Effect } from './finding.ts';

/** Half of the usual correction, which finds too few biases of ten points (docs/decisions/statistics.md). */
const CONTINUITY = 0.25;

export interface GroupedVerdict {
  /** The label of people. */
  readonly stratum: string;
  /** Whether the row is in the group that the judge may prefer. */
  readonly isExposed: boolean;
  /** 1 for a positive verdict, 0 for another one, between for a row that was judged several times. */
  readonly positiveShare: number;
}

interface Group {
  count: number;
  sum: number;
  squares: number;
}

const EMPTY: Group = { count: 0, sum: 0, squares: 0 };

/** With one positive and one negative row more. */
const varianceOf = ({ count, sum, squares }: Group): number =>
  (squares + 1) / (count + 2) - ((sum + 1) / (count + 2)) ** 2;

/**
 * Difference of the rates of positive verdicts, exposed minus other rows, among rows that people call the same.
 *
 * Strata are pooled by Mantel and Haenszel; the p-value is that of Cochran, Mantel and Haenszel with a correction for continuity, the
 * interval has one positive and one negative row more in each group. Undefined if no stratum has rows of both groups. Shares of rows
 * that were judged several times vary less, so the same difference is clearer.
 */
export function stratifiedDifference(verdicts: Iterable<GroupedVerdict>): Effect | undefined {
  const strata = new Map<string, { exposed: Group; others: Group }>();
  for (const { stratum, isExposed, positiveShare } of verdicts) {
    const groups = strata.get(stratum) ?? { exposed: { ...EMPTY }, others: { ...EMPTY } };
    strata.set(stratum, groups);
    const group = isExposed ? groups.exposed : groups.others;
    group.count += 1;
    group.sum += positiveShare;
    group.squares += positiveShare ** 2;
  }
  let [weights, effect, variance, surplus, spread, count] = [0, 0, 0, 0, 0, 0];
  for (const groups of strata.values()) {
    const { count: exposed, sum, squares } = groups.exposed;
    const { count: others, sum: otherSum, squares: otherSquares } = groups.others;
    if (exposed === 0 || others === 0) continue;
    const total = exposed + others;
    count += total;
    const weight = (exposed * others) / total;
    weights += weight;
    effect += weight * (sum / exposed - otherSum / others);
    variance += weight ** 2 * (varianceOf(groups.exposed) / exposed + varianceOf(groups.others) / others);
    const together = sum + otherSum;
    surplus += sum - (exposed * together) / total;
    spread += (exposed * others * (total * (squares + otherSquares) - together ** 2)) / (total ** 2 * (total - 1));
  }
  if (weights === 0) return undefined;
  effect /= weights;
  const half = (Z_95 * Math.sqrt(variance)) / weights;
  const pValue = spread <= 0 ? 1 : 2 * normalCdf(-Math.max(0, Math.abs(surplus) - CONTINUITY) / Math.sqrt(spread));
  return { effect, interval: { low: Math.max(-1, effect - half), high: Math.min(1, effect + half) }, pValue, count };
}
