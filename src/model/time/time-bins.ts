// Bins of local time. The span store counts by them, and the API identifies them by their starts.

import { expectPresent } from '../../base/expect-present.ts';

export type BinScale = 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';

export interface BinStep {
  readonly scale: BinScale;
  /** Number of scale units per bin, counted from the beginning of 1970. Must be 1 for months and years. */
  readonly scaleCount: number;
}

/** A change of the UTC offset. */
export interface ClockChange {
  /** Unix time in ms: the first moment of the new offset. */
  readonly atMs: number;
  /** New difference between local time and UTC, in ms. */
  readonly offsetMs: number;
}

/** UTC offsets of one time zone. `offsetMs` applies before the first change. */
export interface Clocks {
  readonly offsetMs: number;
  /** In ascending order. */
  readonly changes: readonly ClockChange[];
}

/** An interval that starts where the previous one ends. Times are Unix times in ms. */
export interface BinInterval {
  /** Exclusive end. Infinity for the last interval. */
  readonly beforeMs: number;
  readonly offsetMs: number;
  /** Start of the single bin that contains the interval. Absent when bins begin at local multiples of the step. */
  readonly startMs?: number;
}

/** Shortest length of a bin. Some months and years are longer. */
export const LEAST_BIN_MS: Readonly<Record<BinScale, number>> = {
  MINUTE: 60_000,
  HOUR: 3_600_000,
  DAY: 86_400_000,
  WEEK: 7 * 86_400_000,
  MONTH: 28 * 86_400_000,
  YEAR: 365 * 86_400_000,
};

/** The first Monday of Unix time, 1970-01-05: weeks begin on Monday. */
export const MONDAY_MS = 4 * 86_400_000;

/**
 * Divides all time into intervals. A bin begins where local time is a multiple of the step, and where a forward change
 * of the clocks skips such a multiple. When clocks go back, bins that fit in the repeated time are repeated, and longer
 * bins continue.
 */
export function toIntervals(step: BinStep, { offsetMs, changes }: Clocks): BinInterval[] {
  const intervals: BinInterval[] = [];
  let before = offsetMs;
  for (const { atMs, offsetMs: after } of changes) {
    const last = intervals.at(-1);
    if (last && last.beforeMs > atMs) intervals[intervals.length - 1] = { ...last, beforeMs: atMs };
    else intervals.push({ beforeMs: atMs, offsetMs: before });
    const isDistinct = LEAST_BIN_MS[step.scale] * step.scaleCount <= before - after;
    const first = boundaryFrom(step, atMs + (isDistinct ? after : Math.max(before, after))) - after;
    const passesOver = after > before && binOf(step, atMs + after - 1) >= atMs + before;
    const startMs = passesOver
      ? atMs
      : startIn(step, expectPresent(intervals.at(-1), 'an interval ends at each change'), atMs - 1);
    if (first > atMs) intervals.push({ beforeMs: first, offsetMs: after, startMs });
    before = after;
  }
  return [...intervals, { beforeMs: Infinity, offsetMs: before }];
}

/** Starts of the bins that overlap [startMs, endMs), at most `countMax`. */
export function binStarts(
  step: BinStep,
  intervals: readonly BinInterval[],
  { startMs, endMs, countMax }: { readonly startMs: number; readonly endMs: number; readonly countMax: number },
): number[] {
  let index = intervals.findIndex(({ beforeMs }) => startMs < beforeMs);
  let start = startIn(step, intervalAt(intervals, index), startMs);
  const starts = [start];
  for (;;) {
    const interval = intervalAt(intervals, index);
    const untilMs = Math.min(interval.beforeMs, endMs);
    if (interval.startMs === undefined) {
      for (;;) {
        const next = nextBin(step, start + interval.offsetMs) - interval.offsetMs;
        if (next >= untilMs) break;
        if (starts.length >= countMax) return starts;
        start = next;
        starts.push(start);
      }
    }
    if (interval.beforeMs >= endMs) return starts;
    index++;
    const next = intervalAt(intervals, index).startMs ?? interval.beforeMs;
    if (next === start) continue;
    start = next;
    starts.push(start);
  }
}

const intervalAt = (intervals: readonly BinInterval[], index: number): BinInterval =>
  expectPresent(intervals[index], 'the last interval has no end');

const startIn = (step: BinStep, { startMs, offsetMs }: BinInterval, timeMs: number): number =>
  startMs ?? binOf(step, timeMs + offsetMs) - offsetMs;

/** Start of the bin that contains a local time. */
function binOf({ scale, scaleCount }: BinStep, localMs: number): number {
  if (scale === 'MONTH' || scale === 'YEAR') {
    const date = new Date(localMs);
    return Date.UTC(date.getUTCFullYear(), scale === 'MONTH' ? date.getUTCMonth() : 0);
  }
  const shift = scale === 'WEEK' ? MONDAY_MS : 0;
  const width = LEAST_BIN_MS[scale] * scaleCount;
  return Math.floor((localMs - shift) / width) * width + shift;
}

function nextBin({ scale, scaleCount }: BinStep, localMs: number): number {
  if (scale !== 'MONTH' && scale !== 'YEAR') return localMs + LEAST_BIN_MS[scale] * scaleCount;
  const date = new Date(localMs);
  return scale === 'YEAR'
    ? Date.UTC(date.getUTCFullYear() + 1, 0)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** First multiple of the step at or after a local time. */
function boundaryFrom(step: BinStep, localMs: number): number {
  const start = binOf(step, localMs);
  return start === localMs ? start : nextBin(step, start);
}
