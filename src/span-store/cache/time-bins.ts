import type { TimeRange } from '../contract/query-terms.ts';

// Time is cut into hours of Unix time, and busy hours into minutes. A part is known by the minute that it begins with.

export const MINUTES_PER_HOUR = 60;
export const MINUTE_NS = 60_000_000_000n;

/** A part: its first minute since the epoch, and how many it has. */
export interface TimePart {
  readonly minute: number;
  readonly minuteCount: 1 | typeof MINUTES_PER_HOUR;
}

export const HOUR_NS = BigInt(MINUTES_PER_HOUR) * MINUTE_NS;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** The minute that a time lies in; rounded down, also before 1970. */
export const minuteOf = (ns: bigint): number => Number(ns >= 0n ? ns / MINUTE_NS : -((-1n - ns) / MINUTE_NS) - 1n);

export const hourOf = (ns: bigint): number => Math.floor(minuteOf(ns) / MINUTES_PER_HOUR);

/** Nanoseconds; undefined before the first that int64 has. */
export function startOfHour(hour: number): bigint | undefined {
  if (!Number.isFinite(hour)) return undefined;
  const start = BigInt(hour) * HOUR_NS;
  return start < INT64_MIN ? undefined : start;
}

/** What a part has in common with a range that ends after its beginning and begins before its end. */
export function pieceOf({ minute, minuteCount }: TimePart, range: TimeRange): TimeRange {
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
