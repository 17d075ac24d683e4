import { expectPresent } from '../../base/expect-present.ts';
import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';

/** Spans that name no parent, or also those whose parent is not stored. */
export type RootSpans = 'parentless' | 'orphansToo';

/** Adds the condition that a span is a root. */
export function withRoots(filter: SpanFilter | undefined, roots: RootSpans | undefined): SpanFilter | undefined {
  if (!roots) return filter;
  const text = roots === 'parentless' ? 'parent_id is None' : 'parent_span is None';
  const isRoot = expectPresent(parseSpanFilter(text), 'the text is not empty');
  return filter ? { ...filter, condition: { kind: 'and', operands: [isRoot.condition, filter.condition] } } : isRoot;
}
