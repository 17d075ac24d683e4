import type { ProjectScope } from '../../model/projects/project-member.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { BinQuery, RangeQuery, TimeRange } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

// Amounts are in 10⁻¹² dollars.

/** Totals of cost rows. */
export interface Costs {
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
  /** Null for a span without a matching price, which adds nothing to totals. */
  readonly promptPico: number | null;
  readonly completionPico: number | null;
}

/** Costs of one token type, of prompts or completions. Main types come first, then types by name. */
export interface CostsOfType {
  readonly tokenType: string;
  readonly isPrompt: boolean;
  readonly tokens: number;
  /** Null when no price matched. */
  readonly pico: number | null;
}

export interface CostOwners {
  readonly of: 'spans' | 'traces' | 'sessions';
  readonly rowIds: readonly number[];
}

/** Spans whose trace starts in the range, of one project or of all. */
export interface ModelCostQuery extends TimeRange {
  readonly projectId?: number | undefined;
  /** Projects to which the read is limited. */
  readonly projects?: ProjectScope | undefined;
  /** Requires `projectId`. */
  readonly filter?: SpanFilter | undefined;
  /** Absent: every model with spans. */
  readonly modelIds?: readonly number[] | undefined;
}

export interface CostsOfModel extends Costs {
  /** Start of the latest span. */
  readonly lastUsedUnixNano: bigint;
}

/** Costs of the traces that start in a bin. With a filter, only costs of the spans that it selects. */
export interface CostBin extends Costs {
  /** Microseconds since the epoch. */
  readonly startTimeUnixMicro: number;
  readonly details: readonly CostsOfType[];
}

/** Costs of traces in columns, in no order. A trace without a cost row, or whose ID is not 32 hexadecimal digits, is absent. */
export interface TraceCosts {
  /** Four words per trace: low and high word of the first 16 digits of its ID, then of the others. */
  readonly idWords: Uint32Array;
  readonly tokens: Float64Array;
  /** NaN when no price matched, so that the sum is 0. */
  readonly picos: Float64Array;
}

export interface CostReader {
  /** Owners without a cost row are absent. */
  findCosts(owners: CostOwners, options?: ReadOptions): Promise<Map<number, Costs>>;
  findCostsOfTypes(owners: CostOwners, options?: ReadOptions): Promise<Map<number, CostsOfType[]>>;
  /** Costs of all traces of projects. One read for hundreds of thousands of traces. */
  listTraceCosts(query: { readonly projectIds: readonly number[] }, options?: ReadOptions): Promise<TraceCosts>;
  /** Costs of the traces that start in the range, or with a filter, of their matching spans. */
  sumUpCosts(query: RangeQuery, options?: ReadOptions): Promise<Costs>;
  /** Costs by row id of the model. Models without spans are absent. */
  sumUpModels(query: ModelCostQuery, options?: ReadOptions): Promise<Map<number, CostsOfModel>>;
  findCostsOfTypesOfModels(query: ModelCostQuery, options?: ReadOptions): Promise<Map<number, CostsOfType[]>>;
  /** Bins by time. Bins without cost rows are absent. */
  binCosts(query: BinQuery, options?: ReadOptions): Promise<CostBin[]>;
}
