import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { TimeRange } from '../../span-store/contract/query-terms.ts';
import { ofTraces } from './of-traces.ts';
import { type RootSpans, withRoots } from './root-spans.ts';

/** Spans of a project that start in a range and that a filter selects. */
export interface SpanSelection extends TimeRange {
  readonly projectId: number;
  readonly filter?: SpanFilter | undefined;
}

/** @throws {FilterError} for a condition that is none */
export const selectSpans = ({
  condition,
  roots,
  traceIds,
  ...selection
}: Omit<SpanSelection, 'filter'> & {
  readonly condition?: string | undefined;
  readonly roots?: RootSpans | undefined;
  /** Absent: of any trace. */
  readonly traceIds?: readonly string[] | undefined;
}): SpanSelection => ({ ...selection, filter: ofTraces(withRoots(parseSpanFilter(condition ?? ''), roots), traceIds) });
