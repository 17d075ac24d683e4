import type { SpanReader } from '../../contract/spans.ts';
import type { ReadsOf } from '../read-context.ts';
import { findSpanRowId, findStoredSpanIds } from '../rows/find-ids.ts';
import { findSpanRows } from '../rows/read-span-rows.ts';
import { findSpanBodies } from '../rows/read-spans.ts';
import { findSpans } from './find-spans.ts';
import { listRootSpans } from './list-root-spans.ts';
import { listSpanColumns } from './list-span-columns.ts';
import { listSpans } from './list-spans.ts';
import { measureSpans } from './measure-spans.ts';

/** Implementations of `SpanReader`. */
export const SPAN_READS: ReadsOf<SpanReader> = {
  findSpans,
  findSpanRowId,
  findStoredSpanIds,
  listSpans,
  listSpanColumns,
  listRootSpans,
  findSpanRows,
  findSpanBodies,
  measureSpans,
};
