/** How often two raters gave the same label. */
export interface LabelAgreement {
  readonly count: number;
  /** Number of equal labels. */
  readonly agreedCount: number;
  /** Share of equal labels. */
  readonly share: number;
  /**
   * Cohen's kappa: 1 for full agreement, 0 for the agreement that chance alone explains. Null when both raters gave only one
   * label, which says nothing about chance.
   */
  readonly kappa: number | null;
}

/** Agreement of pairs of labels. Undefined without pairs. */
export function agreementOfLabels(pairs: readonly (readonly [string, string])[]): LabelAgreement | undefined {
  const count = pairs.length;
  if (count === 0) return undefined;
  const first = new Map<string, number>();
  const second = new Map<string, number>();
  let agreedCount = 0;
  for (const [a, b] of pairs) {
    first.set(a, (first.get(a) ?? 0) + 1);
    second.set(b, (second.get(b) ?? 0) + 1);
    if (a === b) agreedCount += 1;
  }
  // Products of whole numbers are exact, so that agreement by chance alone is exactly zero.
  let byChance = 0;
  for (const [label, countOfFirst] of first) byChance += countOfFirst * (second.get(label) ?? 0);
  const pairCount = count * count;
  const kappa = byChance === pairCount ? null : (agreedCount * count - byChance) / (pairCount - byChance);
  return { count, agreedCount, share: agreedCount / count, kappa };
}

/** How much two raters' scores move together. */
export interface ScoreAgreement {
  readonly count: number;
  /** Pearson's correlation. Null with fewer than three pairs, or when one rater gave the same score to all. */
  readonly correlation: number | null;
  /** Mean of the second score minus the first. */
  readonly meanDifference: number;
}

/** A line through two points always fits. */
const CORRELATED_COUNT_MIN = 3;

/** Agreement of pairs of finite scores. Undefined without pairs. */
export function agreementOfScores(pairs: readonly (readonly [number, number])[]): ScoreAgreement | undefined {
  const count = pairs.length;
  if (count === 0) return undefined;
  const meanOf = (side: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[side] / count, 0);
  const [meanA, meanB] = [meanOf(0), meanOf(1)];
  let [both, squaresA, squaresB] = [0, 0, 0];
  for (const [a, b] of pairs) {
    both += (a - meanA) * (b - meanB);
    squaresA += (a - meanA) ** 2;
    squaresB += (b - meanB) ** 2;
  }
  const isSame = (side: 0 | 1) => pairs.every((pair) => pair[side] === pairs[0]?.[side]);
  const scale = Math.sqrt(squaresA) * Math.sqrt(squaresB);
  const isDefined = count >= CORRELATED_COUNT_MIN && !isSame(0) && !isSame(1) && scale > 0 && Number.isFinite(scale);
  return {
    count,
    correlation: isDefined ? Math.max(-1, Math.min(1, both / scale)) : null,
    meanDifference: meanB - meanA,
  };
}
