import type { SpanTree } from './span-tree.ts';

/** US dollars, by index of the span. */
export interface SpanCosts {
  readonly own: Float64Array;
  /** With everything below. */
  readonly cumulative: Float64Array;
}

/** Adds up what the spans of a trace cost, from those that have a price. */
export function toSpanCosts(
  tree: SpanTree,
  given: { readonly indices: readonly number[]; readonly costs: readonly number[] },
): SpanCosts {
  const own = new Float64Array(tree.count);
  for (const [place, index] of given.indices.entries()) own[index] = given.costs[place]!;
  const cumulative = own.slice();
  tree.cumulate(cumulative);
  return { own, cumulative };
}
