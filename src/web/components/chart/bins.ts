/** Counts of rows that started in [start, start + width). */
export interface Bin {
  readonly start: number;
  readonly okCount: number;
  readonly errorCount: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Common bin widths, as a count of a scale. */
const WIDTHS = [
  { scale: 'MINUTE', scaleMs: MINUTE_MS, counts: [1, 2, 5, 10, 15, 30] },
  { scale: 'HOUR', scaleMs: HOUR_MS, counts: [1, 2, 3, 6, 12] },
  { scale: 'DAY', scaleMs: DAY_MS, counts: [1, 2] },
  { scale: 'WEEK', scaleMs: 7 * DAY_MS, counts: [1, 2, 4, 13, 52] },
] as const;

const PLANS = WIDTHS.flatMap(({ scale, scaleMs, counts }) =>
  counts.map((scaleCount): BinPlan => ({ scale, scaleCount, widthMs: scaleCount * scaleMs })),
);

/** Scale of the server and its width in ms. */
export interface BinPlan {
  readonly scale: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK';
  readonly scaleCount: number;
  readonly widthMs: number;
}

/** End of a bin. Bins with a change of the clocks are shorter or longer. */
export const binEnd = (starts: readonly number[], index: number, widthMs: number): number =>
  starts[index + 1] ?? starts[index]! + widthMs;

/** Chooses the narrowest bins for a range with at most this number of bins. */
export const planBins = (rangeMs: number, countMax: number): BinPlan =>
  PLANS.find(({ widthMs }) => rangeMs / widthMs <= countMax) ?? PLANS.at(-1)!;
