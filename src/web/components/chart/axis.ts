/** Upper end of an axis: a round number not below the maximum. `isWhole` restricts it to integers. */
export function topOf(greatest: number, isWhole: boolean): number {
  if (greatest <= 0) return isWhole ? 2 : 1;
  const power = 10 ** Math.floor(Math.log10(greatest));
  const step = [1, 2, 3, 4, 5, 6, 8, 10].find((each) => each * power >= greatest * 0.999)!;
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
  /** Index of the labeled bin. */
  readonly index: number;
  readonly start: number;
  /** A day starts here, so the label is a date instead of a time. */
  readonly isDay: boolean;
}

interface AxisOptions {
  /** Width of a bin, in ms. */
  readonly widthMs: number;
  readonly binPx: number;
  /** Minimum distance of labels. */
  readonly labelPx: number;
  /** UTC offset of the shown time zone at a time, in ms. */
  readonly offsetAt: (time: number) => number;
}

/** Places labels at round times of the shown zone, as many as fit, with each date once. */
export function ticksOf(starts: readonly number[], { widthMs, binPx, labelPx, offsetAt }: AxisOptions): Tick[] {
  const stepMs =
    STEPS_MS.find((each) => each >= widthMs && (each / widthMs) * binPx >= labelPx) ??
    widthMs * Math.ceil(labelPx / binPx);
  return starts.flatMap((start, index) => {
    const local = start + offsetAt(start);
    return local % stepMs < widthMs ? [{ index, start, isDay: local % DAY_MS < widthMs }] : [];
  });
}
