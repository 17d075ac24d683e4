import { type KindName, toKind } from '../../../components/kinds.ts';
import type { SpanCosts } from '../tree/span-costs.ts';
import type { SpanTree } from '../tree/span-tree.ts';

/** All spans of one kind and name. */
export interface CallNode {
  readonly id: string;
  readonly kind: KindName;
  readonly name: string;
  /** Indices, in the order of their starts. */
  readonly spans: number[];
  errorCount: number;
  /** Latencies added up. */
  timeMs: number;
  /** Excludes descendants. */
  tokens: number;
  cost: number;
  /** Calls of itself. */
  selfCalls: number;
}

/** Who called whom: figures are of the spans that were called, with all below them. */
export interface CallEdge {
  readonly from: CallNode;
  readonly to: CallNode;
  readonly spans: number[];
  timeMs: number;
  cost: number;
}

export interface CallGraph {
  /** Roots first, then by breadth. */
  readonly nodes: readonly CallNode[];
  readonly edges: readonly CallEdge[];
}

/** Maximum number of readable nodes. Those with the least time are combined. */
const NODE_COUNT_MAX = 36;
const OTHERS = 'others';

/** Groups a trace by kind and name. Takes time by the number of spans; its size is by the number of names. */
export function toCallGraph(tree: SpanTree, costs: SpanCosts | undefined): CallGraph {
  const { nameIndices, spanKindIndices, names, spanKinds, latenciesMs, tokenCounts } = tree.skeleton;
  const key = (index: number) => `${spanKindIndices[index]} ${nameIndices[index]}`;
  const kept = keptKeys(tree, key);
  const nodes = new Map<string, CallNode>();
  const nodeOf = (index: number): CallNode => {
    const own = key(index);
    const id = kept.has(own) ? own : OTHERS;
    let node = nodes.get(id);
    if (!node) {
      const kind = id === OTHERS ? 'unknown' : toKind(spanKinds[spanKindIndices[index]!]!);
      const name = id === OTHERS ? 'other names' : names[nameIndices[index]!]!;
      node = { id, kind, name, spans: [], errorCount: 0, timeMs: 0, tokens: 0, cost: 0, selfCalls: 0 };
      nodes.set(id, node);
    }
    return node;
  };
  const edges = new Map<string, CallEdge>();
  for (let index = 0; index < tree.count; index++) {
    const node = nodeOf(index);
    node.spans.push(index);
    node.timeMs += latenciesMs[index]!;
    node.tokens += tokenCounts[index]!;
    node.cost += costs?.own[index] ?? 0;
    if (tree.isError(index)) node.errorCount += 1;
    const parent = tree.parent(index);
    if (parent < 0) continue;
    const from = nodeOf(parent);
    if (from === node) {
      node.selfCalls += 1;
      continue;
    }
    const edgeKey = `${from.id}/${node.id}`;
    let edge = edges.get(edgeKey);
    if (!edge) {
      edge = { from, to: node, spans: [], timeMs: 0, cost: 0 };
      edges.set(edgeKey, edge);
    }
    edge.spans.push(index);
    edge.timeMs += latenciesMs[index]!;
    edge.cost += costs?.cumulative[index] ?? 0;
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

function keptKeys(tree: SpanTree, key: (index: number) => string): ReadonlySet<string> {
  const times = new Map<string, number>();
  for (let index = 0; index < tree.count; index++) {
    const own = key(index);
    times.set(own, (times.get(own) ?? 0) + tree.skeleton.latenciesMs[index]!);
  }
  if (times.size <= NODE_COUNT_MAX) return new Set(times.keys());
  const roots = tree.roots.slice(0, 1).map(key);
  const longest = [...times].sort(([, a], [, b]) => b - a).map(([own]) => own);
  return new Set([...roots, ...longest].slice(0, NODE_COUNT_MAX - 1));
}
