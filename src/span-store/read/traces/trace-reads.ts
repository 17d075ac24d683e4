import type { TraceReader } from '../../contract/traces.ts';
import type { ReadsOf } from '../read-context.ts';
import { listSpansOfTrace } from './find-spans-of-traces.ts';
import { findTraces } from './find-traces.ts';

/** Implementations of `TraceReader`. */
export const TRACE_READS: ReadsOf<TraceReader> = {
  findTraces,
  listSpansOfTrace,
};
