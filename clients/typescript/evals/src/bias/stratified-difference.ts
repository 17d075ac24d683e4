import { normalCdf, Z_95 } from '../statistics/distributions.ts';
import type { Effect } from './finding.ts';

/** Half of the usual correction, which finds too few biases of ten points (docs/decisions/0320). */
const CONTINUITY = 0.25;

export interface GroupedVerdict {
  /** The label of people. */
  readonly stratum: string;
  /** Whether the row is in the group that the judge may prefer. */
  readonly isExposed: boolean;
  readonly isPositive: boolean;
}

/**
 * Difference of the rates of positive verdicts, exposed minus other rows, among rows that people call the same.
 *
 * Strata are pooled by Mantel and Haenszel; the p-value is that of Cochran, Mantel and Haenszel with a correction for continuity, the
 * interval has one positive and one negative row more in each group. Undefined if no stratum has rows of both groups.
 */
export function stratifiedDifference(verdicts: Iterable<GroupedVerdict>): Effect | undefined {
  const strata = new Map<string, [number, number, number, number]>();
  for (const { stratum, isExposed, isPositive } of verdicts) {
    const cell = strata.get(stratum) ?? [0, 0, 0, 0];
    strata.set(stratum, cell);
    const [positives, all] = isExposed ? ([0, 1] as const) : ([2, 3] as const);
    cell[positives] += Number(isPositive);
    cell[all] += 1;
  }
  let [weights, effect, variance, surplus, spread, count] = [0, 0, 0, 0, 0, 0];
  for (const [positives, exposed, otherPositives, others] of strata.values()) {
    if (exposed === 0 || others === 0) continue;
    const total = exposed + others;
    count += total;
    const weight = (exposed * others) / total;
    weights += weight;
    effect += weight * (positives / exposed - otherPositives / others);
    const [share, otherShare] = [(positives + 1) / (exposed + 2), (otherPositives + 1) / (others + 2)];
    variance += weight ** 2 * ((share * (1 - share)) / exposed + (otherShare * (1 - otherShare)) / others);
    const allPositives = positives + otherPositives;
    surplus += positives - (exposed * allPositives) / total;
    if (total > 1) spread += (exposed * others * allPositives * (total - allPositives)) / (total ** 2 * (total - 1));
  }
  if (weights === 0) return undefined;
  effect /= weights;
  const half = (Z_95 * Math.sqrt(variance)) / weights;
  const pValue = spread === 0 ? 1 : 2 * normalCdf(-Math.max(0, Math.abs(surplus) - CONTINUITY) / Math.sqrt(spread));
  return { effect, interval: { low: Math.max(-1, effect - half), high: Math.min(1, effect + half) }, pValue, count };
}
