import type { Page } from '../../model/page.ts';
import type { SpanSummary } from '../../model/span.ts';
import type { Trace } from '../../model/trace.ts';
import type { ReadOptions, TraceQuery } from '../../span-store/span-store.ts';
import type { Domain } from '../domain.ts';

export interface TraceWithSpans {
  readonly trace: Trace;
  /** By start time; null when nobody asked for them. */
  readonly spans: readonly SpanSummary[] | null;
}

/** One page of traces in the order asked for, with or without their spans. */
export async function listTraces(
  { spans: reader }: Pick<Domain, 'spans'>,
  query: TraceQuery,
  { withSpans, ...options }: ReadOptions & { readonly withSpans: boolean },
): Promise<Page<TraceWithSpans>> {
  const page = await reader.findTraces(query, options);
  const rowIds = page.items.map(({ rowId }) => rowId);
  const spans = withSpans && rowIds.length > 0 ? await reader.findSpansOfTraces(rowIds, options) : undefined;
  return {
    ...page,
    items: page.items.map((trace) => ({ trace, spans: withSpans ? (spans?.get(trace.rowId) ?? []) : null })),
  };
}
