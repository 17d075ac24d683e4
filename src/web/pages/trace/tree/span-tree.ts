import { type KindName, toKind } from '../../../components/kinds.ts';
import type { TraceHeadData } from '../generated/trace.ts';

type ProjectNode = Extract<TraceHeadData['node'], { readonly __typename: 'Project' }>;
export type Skeleton = NonNullable<ProjectNode['trace']>['skeleton'];

const NONE = -1;
const LOST = -2;
/** Minimum number of siblings of one name that form a group. */
const GROUP_COUNT_MIN = 8;
/** With more visible rows, siblings are grouped even if they were visible, because the check reads every row. */
const KEPT_ROW_COUNT_MAX = 5_000;
/** Traces up to this size are shown without groups. */
const GROUPED_SPAN_COUNT_MIN = 60;

/** Line of the tree: a span, or a group of siblings of one name. */
export interface TreeRow {
  readonly key: string;
  /** Index of the span, or of the first sibling. */
  readonly index: number;
  readonly depth: number;
  /** Number of descendants, hidden or visible. */
  readonly childCount: number;
  readonly isOpen: boolean;
  /** Indices of the siblings, if the line is a group. */
  readonly group?: readonly number[];
}

/**
 * Parts of the tree that the user has collapsed or expanded, by row id of the span, because indices change with each
 * late span.
 */
export interface Expansion {
  readonly closed: ReadonlySet<number>;
  /** Spans whose group is expanded. One span per group is enough. */
  readonly openGroups: ReadonlySet<number>;
}

/** Spans of a trace by index of the skeleton, with their children. */
export class SpanTree {
  readonly skeleton: Skeleton;
  readonly count: number;
  readonly roots: readonly number[];
  /** End of the last span, in ms from the first start. */
  readonly endMs: number;
  /** Parent by index. Negative for a root. The relation has no cycles. */
  readonly #parents: Int32Array;
  readonly #isError: Uint8Array;
  readonly #firstChild: Int32Array;
  readonly #nextSibling: Int32Array;
  readonly #childCount: Uint32Array;
  /** Number of errors in the span and its descendants. */
  readonly #errorsBelow: Float64Array;

