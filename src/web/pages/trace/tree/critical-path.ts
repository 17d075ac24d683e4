import type { SpanTree } from './span-tree.ts';

/**
 * Time ranges in which the root waited for a span, as alternating starts and ends in ms from the start of the trace. The
 * latest range is first.
 */
export type Waits = readonly number[];

/** Time ranges in columns, linked by span, because a trace may have 100,000 spans. */
export class CriticalPath {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** Index of the previous range of the same span, or -1. */
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

  /** Ranges of a span. Empty if the span is not on the path. */
  waitsOf = (index: number): Waits => {
    const found: number[] = [];
    for (let place = this.#last[index]!; place >= 0; place = this.#before[place]!) {
      found.unshift(this.#starts[place]!, this.#ends[place]!);
    }
    return found;
  };
}

/**
 * Finds the critical path of a trace: at each moment, the span whose end the root waits for. Only a faster span on the
 * path makes the trace faster.
 *
 * The search runs backwards. A span waits for the child that ended last before the current moment; the time between is
 * its own. The search continues in that child, and then before the start of the child. A child that ended after the
 * moment ran in parallel or outlived its parent.
 *
 * Takes O(n log n) time by number of spans.
 */
export function findCriticalPath(tree: SpanTree): CriticalPath {
  const { offsetsMs, latenciesMs } = tree.skeleton;
  const endOf = (index: number) => offsetsMs[index]! + latenciesMs[index]!;
  const path = new CriticalPath(tree.count);
  const root = tree.roots[0];
  // Uses its own stack with three numbers per span, because a trace may be deeper than the call stack.
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

/** Tolerance for clock differences between processes. */
const SHORTEST_MS = 0.0005;

/** Time that the root waited for a span itself, without its descendants. */
export function waitedMs(waits: Waits): number {
  let sum = 0;
  for (let at = 0; at < waits.length; at += 2) sum += waits[at + 1]! - waits[at]!;
  return sum;
}
