// biome-ignore-all lint/style/noNonNullAssertion: all columns have an entry for each span, and a parent that is not negative is a span.

/** What is summed up along the tree of a trace. */
export interface SpanNode {
  readonly traceRowId: number;
  /** The number a span is stored under, and its parent's. */
  readonly id: bigint;
  readonly parentId: bigint | null;
  readonly errorCount: number;
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
}

export interface Cumulative {
  readonly errorCount: number;
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
}

/**
 * Aggregates of each span with all its stored descendants in the same trace, by index. A span whose parent is not
 * stored is a root here. Spans in a cycle of parents count everything in the cycle and below it once.
 */
export function cumulateSpans(spans: readonly SpanNode[]): Cumulative[] {
  const errors = Float64Array.from(spans, ({ errorCount }) => errorCount);
  const prompts = Float64Array.from(spans, ({ tokensPrompt }) => tokensPrompt);
  const completions = Float64Array.from(spans, ({ tokensCompletion }) => tokensCompletion);
  cumulate(parentIndexes(spans), [errors, prompts, completions]);
  return spans.map((_, index) => ({
    errorCount: errors[index]!,
    tokensPrompt: prompts[index]!,
    tokensCompletion: completions[index]!,
  }));
}

/**
 * Adds to each span's values those of its descendants, in place. Leaves are folded into their parents one after another,
 * Adds the values of all descendants to those of each span, in place. Leaves are added to their parents one after
 * another, without recursion, so the depth does not matter.
 * @param parents Indices; negative where there is none. A span that names itself has none.
 * @param parents Indices; negative if there is none. A span that names itself has none.
 */
export function cumulate(parents: Int32Array, columns: readonly Float64Array[]): void {
  const childCounts = new Int32Array(parents.length);
  const hasParent = (index: number) => parents[index]! >= 0 && parents[index] !== index;
  for (let index = 0; index < parents.length; index++) if (hasParent(index)) childCounts[parents[index]!]!++;
  const ready = new Int32Array(parents.length);
  let readyCount = 0;
  for (let index = 0; index < parents.length; index++) if (childCounts[index] === 0) ready[readyCount++] = index;
  let foldedCount = 0;
  while (readyCount > 0) {
    const index = ready[--readyCount]!;
    foldedCount++;
    // Marks it as done, for the search for cycles.
    childCounts[index] = -1;
    if (!hasParent(index)) continue;
    const parent = parents[index]!;
    for (const column of columns) column[parent]! += column[index]!;
    if (--childCounts[parent]! === 0) ready[readyCount++] = parent;
  }
  if (foldedCount < parents.length) shareOnCycles(columns, parents, childCounts);
}

function parentIndexes(spans: readonly SpanNode[]): Int32Array {
  const byTrace = new Map<number, Map<bigint, number>>();
  for (const [index, { traceRowId, id }] of spans.entries()) {
    let byId = byTrace.get(traceRowId);
    if (!byId) {
      byId = new Map();
      byTrace.set(traceRowId, byId);
    }
    byId.set(id, index);
  }
  return Int32Array.from(spans, ({ traceRowId, parentId }) =>
    parentId === null ? -1 : (byTrace.get(traceRowId)!.get(parentId) ?? -1),
  );
}

/** The remaining spans are cycles, which have the values of everything below them by now. */
function shareOnCycles(columns: readonly Float64Array[], parents: Int32Array, state: Int32Array): void {
  for (let from = 0; from < parents.length; from++) {
    if (state[from]! < 0) continue;
    const cycle: number[] = [];
    for (let index = from; state[index]! >= 0; index = parents[index]!) {
      state[index] = -1;
      cycle.push(index);
    }
    for (const column of columns) {
      const total = cycle.reduce((sum, index) => sum + column[index]!, 0);
      for (const index of cycle) column[index] = total;
    }
  }
}
