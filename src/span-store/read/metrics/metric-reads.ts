import type { SpanMetricReader } from '../../contract/span-metrics.ts';
import type { ReadsOf } from '../read-context.ts';
import { findSpanMetric } from './find-span-metric.ts';

/** Implementations of `SpanMetricReader`. */
export const METRIC_READS: ReadsOf<SpanMetricReader> = {
  findSpanMetric,
};
