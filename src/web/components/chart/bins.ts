/** Counts of what began in [start, start + width). */
export interface Bin {
  readonly start: number;
  readonly okCount: number;
  readonly errorCount: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Widths that people count in. */
const WIDTHS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR_MS),
  ...[1, 2, 7, 14, 28].map((count) => count * DAY_MS),
];
const BIN_COUNT_MAX = 120;

export interface BinPlan {
  /** What the server counts by. */
  readonly scale: 'MINUTE' | 'HOUR' | 'DAY';
  /** What is drawn: a multiple of it, in ms. */
  readonly widthMs: number;
}

/** Bins for a range of this length: as narrow as can be told apart on a screen. */
export function planBins(rangeMs: number): BinPlan {
  const widthMs = WIDTHS.find((width) => rangeMs / width <= BIN_COUNT_MAX) ?? WIDTHS.at(-1)!;
  return { widthMs, scale: widthMs < HOUR_MS ? 'MINUTE' : widthMs < DAY_MS ? 'HOUR' : 'DAY' };
}

/** Sums the server's bins into those that are drawn, empty ones included, aligned to local midnight. */
export function toBins(
  points: readonly { readonly time: number; readonly ok: number; readonly errors: number }[],
  range: { readonly start: number; readonly end: number },
  widthMs: number,
  utcOffsetMs: number,
): readonly Bin[] {
  const align = (time: number) => Math.floor((time + utcOffsetMs) / widthMs) * widthMs - utcOffsetMs;
  const first = align(range.start);
  const count = Math.max(1, Math.min(2 * BIN_COUNT_MAX, Math.ceil((range.end - first) / widthMs)));
  const bins = Array.from({ length: count }, (_, index) => ({
    start: first + index * widthMs,
    okCount: 0,
    errorCount: 0,
  }));
  for (const { time, ok, errors } of points) {
    const bin = bins[Math.floor((time - first) / widthMs)];
    if (!bin) continue;
    bin.okCount += ok;
    bin.errorCount += errors;
  }
  return bins;
}
