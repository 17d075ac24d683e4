/** Returns the upper end of an axis: a round number at or above the largest value, an integer if `isWhole`. */
export function topOf(greatest: number, isWhole: boolean): number {
  if (greatest <= 0) return isWhole ? 2 : 1;
  const power = 10 ** Math.floor(Math.log10(greatest));
  const step = [1, 2, 3, 4, 5, 6, 8, 10].find((each) => each * power >= greatest * 0.999) ?? 10;
  const top = step * power;
  return isWhole ? Math.max(2, 2 * Math.ceil(top / 2)) : top;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR_MS),
  ...[1, 2, 3, 4, 7, 14, 28, 91, 364].map((count) => count * DAY_MS),
];

export interface Tick {
  /** Bin of the label. */
  readonly index: number;
  readonly start: number;
  /** Whether a day begins here. The label is then a date, otherwise a time. */
  readonly isDay: boolean;
}

interface AxisOptions {
  /** Start times of the bins, in ms. */
  readonly widthMs: number;
  readonly binPx: number;
  /** Space for a label. */
  readonly labelPx: number;
  /** UTC offset of the displayed time zone, in ms. */
  readonly offsetAt: (time: number) => number;
}

/** Positions of labels: round times of the displayed zone, as many as fit, each date once. */
export function ticksOf(starts: readonly number[], { widthMs, binPx, labelPx, offsetAt }: AxisOptions): Tick[] {
  const stepMs =
    STEPS_MS.find((each) => each >= widthMs && (each / widthMs) * binPx >= labelPx) ??
    widthMs * Math.ceil(labelPx / binPx);
  return starts.flatMap((start, index) => {
    const local = start + offsetAt(start);
    return local % stepMs < widthMs ? [{ index, start, isDay: local % DAY_MS < widthMs }] : [];
  });
}
