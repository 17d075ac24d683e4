import type { SpanReader } from '../../contract/spans.ts';
import type { ReadsOf } from '../read-context.ts';
import { findSpans } from './find-spans.ts';
import { listRootSpans } from './list-root-spans.ts';
import { listSpanColumns } from './list-span-columns.ts';
import { listSpans } from './list-spans.ts';
import { measureSpans } from './measure-spans.ts';

/** Implementations of `SpanReader`. */
export const SPAN_READS: ReadsOf<SpanReader> = {
  findSpans,
  listSpans,
  listSpanColumns,
  listRootSpans,
  measureSpans,
};
