import type { Ports } from './ports.ts';

export type {
  ProjectAggregates,
  QuantileQuery,
  RowAggregates,
  SessionAggregates,
  SpanSize,
  TraceAggregates,
} from '../span-store/contract/aggregates.ts';
export { LATENCY_QUANTILES } from '../span-store/contract/aggregates.ts';
export type {
  AnnotationAggregates,
  AnnotationAggregatesQuery,
  AnnotationChange,
  AnnotationFilter,
} from '../span-store/contract/annotations.ts';
export type {
  CostOwners,
  CostReader,
  Costs,
  CostsOfModel,
  CostsOfType,
  ModelCostQuery,
} from '../span-store/contract/costs.ts';
export type { Grain, TraceGrain } from '../span-store/contract/grain.ts';
export type {
  AnnotationSort,
  Bin,
  BinPlan,
  BinQuery,
  ListPosition,
  RangeQuery,
  RowRef,
  TimeRange,
} from '../span-store/contract/query-terms.ts';
export type { ReadOptions } from '../span-store/contract/read-options.ts';
export type { SessionDetails, SessionSortColumn } from '../span-store/contract/sessions.ts';
export type { SpanStoreReader } from '../span-store/contract/span-store.ts';
export type { AttributeCondition, SpanListPage, SpanQuery, SpanSortColumn } from '../span-store/contract/spans.ts';
export type { StoreChange } from '../span-store/contract/store-changes.ts';
export type { ErrorTypeCount } from '../span-store/contract/traces.ts';

/** Operations and queries of the product, by noun. The API layers call these and know no store. */
export type Domain = Ports;

export const createDomain = (ports: Ports): Domain => ports;
