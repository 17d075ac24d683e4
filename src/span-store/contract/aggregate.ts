import { expectPresent } from '../../base/expect-present.ts';
import type { ProjectScope } from '../../model/projects/project-member.ts';
import type { EntityFilter } from '../../filter/entities/entity-filter.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { Grain } from './grain.ts';
import type { Bin, BinPlan, TimeRange } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

/** `tokenTypes`: costs of one span for one token type. The range applies to the trace of the span, and so do bins. */
export type AggregateGrain = Grain | 'tokenTypes';

/** A value of a row. Amounts are in 10⁻¹² dollars. */
export type MeasuredValue =
  | 'latencyMs'
  | 'tokensPrompt'
  | 'tokensCompletion'
  /** Tokens with a cost row, and their costs. */
  | 'costTokensPrompt'
  | 'costTokensCompletion'
  | 'promptPico'
  | 'completionPico'
  /** Tokens and costs of one token type. */
  | 'tokens'
  | 'pico'
  /** Only for traces and sessions. */
  | 'spanCount'
  /** Only for sessions. The latency is that of each trace. */
  | 'traceCount'
  | 'traceLatencyMs'
  /** Spans and root spans with the status, or traces and sessions with such a span. To be counted. */
  | 'ok'
  | 'error'
  | 'unset'
  /** Spans with a cost row, or traces and sessions with such a span. To be counted. */
  | 'cost';

export type MeasuredTime = 'startTime' | 'endTime';

/** An aggregate over the rows of a group and bin. `measure` makes one. */
export type Measure =
  | { readonly by: 'rows' }
  | { readonly by: 'count' | 'sum' | 'sumOrNull' | 'mean'; readonly of: MeasuredValue }
  | { readonly by: 'earliest'; readonly of: MeasuredTime }
  | { readonly by: 'latest'; readonly of: MeasuredTime }
  | {
      readonly by: 'quantiles';
      readonly of: 'latencyMs' | 'traceLatencyMs';
      readonly probabilities: readonly number[];
    };

export const measure = {
  /** Number of rows. */
  rows: { by: 'rows' },
  /** Number of rows that have the value. */
  count: (of: MeasuredValue) => ({ by: 'count', of }) as const,
  /** 0 without values. */
  sum: (of: MeasuredValue) => ({ by: 'sum', of }) as const,
  /** Null without values. */
  sumOrNull: (of: MeasuredValue) => ({ by: 'sumOrNull', of }) as const,
  /** Null without values. */
  mean: (of: MeasuredValue) => ({ by: 'mean', of }) as const,
  /** Null without rows. */
  earliest: (of: MeasuredTime) => ({ by: 'earliest', of }) as const,
  latest: (of: MeasuredTime) => ({ by: 'latest', of }) as const,
  /** Interpolated quantiles in the order of the probabilities, each from 0 to 1. Null without rows. */
  quantiles: (of: 'latencyMs' | 'traceLatencyMs', probabilities: readonly number[]) =>
    ({ by: 'quantiles', of, probabilities }) as const,
} as const;

/** Aggregates by the name that a row of the result has for them. */
export type Measures = Readonly<Record<string, Measure>>;

/** Values that identify a group. Rows without one of them are in no group. */
export interface GroupValues {
  readonly projectId: number;
  /** Row id of the model that priced the span. */
  readonly modelId: number;
  readonly tokenType: string;
  readonly isPrompt: boolean;
}
export type GroupColumn = keyof GroupValues;

/** Rows of a table. Spans and traces start in the range, and sessions overlap it. */
export interface AggregateQuery<Names extends Measures = Measures, Column extends GroupColumn = GroupColumn>
  extends TimeRange {
  readonly grain: AggregateGrain;
  readonly measures: Names;
  /** Absent: all projects. */
  readonly projectId?: number | undefined;
  /** Projects to which the read is limited. */
  readonly projects?: ProjectScope | undefined;
  /** Selects rows as `Grain` says. Requires `projectId`. */
  readonly filter?: SpanFilter | undefined;
  /** Selects sessions, or their traces or spans. Requires `projectId`. */
  readonly sessionFilter?: EntityFilter | undefined;
  /** Only spans and token types that these models priced. */
  readonly modelIds?: readonly number[] | undefined;
  /** Only for the grain `spans`: the range applies to the traces of the spans. */
  readonly isRangeOfTraces?: boolean | undefined;
  /**
   * Only for the grain `traces`: with a filter, tokens and costs are those of the spans that the filter selects instead of whole
   * traces. `spanCount` is then, also without a filter, the number of selected spans that start in the range; without a filter, it may
   * be of a later commit than the other measures.
   */
  readonly ofMatchingSpans?: boolean | undefined;
  readonly groupBy?: readonly Column[] | undefined;
  readonly bins?: (BinPlan & AggregateBins) | undefined;
}

export interface AggregateBins {
  /** Rows that start outside of it count in the first or the last bin. */
  readonly range?: TimeRange | undefined;
}

export type MeasuredResult<One extends Measure> = ResultsBy[One['by']];

interface ResultsBy {
  readonly rows: number;
  readonly count: number;
  readonly sum: number;
  readonly sumOrNull: number | null;
  readonly mean: number | null;
  readonly earliest: bigint | null;
  readonly latest: bigint | null;
  readonly quantiles: readonly number[] | null;
}

/** Aggregates of a group and bin. The start is 0 without bins. */
export type AggregateRow<Names extends Measures = Measures, Column extends GroupColumn = never> = Bin &
  Pick<GroupValues, Column> & { readonly [Name in keyof Names]: MeasuredResult<Names[Name]> };

/** The row of an aggregate without groups and bins. */
export const totalOf = <Row>([row]: readonly Row[]): Row =>
  expectPresent(row, 'an aggregate without groups and bins is one row');

/** Counts, sums, means, quantiles and series. `SpanStoreReader` states what all reads have in common. */
export interface AggregateReader {
  /**
   * Aggregates by group and bin, bins by time and groups in no order. Groups and bins without rows are absent; without groups
   * and bins, the result is one row. The engine takes aggregates that it keeps where it can.
   */
  aggregate<Names extends Measures, Column extends GroupColumn = never>(
    query: AggregateQuery<Names, Column>,
    options?: ReadOptions,
  ): Promise<AggregateRow<Names, Column>[]>;
}
