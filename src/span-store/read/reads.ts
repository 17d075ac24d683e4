import type { SpanFileReader } from '../contract/span-files.ts';
import type { SpanStoreReader } from '../contract/span-store.ts';
import type { ChangeReader } from '../contract/store-changes.ts';
import { AGGREGATE_READS } from './aggregates/aggregate.ts';
import { ANNOTATION_READS } from './annotations/annotation-reads.ts';
import { ROW_READS } from './by-key/get-columns.ts';
import { COST_READS } from './costs/cost-reads.ts';
import { FACET_READS } from './facets/facet-reads.ts';
import { METRIC_READS } from './metrics/metric-reads.ts';
import { openParquet, readParquet } from './parquet/read-parquet.ts';
import { openTable, readTable } from './parquet/read-table.ts';
import { writeParquet } from './parquet/write-parquet.ts';
import type { ReadsOf } from './read-context.ts';
import { SESSION_READS } from './sessions/session-reads.ts';
import { SPAN_READS } from './spans/span-reads.ts';
import { TRACE_READS } from './traces/trace-reads.ts';
import { VALUE_READS } from './values/value-reads.ts';

/** Methods of the reader that the store thread runs as they are. */
export type QueryReader = Omit<SpanStoreReader, keyof SpanFileReader | keyof ChangeReader>;

/** Implementations of `QueryReader`. */
export const QUERY_READS: ReadsOf<QueryReader> = {
  ...ROW_READS,
  ...SPAN_READS,
  ...TRACE_READS,
  ...SESSION_READS,
  ...ANNOTATION_READS,
  ...COST_READS,
  ...AGGREGATE_READS,
  ...FACET_READS,
  ...VALUE_READS,
  ...METRIC_READS,
};

/** The store thread's part of exports and imports of files. The rest is in `open-span-store.ts`. */
export const FILE_READS = { writeParquet, openParquet, readParquet, openTable, readTable } as const;
