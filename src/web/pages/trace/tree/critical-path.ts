import type { SpanTree } from './span-tree.ts';

/** When a span was what the root waited for: starts and ends in turn, ms from the start of the trace, latest first. */
export type Waits = readonly number[];

/** Pieces of time in columns, and by span the places of its own: a trace may have 100,000 spans. */
export class CriticalPath {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** Place of the piece of the same span that was added before; -1 for none. */
  readonly #before: number[] = [];
  readonly #last: Int32Array;

  constructor(spanCount: number) {
    this.#last = new Int32Array(spanCount).fill(-1);
  }

  add(index: number, start: number, end: number): void {
    if (end - start < SHORTEST_MS) return;
    this.#starts.push(start);
    this.#ends.push(end);
    this.#before.push(this.#last[index]!);
    this.#last[index] = this.#starts.length - 1;
  }

  /** Empty for a span that nobody waited for. */
  waitsOf = (index: number): Waits => {
    const found: number[] = [];
    for (let place = this.#last[index]!; place >= 0; place = this.#before[place]!) {
      found.unshift(this.#starts[place]!, this.#ends[place]!);
    }
    return found;
  };
}

/**
 * The critical path of a trace: at every moment between the start and the end of the root, the span whose end the root
 * waits for. Making anything else faster does not make the trace faster.
 *
 * It is found backwards. From the end of a span, the child that ended last before that moment is what it waited for; the
 * time between that end and the moment was the span's own. Within the child the same holds, and it goes on from where the
 * child began. A child that ended after the moment was waited for by nobody: it ran beside what was, or outlived its parent.
 *
 * Takes n log n by the number of spans.
 */
export function findCriticalPath(tree: SpanTree): CriticalPath {
  const { offsetsMs, latenciesMs } = tree.skeleton;
  const endOf = (index: number) => offsetsMs[index]! + latenciesMs[index]!;
  const path = new CriticalPath(tree.count);
  const root = tree.roots[0];
  // Traces may be deeper than the call stack. Three numbers for each span that is still to be looked into.
  const open: number[] = root === undefined ? [] : [root, offsetsMs[root]!, endOf(root)];
  while (open.length > 0) {
    let moment = open.pop()!;
    const from = open.pop()!;
    const index = open.pop()!;
    const children = tree.hasChildren(index) ? [...tree.children(index)].sort((a, b) => endOf(b) - endOf(a)) : [];
    for (const child of children) {
      const end = endOf(child);
      if (end > moment || latenciesMs[child] === 0) continue;
      if (end <= from) break;
      const start = Math.max(from, offsetsMs[child]!);
      path.add(index, end, moment);
      if (tree.hasChildren(child)) open.push(child, start, end);
      else path.add(child, start, end);
      moment = start;
    }
    path.add(index, from, moment);
  }
  return path;
}

/** Less is what the clocks of two processes differ by. */
const SHORTEST_MS = 0.0005;

/** How long the root waited for a span itself, without what is below. */
export function waitedMs(waits: Waits): number {
  let sum = 0;
  for (let at = 0; at < waits.length; at += 2) sum += waits[at + 1]! - waits[at]!;
  return sum;
}
