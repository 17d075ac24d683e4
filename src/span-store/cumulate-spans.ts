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
  errorCount: number;
  tokensPrompt: number;
  tokensCompletion: number;
}

/**
 * Sums of each span with all its stored descendants in the same trace, by index. A span whose parent is not stored is
 * a root here. Spans on a cycle of parents count everything on the cycle and below it once.
 *
 * Leaves are folded into their parents one after another, without recursion, so depth is no matter.
 */
export function cumulateSpans(spans: readonly SpanNode[]): Cumulative[] {
  const sums = spans.map(({ errorCount, tokensPrompt, tokensCompletion }) => ({
    errorCount,
    tokensPrompt,
    tokensCompletion,
  }));
  const parents = parentIndexes(spans);
  const childCounts = new Int32Array(spans.length);
  for (const parent of parents) if (parent >= 0) childCounts[parent]!++;
  const ready: number[] = [];
  for (let index = 0; index < spans.length; index++) if (childCounts[index] === 0) ready.push(index);
  let foldedCount = 0;
  for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
    foldedCount++;
    // Marks it as done, for the search for cycles.
    childCounts[index] = -1;
    const parent = parents[index]!;
    if (parent < 0) continue;
    add(sums[parent]!, sums[index]!);
    if (--childCounts[parent]! === 0) ready.push(parent);
  }
  if (foldedCount < spans.length) shareOnCycles(sums, parents, childCounts);
  return sums;
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
  return Int32Array.from(spans, ({ traceRowId, id, parentId }) =>
    // A span that names itself as its parent is its own only descendant.
    parentId === null || parentId === id ? -1 : (byTrace.get(traceRowId)!.get(parentId) ?? -1),
  );
}

/** What no leaf leads to is cycles alone, by now holding all that hangs below them. */
function shareOnCycles(sums: Cumulative[], parents: Int32Array, state: Int32Array): void {
  for (let from = 0; from < parents.length; from++) {
    if (state[from]! < 0) continue;
    const cycle: number[] = [];
    for (let index = from; state[index]! >= 0; index = parents[index]!) {
      state[index] = -1;
      cycle.push(index);
    }
    const total = { errorCount: 0, tokensPrompt: 0, tokensCompletion: 0 };
    for (const index of cycle) add(total, sums[index]!);
    for (const index of cycle) sums[index] = { ...total };
  }
}

function add(sum: Cumulative, part: Cumulative): void {
  sum.errorCount += part.errorCount;
  sum.tokensPrompt += part.tokensPrompt;
  sum.tokensCompletion += part.tokensCompletion;
}
