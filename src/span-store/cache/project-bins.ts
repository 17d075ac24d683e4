import type { TimeRange } from '../contract/query-terms.ts';
import { PART_BYTES, Part, type SumChange } from './aggregate-bin.ts';
import { Latencies } from './latencies.ts';
import { isIn, MINUTES_PER_HOUR, minuteOf, pieceOf, type TimePart } from './time-bins.ts';

/** What is summed up by its start, and the columns of which there are sums. */
export const SUMMED = {
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
  /** Separate, because it takes 8 bytes per span that span counts do not need. */
  spanLatencies: { table: 'spans', columns: [], hasLatencies: true },
} as const satisfies Record<string, Summed>;
export type SummedKind = keyof typeof SUMMED;
export type KindWithLatencies = Exclude<SummedKind, 'spans'>;

interface Summed {
  readonly table: 'spans' | 'traces';
  readonly columns: readonly string[];
  readonly hasLatencies: boolean;
}

/** A range cut in two: what is known of it, and what the database must be asked for. */
export interface SplitRange {
  readonly known: readonly Part[];
  /** At most two, that have nothing in common. */
  readonly pieces: readonly TimeRange[];
}

/** An hour of which there is more is cut into minutes: the ends of a range, which fall into a part, are read anew each time. */
export const WHOLE_HOUR_COUNT_MAX = 2 ** 15;

/** Sums of all that a project holds from an hour on, by part of time. */
export class ProjectParts {
  readonly kind: SummedKind;
  /** Since the epoch; minus infinity: of everything. */
  readonly fromHour: number;
  /** Hours that hold something. */
  readonly #hours = new Map<number, Hour>();
  #newestHour = Number.NEGATIVE_INFINITY;
  #bytes = 0;
  #unaskedCount = 0;

  constructor(kind: SummedKind, fromHour: number) {
    this.kind = kind;
    this.fromHour = fromHour;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Changes since it was last asked for anything. */
  get unaskedCount(): number {
    return this.#unaskedCount;
  }

  /** A part as it was read. */
  set({ minute, minuteCount }: TimePart, part: Part): void {
    const at = Math.floor(minute / MINUTES_PER_HOUR);
    const hour = this.#hours.get(at) ?? { minuteCount, parts: new Map() };
    hour.parts.set(minute, part);
    this.#setHour(at, hour);
    this.#bytes += part.bytes;
  }

  apply(change: SumChange): void {
    const minute = minuteOf(change.start);
    const at = Math.floor(minute / MINUTES_PER_HOUR);
    if (at < this.fromHour) return;
    this.#unaskedCount++;
    let hour = this.#hours.get(at);
    if (!hour) {
      // Nobody knows how much will come in it.
      hour = { minuteCount: 1, parts: new Map() };
      this.#setHour(at, hour);
    }
    const first = hour.minuteCount === 1 ? minute : at * MINUTES_PER_HOUR;
    let part = hour.parts.get(first);
    if (!part) {
      const { columns, hasLatencies } = SUMMED[this.kind];
      part = new Part(change.start, columns.length, hasLatencies ? new Latencies() : undefined);
      hour.parts.set(first, part);
      this.#bytes += PART_BYTES;
    }
    this.#bytes += part.apply(change);
  }

  /** Of a range that begins at `fromHour` or later. */
  split(range: TimeRange): SplitRange {
    this.#unaskedCount = 0;
    this.#joinMinutes();
    const known: Part[] = [];
    const pieces: TimeRange[] = [];
    for (const { minuteCount, parts } of this.#hours.values()) {
      for (const [minute, part] of parts) {
        if (isIn(range, part.leastStart) && isIn(range, part.greatestStart)) known.push(part);
        else if (mayMeet(range, part)) pieces.push(pieceOf({ minute, minuteCount }, range));
      }
    }
    return { known, pieces };
  }

  #setHour(at: number, hour: Hour): void {
    this.#hours.set(at, hour);
    if (at > this.#newestHour) this.#newestHour = at;
  }

  /** An hour that is over, and in which little came, is one part. */
  #joinMinutes(): void {
    let bytes = 0;
    for (const [at, { minuteCount, parts }] of this.#hours) {
      const [first, ...others] = parts.values();
      const isFew = minuteCount === 1 && at < this.#newestHour && countOf(parts) <= WHOLE_HOUR_COUNT_MAX;
      if (first && isFew) {
        const joined = Part.join([first, ...others]);
        this.#hours.set(at, { minuteCount: MINUTES_PER_HOUR, parts: new Map([[at * MINUTES_PER_HOUR, joined]]) });
        bytes += joined.bytes;
      } else for (const part of parts.values()) bytes += part.bytes;
    }
    this.#bytes = bytes;
  }
}

interface Hour {
  readonly minuteCount: TimePart['minuteCount'];
  /** Those that hold something, by their first minute. */
  readonly parts: Map<number, Part>;
}

function countOf(parts: ReadonlyMap<number, Part>): number {
  let sum = 0;
  for (const { count } of parts.values()) sum += count;
  return sum;
}

/** Whether the range may hold some of what the part has. */
const mayMeet = ({ startTimeUnixNano: start, endTimeUnixNano: end }: TimeRange, part: Part): boolean =>
  (start === undefined || part.greatestStart >= start) && (end === undefined || part.leastStart < end);
