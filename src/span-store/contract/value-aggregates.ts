import type { ProjectScope } from '../../model/projects/project-member.ts';
import type { BinPlan, TimeRange } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

/** Spans that start in the range and have one of some texts at one of some attributes. */
export interface ValueQuery extends TimeRange {
  /** Dotted paths. A span with different values at several of them counts under the first. */
  readonly paths: readonly string[];
  /** 1 to `GROUPED_VALUE_COUNT_MAX` different texts. */
  readonly values: readonly string[];
  /** Absent: all projects. */
  readonly projectId?: number | undefined;
  /** Projects to which the read is limited. */
  readonly projects?: ProjectScope | undefined;
  readonly bins: BinPlan;
}

/** Aggregates of spans with one value, in a bin or in the whole range. */
export interface ValueAggregates {
  readonly value: string;
  /** Start of the bin in microseconds since the epoch. Null for the whole range. */
  readonly startTimeUnixMicro: number | null;
  readonly spanCount: number;
  readonly errorCount: number;
  /** Interpolated latencies in ms, in the order of `VALUE_QUANTILES`. */
  readonly latencies: readonly number[];
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
  /** In 10⁻¹² dollars. Null when no span has a price. */
  readonly costPico: number | null;
  readonly firstStartUnixNano: bigint;
  readonly lastStartUnixNano: bigint;
  /** Mean scores of the annotations of the spans, by name. Every span has the same weight. */
  readonly scores: readonly { readonly name: string; readonly spanCount: number; readonly meanScore: number }[];
}

export const VALUE_QUANTILES = [0.5, 0.95] as const;

export interface AggregatesByValue {
  /** Aggregates by value and bin, the whole range before its bins. Values and bins without spans are absent. */
  readonly aggregates: readonly ValueAggregates[];
  /** Projects with such spans, those with the most spans first. */
  readonly projects: readonly { readonly projectId: number; readonly spanCount: number }[];
}

export interface ValueReader {
  /** Aggregates of spans by the value of an attribute. Reads only blocks of spans that may have one of the values. */
  aggregateByValue(query: ValueQuery, options?: ReadOptions): Promise<AggregatesByValue>;
}
