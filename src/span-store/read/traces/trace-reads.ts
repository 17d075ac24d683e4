import type { TraceReader } from '../../contract/traces.ts';
import type { ReadsOf } from '../read-context.ts';
import { findTraceRowId, findTraceRowIds } from '../rows/find-ids.ts';
import { findSpanSums } from './find-span-sums.ts';
import { findSpansOfTraces, listSpansOfTrace } from './find-spans-of-traces.ts';
import {
  findErrorTypesOfTraces,
  findRootSpanIds,
  findTracesByRowIds,
  findUsersOfTraces,
} from './find-trace-details.ts';
import { findTraceSkeletons } from './find-trace-skeletons.ts';
import { findTraces, findTracesOfSessions } from './find-traces.ts';

/** Implementations of `TraceReader`. */
export const TRACE_READS: ReadsOf<TraceReader> = {
  findTraces,
  findTraceRowId,
  findTraceRowIds,
  findTracesByRowIds,
  findTracesOfSessions,
  findSpansOfTraces,
  listSpansOfTrace,
  findSpanSums,
  findTraceSkeletons,
  findRootSpanIds,
  findUsersOfTraces,
  findErrorTypesOfTraces,
};
