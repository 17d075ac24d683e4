import type { TimeRange } from '../contract/query-terms.ts';

// Bins are hours of Unix time, and busy hours are divided into minutes. The first minute identifies a bin.

export const MINUTES_PER_HOUR = 60;
export const MINUTE_NS = 60_000_000_000n;

/** A bin: its first minute since the epoch, and its number of minutes. */
export interface TimeBin {
  readonly minute: number;
  readonly minuteCount: 1 | typeof MINUTES_PER_HOUR;
}

export const HOUR_NS = BigInt(MINUTES_PER_HOUR) * MINUTE_NS;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** The minute of a time; rounded down, also before 1970. */
export const minuteOf = (ns: bigint): number => Number(ns >= 0n ? ns / MINUTE_NS : -((-1n - ns) / MINUTE_NS) - 1n);

export const hourOf = (ns: bigint): number => Math.floor(minuteOf(ns) / MINUTES_PER_HOUR);

/** Start of an hour in nanoseconds. Undefined if it is less than an int64. */
export function startOfHour(hour: number): bigint | undefined {
  if (!Number.isFinite(hour)) return undefined;
  const start = BigInt(hour) * HOUR_NS;
  return start < INT64_MIN ? undefined : start;
}

/** Intersection of a bin and a range that overlaps it. */
export function intersect({ minute, minuteCount }: TimeBin, range: TimeRange): TimeRange {
  const start = BigInt(minute) * MINUTE_NS;
  const end = start + BigInt(minuteCount) * MINUTE_NS;
  const { startTimeUnixNano = INT64_MIN, endTimeUnixNano = end } = range;
  return {
    startTimeUnixNano: startTimeUnixNano > start ? startTimeUnixNano : start < INT64_MIN ? INT64_MIN : start,
    endTimeUnixNano: endTimeUnixNano < end ? endTimeUnixNano : end > INT64_MAX ? undefined : end,
  };
}

export const isIn = ({ startTimeUnixNano, endTimeUnixNano }: TimeRange, ns: bigint): boolean =>
  (startTimeUnixNano === undefined || ns >= startTimeUnixNano) &&
  (endTimeUnixNano === undefined || ns < endTimeUnixNano);
