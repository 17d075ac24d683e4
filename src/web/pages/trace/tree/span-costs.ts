import type { SpanTree } from './span-tree.ts';

/** US dollars, by index of the span. */
export interface SpanCosts {
  readonly own: Float64Array;
  /** Cost of a span and its descendants. */
  readonly cumulative: Float64Array;
}

/** Adds up the costs of the spans that have a price. */
export function toSpanCosts(
  tree: SpanTree,
  given: { readonly rowIds: readonly number[]; readonly costs: readonly number[] },
): SpanCosts {
  const own = new Float64Array(tree.count);
  // Costs and tree are read separately, and the trace may have grown in between.
  const costs = new Map(given.rowIds.map((rowId, place) => [rowId, given.costs[place] ?? 0]));
  for (let index = 0; index < tree.count; index++) own[index] = costs.get(tree.rowId(index)) ?? 0;
  const cumulative = own.slice();
  tree.cumulate(cumulative);
  return { own, cumulative };
}
