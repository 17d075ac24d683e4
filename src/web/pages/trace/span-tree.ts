import { type KindName, toKind } from '../../components/kinds.ts';
import type { TraceHeadData } from './generated/trace.ts';

type ProjectNode = Extract<TraceHeadData['node'], { readonly __typename: 'Project' }>;
export type Skeleton = NonNullable<ProjectNode['trace']>['skeleton'];

const NONE = -1;
const LOST = -2;
/** A trace that is deeper than this is followed no further. */
const STEP_COUNT_MAX = 10_000;
/** Siblings of one name from this many on are folded into a row. */
const GROUP_COUNT_MIN = 8;
/** Small traces are shown as they are. */
const GROUPED_SPAN_COUNT_MIN = 60;

/** A line of the tree: a span, or siblings of one name that are folded into one. */
export interface TreeRow {
  readonly key: string;
  /** Of the span, or of the first of the siblings. */
  readonly index: number;
  readonly depth: number;
  /** Spans below that are hidden or could be. */
  readonly childCount: number;
  readonly isOpen: boolean;
  /** Present on a row that stands for several. */
  readonly group?: readonly number[];
}

/** Which parts of the tree somebody has folded, or unfolded. */
export interface Folding {
  readonly closed: ReadonlySet<number>;
  readonly openGroups: ReadonlySet<string>;
}

/** A trace's spans by index, as the skeleton has them, and who is below whom. */
export class SpanTree {
  readonly skeleton: Skeleton;
  readonly count: number;
  readonly roots: readonly number[];
  /** Of all spans, from the first start. */
  readonly endMs: number;
  readonly #isError: Uint8Array;
  readonly #firstChild: Int32Array;
  readonly #nextSibling: Int32Array;
  readonly #childCount: Uint32Array;
  /** Failed spans below, the span itself not counted. */
  readonly #errorsBelow: Uint32Array;

  constructor(skeleton: Skeleton) {
    const { parents, offsetsMs, latenciesMs } = skeleton;
    const count = parents.length;
    this.skeleton = skeleton;
    this.count = count;
    this.#firstChild = new Int32Array(count).fill(NONE);
    this.#nextSibling = new Int32Array(count).fill(NONE);
    this.#childCount = new Uint32Array(count);
    this.#isError = new Uint8Array(count);
    this.#errorsBelow = new Uint32Array(count);
    const roots: number[] = [];
    let endMs = 0;
    // From the last on, so that each span becomes the first of its siblings in the order of their starts.
    for (let index = count - 1; index >= 0; index--) {
      endMs = Math.max(endMs, offsetsMs[index]! + latenciesMs[index]!);
      const parent = parents[index]!;
      if (parent < 0 || this.#isBelowItself(index)) {
        roots.push(index);
        continue;
      }
      this.#nextSibling[index] = this.#firstChild[parent]!;
      this.#firstChild[parent] = index;
      this.#childCount[parent]! += 1;
    }
    this.endMs = endMs;
    // The true root first, then what has lost its parent.
    this.roots = roots.reverse().sort((a, b) => Number(this.isOrphan(a)) - Number(this.isOrphan(b)) || a - b);
    for (const index of skeleton.errors) {
      this.#isError[index] = 1;
      for (const up of this.ancestors(index)) this.#errorsBelow[up]! += 1;
    }
  }

