import type { Ports } from './ports.ts';

export type {
  AnnotationChange,
  AnnotationFilter,
  AnnotationSums,
  AnnotationSumsQuery,
} from '../span-store/annotation-queries.ts';
export type {
  CostOwners,
  Costs,
  CostsOfModel,
  CostsOfType,
  ModelCostQuery,
} from '../span-store/cost-queries.ts';
export type { Grain, TraceGrain } from '../span-store/grain.ts';
export type { RowFigures } from '../span-store/grain-queries.ts';
export type {
  AnnotationSort,
  Bin,
  BinPlan,
  BinQuery,
  ErrorTypeCount,
  ListPosition,
  ProjectSums,
  QuantileQuery,
  RangeQuery,
  SessionDetails,
  SessionSortColumn,
  SessionSums,
  SpanListPage,
  SpanSize,
  SpanSortColumn,
  TimeRange,
  TraceSums,
} from '../span-store/list-queries.ts';
export { LATENCY_QUANTILES } from '../span-store/list-queries.ts';
export type {
  AttributeCondition,
  ReadOptions,
  RowRef,
  SpanQuery,
  SpanReader,
  StoreChange,
} from '../span-store/span-store.ts';

/** Operations and queries of the product, by noun. The API layers call these and know no store. */
export type Domain = Ports;

export const createDomain = (ports: Ports): Domain => ports;