  constructor(skeleton: Skeleton) {
    const { offsetsMs, latenciesMs } = skeleton;
    const parents = breakCycles(skeleton.parents);
    const count = parents.length;
    this.skeleton = skeleton;
    this.count = count;
    this.#parents = parents;
    this.#firstChild = new Int32Array(count).fill(NONE);
    this.#nextSibling = new Int32Array(count).fill(NONE);
    this.#childCount = new Uint32Array(count);
    const roots: number[] = [];
    let endMs = 0;
    // Iterates backwards, so that children are linked by start time.
    for (let index = count - 1; index >= 0; index--) {
      endMs = Math.max(endMs, offsetsMs[index]! + latenciesMs[index]!);
      const parent = parents[index]!;
      if (parent < 0) {
        roots.push(index);
        continue;
      }
      this.#nextSibling[index] = this.#firstChild[parent]!;
      this.#firstChild[parent] = index;
      this.#childCount[parent]! += 1;
    }
    this.endMs = endMs;
    // Real roots first, then spans whose parent is missing.
    this.roots = roots.reverse().sort((a, b) => Number(this.isOrphan(a)) - Number(this.isOrphan(b)) || a - b);
    this.#isError = new Uint8Array(count);
    for (const index of skeleton.errors) this.#isError[index] = 1;
    this.#errorsBelow = Float64Array.from(this.#isError);
    if (skeleton.errors.length > 0) this.cumulate(this.#errorsBelow);
  }

  /** Title of the trace: the name of its root. */
  title = (): string | undefined => (this.roots[0] === undefined ? undefined : this.name(this.roots[0]));
  name = (index: number): string => this.skeleton.names[this.skeleton.nameIndices[index]!] ?? '';
  kind = (index: number): KindName => toKind(this.skeleton.spanKinds[this.skeleton.spanKindIndices[index]!] ?? '');
  isError = (index: number): boolean => this.#isError[index] === 1;
  errorsBelow = (index: number): number => this.#errorsBelow[index]! - this.#isError[index]!;
  isOrphan = (index: number): boolean => this.#parents[index] === LOST;
  /** Index of the parent. Negative for a root. */
  parent = (index: number): number => this.#parents[index]!;
  /** Global ID of the span's node. */
  nodeId = (index: number): string => btoa(`Span:${this.rowId(index)}`);
  rowId = (index: number): number => this.skeleton.rowIds[index]!;
  /** Whether the root span has not arrived. */
  isRunning = (): boolean => this.roots[0] !== undefined && this.isOrphan(this.roots[0]);

  indexOfNode(nodeId: string | null): number | undefined {
    if (nodeId === null) return undefined;
    let rowId: number;
    try {
      rowId = Number(/^Span:(\d+)$/.exec(atob(nodeId))?.[1]);
    } catch {
      return undefined;
    }
    return this.indexOfRow(rowId);
  }

  indexOfRow(rowId: number): number | undefined {
    const index = this.skeleton.rowIds.indexOf(rowId);
    return index < 0 ? undefined : index;
  }

  /** Adds to each span's value the values of its descendants, in place. */
  cumulate(values: Float64Array): void {
    const topDown = new Int32Array(this.count);
    let length = 0;
    for (const root of this.roots) topDown[length++] = root;
    for (let at = 0; at < length; at++) {
      const first = this.#firstChild[topDown[at]!]!;
      for (let child = first; child !== NONE; child = this.#nextSibling[child]!) topDown[length++] = child;
    }
    for (let at = length - 1; at >= 0; at--) {
      const parent = this.#parents[topDown[at]!]!;
      if (parent >= 0) values[parent]! += values[topDown[at]!]!;
    }
  }

  hasChildren = (index: number): boolean => this.#firstChild[index] !== NONE;

  children(index: number): readonly number[] {
    const found: number[] = [];
    for (let child = this.#firstChild[index]!; child !== NONE; child = this.#nextSibling[child]!) found.push(child);
    return found;
  }

  /** Visible lines from top to bottom. */
  rows({ closed, openGroups }: Expansion): readonly TreeRow[] {
    const rows: TreeRow[] = [];
    // Uses its own stack, because a trace may be deeper than the call stack.
    const stack: TreeRow[] = this.#toRows(this.roots, 0, closed, openGroups).reverse();
    for (let row = stack.pop(); row; row = stack.pop()) {
      rows.push(row);
      if (!row.isOpen) continue;
      const below = row.group
        ? row.group.map((index) => this.#toRow(index, row.depth + 1, closed))
        : this.#toRows(this.children(row.index), row.depth + 1, closed, openGroups);
      for (const child of below.toReversed()) stack.push(child);
    }
    return rows;
  }

  #toRow(index: number, depth: number, closed: ReadonlySet<number>): TreeRow {
    const childCount = this.#childCount[index]!;
    const rowId = this.rowId(index);
    return { key: String(rowId), index, depth, childCount, isOpen: childCount > 0 && !closed.has(rowId) };
  }

  #toRows(
    indices: readonly number[],
    depth: number,
    closed: ReadonlySet<number>,
    openGroups: ReadonlySet<number>,
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
      const isOpen = openGroups.size > 0 && group.some((member) => openGroups.has(this.rowId(member)));
      return [{ key: `group ${this.rowId(index)}`, index, depth, childCount: group.length, isOpen, group }];
    });
  }

  /** Expands the ancestors of a span and their groups. */
  reveal(index: number, expansion: Expansion): Expansion {
    const closed = new Set(expansion.closed);
    const openGroups = new Set(expansion.openGroups);
    for (let at = index; at >= 0; at = this.parent(at)) {
      if (at !== index) closed.delete(this.rowId(at));
      openGroups.add(this.rowId(at));
    }
    return { closed, openGroups };
  }

  /**
   * Computes the expansion of this tree after it has grown from a tree with these rows. Visible spans do not disappear in
   * a new group, and the selected span stays visible.
   */
  keepInSight(rows: readonly TreeRow[], selected: number, expansion: Expansion): Expansion {
    const { closed, openGroups } = this.reveal(selected, expansion);
    if (rows.length > KEPT_ROW_COUNT_MAX || this.count < GROUPED_SPAN_COUNT_MIN) return { closed, openGroups };
    const single = rows.flatMap(({ key, group }) => (group ? [] : [Number(key)]));
    return { closed, openGroups: new Set([...openGroups, ...single]) };
  }

  /** Indices of all spans with children. */
  parents(): ReadonlySet<number> {
    const found = new Set<number>();
    for (let index = 0; index < this.count; index++) if (this.#childCount[index]! > 0) found.add(index);
    return found;
  }
}

/** Breaks cycles of parents. The first span of a cycle becomes a root. */
function breakCycles(given: readonly number[]): Int32Array {
  const parents = Int32Array.from(given);
  /** Start of the walk that first visited each span, or 0. */
  const seen = new Int32Array(parents.length);
  for (let from = 0; from < parents.length; from++) {
    let up = from;
    for (; up >= 0 && seen[up] === 0; up = parents[up]!) seen[up] = from + 1;
    if (up < 0 || seen[up] !== from + 1) continue;
    let first = up;
    for (let at = parents[up]!; at !== up; at = parents[at]!) first = Math.min(first, at);
    parents[first] = NONE;
  }
  return parents;
}
