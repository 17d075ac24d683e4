import { Graph, layout as layOutGraph, type Point } from '@dagrejs/dagre';
import type { CallEdge, CallGraph, CallNode } from './call-graph.ts';

export const NODE_WIDTH = 152;
export const NODE_HEIGHT = 46;
const COLUMN_GAP = 24;
const ROW_GAP = 18;
const MARGIN = 14;
/** Width of a character of a label on average, and height of its line. */
const LABEL_CHAR_WIDTH = 5.8;
const LABEL_HEIGHT = 14;
/** Distance of a label from its line. */
const LABEL_GAP = 4;

export interface PlacedNode {
  readonly node: CallNode;
  /** Upper left corner. */
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge {
  readonly edge: CallEdge;
  readonly label: string;
  /** Data of an SVG path. */
  readonly path: string;
  /** Middle of the baseline of the label. */
  readonly labelX: number;
  readonly labelY: number;
}

export interface GraphLayout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/** Edges that take part in the layout, whose time grows faster than their number. The others are drawn across. */
const ROUTED_COUNT_MAX = 100;

/** Places callers to the left of their calls. The label of an edge gets its own space. */
export function layOut({ nodes, edges }: CallGraph, labelOf: (edge: CallEdge) => string): GraphLayout {
  const graph = new Graph();
  graph.setGraph({
    rankdir: 'LR',
    ranksep: COLUMN_GAP,
    nodesep: ROW_GAP,
    edgesep: ROW_GAP,
    marginx: MARGIN,
    marginy: MARGIN,
  });
  for (const node of nodes) graph.setNode(node.id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  const routed = routedEdges(edges);
  for (const edge of routed) {
    const width = labelOf(edge).length * LABEL_CHAR_WIDTH;
    graph.setEdge(edge.from.id, edge.to.id, { width, height: LABEL_HEIGHT, labelpos: 'c' });
  }
  layOutGraph(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    nodes: nodes.map((node) => {
      const { x, y } = graph.node(node.id);
      return { node, x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 };
    }),
    edges: edges.map((edge) => {
      const [from, to] = [graph.node(edge.from.id), graph.node(edge.to.id)];
      const route = routed.has(edge) ? graph.edge(edge.from.id, edge.to.id) : undefined;
      const bends: readonly Point[] = route?.points.slice(1, -1) ?? [];
      const label = route ?? { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
      const side = from.x <= to.x ? 1 : -1;
      const path = toPath([
        { x: from.x + (side * NODE_WIDTH) / 2, y: from.y },
        ...bends.flatMap((bend) => (bend.x === label.x ? besideLabel(label, side) : [bend])),
        { x: to.x - (side * NODE_WIDTH) / 2, y: to.y },
      ]);
      return { edge, label: labelOf(edge), path, labelX: label.x, labelY: label.y - LABEL_GAP };
    }),
    width,
    height,
  };
}

/** The first call of each node, which leaves none of them alone, then the edges that took the most time. */
function routedEdges(edges: readonly CallEdge[]): ReadonlySet<CallEdge> {
  const first = new Map([...edges].reverse().map((edge) => [edge.to, edge]));
  const slowest = [...edges].sort((a, b) => b.timeMs - a.timeMs);
  return new Set([...new Set([...first.values(), ...slowest])].slice(0, ROUTED_COUNT_MAX));
}

/** Both ends of a straight line under a label. */
const besideLabel = ({ x, y, width = 0 }: Point & { width?: number }, side: number): Point[] => [
  { x: x - (side * width) / 2, y },
  { x: x + (side * width) / 2, y },
];

/** A curve through points: it is horizontal at each of them. */
function toPath(points: readonly Point[]): string {
  return points
    .map(({ x, y }, index) => {
      const before = points[index - 1];
      if (!before) return `M${round(x)} ${round(y)}`;
      const middle = round((before.x + x) / 2);
      return `C${middle} ${round(before.y)} ${middle} ${round(y)} ${round(x)} ${round(y)}`;
    })
    .join('');
}

const round = (value: number): number => Math.round(value * 10) / 10;
