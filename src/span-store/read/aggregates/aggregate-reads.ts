import type { AggregateReader } from '../../contract/aggregates.ts';
import type { ReadsOf } from '../read-context.ts';
import { binSpans, binTraceLatencies, binTraces } from './bin-by-time.ts';
import { countSpans, countSpansByDay, findQuantiles, sumUpProjects, sumUpSessions, sumUpTraces } from './sum-up.ts';
import { binRows, sumUpRows } from './sum-up-rows.ts';

/** Implementations of `AggregateReader`. */
export const AGGREGATE_READS: ReadsOf<AggregateReader> = {
  sumUpProjects,
  countSpansByDay,
  countSpans,
  sumUpTraces,
  sumUpSessions,
  findQuantiles,
  sumUpRows,
  binSpans,
  binRows,
  binTraces,
  binTraceLatencies,
};