  /** Spans may name each other as parents; the one that comes first of such a ring stands at the root. */
  #isBelowItself(index: number): boolean {
    const { parents } = this.skeleton;
    let least = index;
    for (let up = parents[index]!, steps = 0; up >= 0; up = parents[up]!, steps++) {
      if (up === index) return least === index;
      if (steps > 10_000) return false;
      least = Math.min(least, up);
    }
    return false;
  }

  /** What the trace is called: its root. */
  title = (): string | undefined => (this.roots[0] === undefined ? undefined : this.name(this.roots[0]));
  name = (index: number): string => this.skeleton.names[this.skeleton.nameIndices[index]!] ?? '';
  kind = (index: number): KindName => toKind(this.skeleton.spanKinds[this.skeleton.spanKindIndices[index]!] ?? '');
  isError = (index: number): boolean => this.#isError[index] === 1;
  errorsBelow = (index: number): number => this.#errorsBelow[index]!;
  isOrphan = (index: number): boolean => this.skeleton.parents[index] === LOST;
  parent = (index: number): number => this.skeleton.parents[index]!;
  /** Global ID of the span's node. */
  nodeId = (index: number): string => btoa(`Span:${this.skeleton.rowIds[index]}`);

  indexOfNode(nodeId: string | null): number | undefined {
    if (nodeId === null) return undefined;
    let rowId: number;
    try {
      rowId = Number(/^Span:(\d+)$/.exec(atob(nodeId))?.[1]);
    } catch {
      return undefined;
    }
    const index = this.skeleton.rowIds.indexOf(rowId);
    return index < 0 ? undefined : index;
  }

  /** From the parent up; of spans that name each other as parents, each once. */
  *ancestors(index: number): Generator<number> {
    const { parents } = this.skeleton;
    let steps = 0;
    for (let up = parents[index]!; up >= 0 && up !== index && steps < STEP_COUNT_MAX; up = parents[up]!, steps++) {
      yield up;
    }
  }

  hasChildren = (index: number): boolean => this.#firstChild[index] !== NONE;

  children(index: number): readonly number[] {
    const found: number[] = [];
    for (let child = this.#firstChild[index]!; child !== NONE; child = this.#nextSibling[child]!) found.push(child);
    return found;
  }

  /** What the tree shows, top to bottom. */
  rows({ closed, openGroups }: Folding): readonly TreeRow[] {
    const rows: TreeRow[] = [];
    // A stack of our own: traces may be deeper than the call stack.
    const stack: TreeRow[] = this.#toRows(this.roots, -1, 0, closed, openGroups).reverse() as TreeRow[];
    for (let row = stack.pop(); row; row = stack.pop()) {
      rows.push(row);
      if (!row.isOpen) continue;
      const below = row.group
        ? row.group.map((index) => this.#toRow(index, row.depth + 1, closed))
        : this.#toRows(this.children(row.index), row.index, row.depth + 1, closed, openGroups);
      for (let at = below.length - 1; at >= 0; at--) stack.push(below[at]!);
    }
    return rows;
  }

  #toRow(index: number, depth: number, closed: ReadonlySet<number>): TreeRow {
    const childCount = this.#childCount[index]!;
    return { key: String(index), index, depth, childCount, isOpen: childCount > 0 && !closed.has(index) };
  }

  #toRows(
    indices: readonly number[],
    parent: number,
    depth: number,
    closed: ReadonlySet<number>,
    openGroups: ReadonlySet<string>,
  ): TreeRow[] {
    if (this.count < GROUPED_SPAN_COUNT_MIN || indices.length < GROUP_COUNT_MIN) {
      return indices.map((index) => this.#toRow(index, depth, closed));
    }
    const byName = new Map<number, number[]>();
    for (const index of indices) {
      const name = this.skeleton.nameIndices[index]!;
      const known = byName.get(name);
      if (known) known.push(index);
      else byName.set(name, [index]);
    }
    const done = new Set<number>();
    return indices.flatMap((index) => {
      const name = this.skeleton.nameIndices[index]!;
      const group = byName.get(name)!;
      if (group.length < GROUP_COUNT_MIN) return [this.#toRow(index, depth, closed)];
      if (done.has(name)) return [];
      done.add(name);
      const key = groupKey(parent, name);
      return [{ key, index, depth, childCount: group.length, isOpen: openGroups.has(key), group }];
    });
  }

  /** The folding that shows a span: its ancestors, and the groups that it or they stand in, are open. */
  reveal(index: number, folding: Folding): Folding {
    const closed = new Set(folding.closed);
    const openGroups = new Set(folding.openGroups);
    for (let at = index, steps = 0; at >= 0 && steps < 10_000; at = this.parent(at), steps++) {
      if (at !== index) closed.delete(at);
      openGroups.add(groupKey(Math.max(-1, this.parent(at)), this.skeleton.nameIndices[at]!));
    }
    return { closed, openGroups };
  }

  /** Every span that has spans below. */
  parents(): ReadonlySet<number> {
    const found = new Set<number>();
    for (let index = 0; index < this.count; index++) if (this.#childCount[index]! > 0) found.add(index);
    return found;
  }
}

const groupKey = (parent: number, name: number): string => `${parent}/${name}`;
