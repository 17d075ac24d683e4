/** Bounds of a confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Quantile of the normal distribution for 95%. */
const Z = 1.959963984540054;

/** 95% interval of a share by Wilson, which also holds for few items and for shares of 0 and 1. */
export function shareInterval(hitCount: number, count: number): Interval {
  const share = hitCount / count;
  const scale = 1 + Z ** 2 / count;
  const middle = share + Z ** 2 / (2 * count);
  const spread = Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2));
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}

/**
 * 95% interval of Cohen's kappa, by its asymptotic variance (Fleiss, Cohen and Everitt 1969). When all labels agree, or none
 * do, that variance is zero however few labels there are; then the interval is that of the share of equal labels.
 *
 * @param pairs Labels of both raters.
 * @returns undefined where kappa is
 */
export function kappaInterval(pairs: readonly (readonly [string, string])[]): Interval | undefined {
  const count = pairs.length;
  if (count === 0) return undefined;
  const cells = new Map<string, { readonly a: string; readonly b: string; count: number }>();
  const [rows, columns] = [new Map<string, number>(), new Map<string, number>()];
  for (const [a, b] of pairs) {
    const key = JSON.stringify([a, b]);
    const cell = cells.get(key) ?? { a, b, count: 0 };
    cell.count += 1;
    cells.set(key, cell);
    rows.set(a, (rows.get(a) ?? 0) + 1 / count);
    columns.set(b, (columns.get(b) ?? 0) + 1 / count);
  }
  const agreedCount = [...cells.values()].reduce((sum, cell) => sum + (cell.a === cell.b ? cell.count : 0), 0);
  const observed = agreedCount / count;
  let byChance = 0;
  for (const [label, share] of rows) byChance += share * (columns.get(label) ?? 0);
  if (1 - byChance < 1e-12) return undefined;
  const toKappa = (share: number) => (share - byChance) / (1 - byChance);
  if (agreedCount === count || agreedCount === 0) {
    const { low, high } = shareInterval(agreedCount, count);
    return within({ low: toKappa(low), high: toKappa(high) });
  }
  let sum = 0;
  for (const { a, b, count: cellCount } of cells.values()) {
    const share = cellCount / count;
    if (a === b) {
      const margins = (rows.get(a) ?? 0) + (columns.get(a) ?? 0);
      sum += share * (1 - byChance - margins * (1 - observed)) ** 2;
    } else {
      const margins = (columns.get(a) ?? 0) + (rows.get(b) ?? 0);
      sum += share * (1 - observed) ** 2 * margins ** 2;
    }
  }
  sum -= (observed * byChance - 2 * byChance + observed) ** 2;
  const spread = (Z * Math.sqrt(Math.max(0, sum) / count)) / (1 - byChance) ** 2;
  const kappa = toKappa(observed);
  return within({ low: kappa - spread, high: kappa + spread });
}

const within = ({ low, high }: Interval): Interval => ({ low: Math.max(-1, low), high: Math.min(1, high) });
