import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { BinQuery, RangeQuery, TimeRange } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

// What is asked of costs, and what the store answers (`SpanReader`). Amounts are in 10⁻¹² dollars.

/** Sum of cost rows. */
export interface Costs {
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
  /** Null for a span that no price matched; it adds nothing to sums. */
  readonly promptPico: number | null;
  readonly completionPico: number | null;
}

/** One token type of one side; main types first, then by name. */
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

/** Spans whose trace starts in the range; without a project those of all. */
export interface ModelCostQuery extends TimeRange {
  readonly projectId?: number | undefined;
  /** Requires `projectId`. */
  readonly filter?: SpanFilter | undefined;
  /** Absent: every model that has spans. */
  readonly modelIds?: readonly number[] | undefined;
}

export interface CostsOfModel extends Costs {
  /** Start of the latest span. */
  readonly lastUsedUnixNano: bigint;
}

/** Costs of traces by the start of the trace. With a filter, only costs of the spans that it selects. */
export interface CostBin extends Costs {
  /** Microseconds since the epoch. */
  readonly startTimeUnixMicro: number;
  readonly details: readonly CostsOfType[];
}

export interface CostReader {
  /** Owners without a cost row are absent. */
  findCosts(owners: CostOwners, options?: ReadOptions): Promise<Map<number, Costs>>;
  findCostsOfTypes(owners: CostOwners, options?: ReadOptions): Promise<Map<number, CostsOfType[]>>;
  /** Traces of a project that start in the range; with a filter, those of their spans that match it. */
  sumUpCosts(query: RangeQuery, options?: ReadOptions): Promise<Costs>;
  /** By row id of the model; a model without spans is absent. */
  sumUpModels(query: ModelCostQuery, options?: ReadOptions): Promise<Map<number, CostsOfModel>>;
  findCostsOfTypesOfModels(query: ModelCostQuery, options?: ReadOptions): Promise<Map<number, CostsOfType[]>>;
  /** Bins with cost rows, by time. */
  binCosts(query: BinQuery, options?: ReadOptions): Promise<CostBin[]>;
}
