import type { SpanTree } from './span-tree.ts';

/** When a span was what the root waited for: starts and ends in turn, ms from the start of the trace, latest first. */
export type Waits = readonly number[];

/**
 * The critical path of a trace: at every moment between the start and the end of the root, the span whose end the root
 * waits for. Making anything else faster does not make the trace faster.
 *
 * It is found backwards. From the end of a span, the child that ended last before that moment is what it waited for; the
 * time between that end and the moment was the span's own. Within the child the same holds, and it goes on from where the
 * child began. A child that ended after the moment was waited for by nobody: it ran beside what was, or outlived its parent.
 *
 * @returns By index of the span; a span that nobody waited for is absent. Takes n log n by the number of spans.
 */
export function findCriticalPath(tree: SpanTree): ReadonlyMap<number, Waits> {
  const { offsetsMs, latenciesMs } = tree.skeleton;
  const endOf = (index: number) => offsetsMs[index]! + latenciesMs[index]!;
  const waits = new Map<number, number[]>();
  const root = tree.roots[0];
  if (root === undefined) return waits;
  const add = (index: number, start: number, end: number) => {
    if (end - start < SHORTEST_MS) return;
    const known = waits.get(index);
    if (known) known.push(start, end);
    else waits.set(index, [start, end]);
  };
  // Traces may be deeper than the call stack.
  const open: { readonly index: number; readonly from: number; readonly to: number }[] = [
    { index: root, from: offsetsMs[root]!, to: endOf(root) },
  ];
  for (let span = open.pop(); span; span = open.pop()) {
    const { index, from } = span;
    let moment = span.to;
    for (const child of [...tree.children(index)].sort((a, b) => endOf(b) - endOf(a))) {
      const end = endOf(child);
      if (end > moment || latenciesMs[child] === 0) continue;
      if (end <= from) break;
      const start = Math.max(from, offsetsMs[child]!);
      add(index, end, moment);
      open.push({ index: child, from: start, to: end });
      moment = start;
    }
    add(index, from, moment);
  }
  return waits;
}

/** Less is what the clocks of two processes differ by. */
const SHORTEST_MS = 0.0005;

/** How long the root waited for a span itself, without what is below. */
export function waitedMs(waits: Waits): number {
  let sum = 0;
  for (let at = 0; at < waits.length; at += 2) sum += waits[at + 1]! - waits[at]!;
  return sum;
}
