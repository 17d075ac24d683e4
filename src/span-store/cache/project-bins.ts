import type { TimeRange } from '../contract/query-terms.ts';
import { AggregateBin, type AggregateChange, BIN_BYTES } from './aggregate-bin.ts';
import { Latencies } from './latencies.ts';
import { intersect, isIn, MINUTES_PER_HOUR, minuteOf, type TimeBin } from './time-bins.ts';

/** Rows that are aggregated by start time, and their summed columns. */
export const AGGREGATED = {
  traces: {
    table: 'traces',
    columns: [
      'tokens_prompt',
      'tokens_completion',
      'cost_tokens_prompt',
      'cost_tokens_completion',
      'cost_prompt_pico',
      'cost_completion_pico',
      'span_count',
    ],
    hasLatencies: true,
  },
  spans: {
    table: 'spans',
    columns: ['tokens_prompt', 'tokens_completion', 'cost_prompt_pico', 'cost_completion_pico'],
    hasLatencies: false,
  },
  /** Separate, because latencies take 8 bytes per span, which span counts do not need. */
  spanLatencies: { table: 'spans', columns: [], hasLatencies: true },
} as const satisfies Record<string, Aggregated>;
export type AggregateKind = keyof typeof AGGREGATED;
export type KindWithLatencies = Exclude<AggregateKind, 'spans'>;

interface Aggregated {
  readonly table: 'spans' | 'traces';
  readonly columns: readonly string[];
  readonly hasLatencies: boolean;
}

/** A range as bins that are in memory and ranges that must be read from the database. */
export interface SplitRange {
  readonly known: readonly AggregateBin[];
  /** At most two disjoint ranges. */
  readonly missing: readonly TimeRange[];
}

/** Rows of an hour above which it is divided into minutes. The bins at the ends of a range are read from the database each time. */
export const WHOLE_HOUR_COUNT_MAX = 2 ** 15;

/** Aggregates of a project from an hour on, by bin. */
export class ProjectBins {
  readonly kind: AggregateKind;
  /** Hours since the epoch; minus infinity for all rows. */
  readonly fromHour: number;
  /** Hours with rows. */
  readonly #hours = new Map<number, Hour>();
  #newestHour = Number.NEGATIVE_INFINITY;
  #bytes = 0;
  #unreadCount = 0;

  constructor(kind: AggregateKind, fromHour: number) {
    this.kind = kind;
    this.fromHour = fromHour;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Number of changes since the last read. */
  get unreadCount(): number {
    return this.#unreadCount;
  }

  /** Sets a bin that was read from the database. */
  set({ minute, minuteCount }: TimeBin, bin: AggregateBin): void {
    const at = Math.floor(minute / MINUTES_PER_HOUR);
    const hour = this.#hours.get(at) ?? { minuteCount, bins: new Map() };
    hour.bins.set(minute, bin);
    this.#setHour(at, hour);
    this.#bytes += bin.bytes;
  }

  apply(change: AggregateChange): void {
    const minute = minuteOf(change.start);
    const at = Math.floor(minute / MINUTES_PER_HOUR);
    if (at < this.fromHour) return;
    this.#unreadCount++;
    let hour = this.#hours.get(at);
    if (!hour) {
      // The number of later rows of this hour is unknown.
      hour = { minuteCount: 1, bins: new Map() };
      this.#setHour(at, hour);
    }
    const first = hour.minuteCount === 1 ? minute : at * MINUTES_PER_HOUR;
    let bin = hour.bins.get(first);
    if (!bin) {
      const { columns, hasLatencies } = AGGREGATED[this.kind];
      bin = new AggregateBin(change.start, columns.length, hasLatencies ? new Latencies() : undefined);
      hour.bins.set(first, bin);
      this.#bytes += BIN_BYTES;
    }
    this.#bytes += bin.apply(change);
  }

  /** The range must begin at `fromHour` or later. */
  split(range: TimeRange): SplitRange {
    this.#unreadCount = 0;
    this.#joinMinutes();
    const known: AggregateBin[] = [];
    const missing: TimeRange[] = [];
    for (const { minuteCount, bins } of this.#hours.values()) {
      for (const [minute, bin] of bins) {
        if (isIn(range, bin.leastStart) && isIn(range, bin.greatestStart)) known.push(bin);
        else if (mayMeet(range, bin)) missing.push(intersect({ minute, minuteCount }, range));
      }
    }
    return { known, missing };
  }

  #setHour(at: number, hour: Hour): void {
    this.#hours.set(at, hour);
    if (at > this.#newestHour) this.#newestHour = at;
  }

  /** Merges the minutes of past hours with few rows. */
  #joinMinutes(): void {
    let bytes = 0;
    for (const [at, { minuteCount, bins }] of this.#hours) {
      const [first, ...others] = bins.values();
      const isFew = minuteCount === 1 && at < this.#newestHour && countOf(bins) <= WHOLE_HOUR_COUNT_MAX;
      if (first && isFew) {
        const joined = AggregateBin.join([first, ...others]);
        this.#hours.set(at, { minuteCount: MINUTES_PER_HOUR, bins: new Map([[at * MINUTES_PER_HOUR, joined]]) });
        bytes += joined.bytes;
      } else for (const bin of bins.values()) bytes += bin.bytes;
    }
    this.#bytes = bytes;
  }
}

interface Hour {
  readonly minuteCount: TimeBin['minuteCount'];
  /** Bins with rows, by first minute. */
  readonly bins: Map<number, AggregateBin>;
}

function countOf(bins: ReadonlyMap<number, AggregateBin>): number {
  let sum = 0;
  for (const { count } of bins.values()) sum += count;
  return sum;
}

/** Whether the range may contain rows of the bin. */
const mayMeet = ({ startTimeUnixNano: start, endTimeUnixNano: end }: TimeRange, bin: AggregateBin): boolean =>
  (start === undefined || bin.greatestStart >= start) && (end === undefined || bin.leastStart < end);
