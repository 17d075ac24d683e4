import { parseSpanFilter } from '../../filter/parse-span-filter.ts';
import type { SpanFilter } from '../../filter/span-filter.ts';
import type { TimeRange } from '../domain.ts';
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
  ...selection
}: Omit<SpanSelection, 'filter'> & {
  readonly condition?: string | undefined;
  readonly roots?: RootSpans | undefined;
}): SpanSelection => ({ ...selection, filter: withRoots(parseSpanFilter(condition ?? ''), roots) });
