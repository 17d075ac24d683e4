import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { CallEdge, CallNode } from '../../src/web/pages/trace/graph/call-graph.ts';
import { layOut, NODE_HEIGHT, NODE_WIDTH } from '../../src/web/pages/trace/graph/graph-layout.ts';

const node = (id: string): CallNode => ({
  id,
  kind: 'chain',
  name: id,
  spans: [],
  errorCount: 0,
  timeMs: 0,
  tokens: 0,
  cost: 0,
  selfCalls: 0,
});

function graphOf(calls: readonly (readonly [string, string])[], alone: readonly string[] = []) {
  const nodes = new Map([...calls.flat(), ...alone].map((id) => [id, node(id)]));
  const edges = calls.map(([from, to]): CallEdge => {
    return { from: nodes.get(from)!, to: nodes.get(to)!, spans: [], timeMs: 0, cost: 0 };
  });
  return layOut({ nodes: [...nodes.values()], edges }, () => '2× 1.5s');
}

describe('the layout of the agent graph', () => {
  test('draws a caller to the left of its calls, with space for the label between them', () => {
    const { nodes, edges } = graphOf([
      ['agent', 'model'],
      ['agent', 'tool'],
      ['tool', 'search'],
    ]);
    const left = new Map(nodes.map(({ node: { id }, x }) => [id, x]));

    for (const { edge, labelX } of edges) {
      assert(left.get(edge.from.id)! + NODE_WIDTH < labelX && labelX < left.get(edge.to.id)!, edge.to.id);
    }
  });

  test('keeps nodes apart and inside of the picture, also with cyclic calls and nodes without calls', () => {
    const name = fc.constantFrom(...'abcdefghijkl');
    const calls = fc.uniqueArray(fc.tuple(name, name), { selector: String, maxLength: 30 });
    fc.assert(
      fc.property(calls, (all) => {
        const { nodes, edges, width, height } = graphOf(
          all.filter(([from, to]) => from !== to),
          ['alone', 'root'],
        );

        for (const [index, a] of nodes.entries()) {
          assert(a.x >= 0 && a.y >= 0 && a.x + NODE_WIDTH <= width && a.y + NODE_HEIGHT <= height);
          for (const b of nodes.slice(index + 1)) {
            assert(
              Math.abs(a.x - b.x) >= NODE_WIDTH || Math.abs(a.y - b.y) >= NODE_HEIGHT,
              `${a.node.id} ${b.node.id}`,
            );
          }
        }
        for (const { path } of edges) assert.match(path, /^M[\d. -]+(C[\d. -]+)+$/);
      }),
    );
  });
});
