import { expectPresent } from '../../base/expect-present.ts';
import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import type { SpanCondition, SpanFilter } from '../../filter/spans/span-filter.ts';

/** Restricts a filter to the traces with these IDs, which may be more IDs than the text of a filter can hold. */
export function ofTraces(
  filter: SpanFilter | undefined,
  traceIds: readonly string[] | undefined,
): SpanFilter | undefined {
  if (!traceIds) return filter;
  const isOne: SpanCondition = {
    kind: 'membership',
    isNegated: false,
    value: { type: 'text', kind: 'field', field: 'trace_id' },
    elements: traceIds.map((value) => ({ type: 'text', kind: 'literal', value })),
  };
  if (!filter)
    return { ...expectPresent(parseSpanFilter('trace_id is not None'), 'the text is not empty'), condition: isOne };
  return { ...filter, condition: { kind: 'and', operands: [isOne, filter.condition] } };
}
