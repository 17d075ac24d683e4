import type { CallEdge, CallGraph, CallNode } from './call-graph.ts';

export const NODE_WIDTH = 152;
export const NODE_HEIGHT = 46;
const COLUMN_GAP = 96;
const ROW_GAP = 18;
const MARGIN = 14;
const SWEEP_COUNT = 6;

export interface PlacedNode {
  readonly node: CallNode;
  /** Of the upper left corner. */
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge {
  readonly edge: CallEdge;
  /** Of an SVG path. */
  readonly path: string;
  /** Where its figures stand. */
  readonly labelX: number;
  readonly labelY: number;
}

export interface GraphLayout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/**
 * Columns by the fewest calls that lead to a node from the root, so that no edge runs forward over a column; within a
 * column each node is drawn to the middle of its neighbours. Edges back and within a column go round below.
 */
export function layOut(graph: CallGraph): GraphLayout {
  const columns = toColumns(graph);
  for (let sweep = 0; sweep < SWEEP_COUNT; sweep++) sortByNeighbours(graph, columns, sweep % 2 === 0);
  const rowCount = Math.max(...columns.map(({ length }) => length));
  const height = rowCount * (NODE_HEIGHT + ROW_GAP) - ROW_GAP + 2 * MARGIN;
  const placed = new Map<CallNode, PlacedNode & { readonly column: number }>();
  for (const [column, nodes] of columns.entries()) {
    const top = (height - nodes.length * (NODE_HEIGHT + ROW_GAP) + ROW_GAP) / 2;
    for (const [row, node] of nodes.entries()) {
      const x = MARGIN + column * (NODE_WIDTH + COLUMN_GAP);
      placed.set(node, { node, column, x, y: top + row * (NODE_HEIGHT + ROW_GAP) });
    }
  }
  const hasBack = graph.edges.some(({ from, to }) => placed.get(to)!.column <= placed.get(from)!.column);
  return {
    nodes: [...placed.values()],
    edges: graph.edges.map((edge) => toPath(edge, placed.get(edge.from)!, placed.get(edge.to)!)),
    width: columns.length * (NODE_WIDTH + COLUMN_GAP) - COLUMN_GAP + 2 * MARGIN,
    height: height + (hasBack ? 40 : 0),
  };
}

function toColumns({ nodes, edges }: CallGraph): CallNode[][] {
  const called = new Set(edges.map(({ to }) => to));
  const column = new Map<CallNode, number>();
  const queue: CallNode[] = [];
  const begin = (node: CallNode) => {
    if (column.has(node)) return;
    column.set(node, 0);
    queue.push(node);
    for (let at = queue.length - 1; at < queue.length; at++) {
      const from = queue[at]!;
      for (const edge of edges) {
        if (edge.from !== from || column.has(edge.to)) continue;
        column.set(edge.to, column.get(from)! + 1);
        queue.push(edge.to);
      }
    }
  };
  for (const node of nodes) if (!called.has(node)) begin(node);
  // What is left calls itself in a ring.
  for (const node of nodes) begin(node);
  const columns: CallNode[][] = [];
  for (const node of nodes) {
    const at = column.get(node)!;
    columns[at] ??= [];
    columns[at].push(node);
  }
  return columns;
}

function sortByNeighbours({ edges }: CallGraph, columns: CallNode[][], isForward: boolean): void {
  const order = isForward ? columns.keys() : [...columns.keys()].reverse();
  for (const at of order) {
    const beside = new Map(columns[at + (isForward ? -1 : 1)]?.map((node, row) => [node, row]));
    if (beside.size === 0) continue;
    const middle = (node: CallNode, row: number) => {
      const rows = edges.flatMap(({ from, to }) => {
        const other = isForward ? (to === node ? from : undefined) : from === node ? to : undefined;
        const found = other && beside.get(other);
        return found === undefined ? [] : [found];
      });
      return rows.length === 0 ? row : rows.reduce((sum, each) => sum + each, 0) / rows.length;
    };
    const middles = new Map(columns[at]!.map((node, row) => [node, middle(node, row)]));
    columns[at]!.sort((a, b) => middles.get(a)! - middles.get(b)!);
  }
}

function toPath(
  edge: CallEdge,
  from: PlacedNode & { readonly column: number },
  to: PlacedNode & { readonly column: number },
): PlacedEdge {
  const y1 = from.y + NODE_HEIGHT / 2;
  const y2 = to.y + NODE_HEIGHT / 2;
  if (to.column > from.column) {
    const x1 = from.x + NODE_WIDTH;
    const bend = COLUMN_GAP * 0.45;
    const path = `M${x1} ${y1}C${x1 + bend} ${y1} ${to.x - bend} ${y2} ${to.x} ${y2}`;
    // Nearer to what was called: there the edges of one caller have parted.
    return { edge, path, labelX: to.x - 8, labelY: y2 - 5 };
  }
  const x1 = from.x + NODE_WIDTH / 2;
  const x2 = to.x + NODE_WIDTH / 2 + (x1 === to.x + NODE_WIDTH / 2 ? 24 : 0);
  const low = Math.max(from.y, to.y) + NODE_HEIGHT + 34;
  const path = `M${x1} ${from.y + NODE_HEIGHT}C${x1} ${low} ${x2} ${low} ${x2} ${to.y + NODE_HEIGHT}`;
  return { edge, path, labelX: (x1 + x2) / 2, labelY: low - 6 };
}
