import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { findCriticalPath } from '../../../../../src/web/pages/trace/tree/critical-path.ts';
import { toSpanCosts } from '../../../../../src/web/pages/trace/tree/span-costs.ts';
import { SpanTree } from '../../../../../src/web/pages/trace/tree/span-tree.ts';
import { toSkeleton } from '../../../skeleton.ts';

const INITIAL_EXPANSION = { closed: new Set<number>(), openGroups: new Set<number>() };
const treeOf = (parents: readonly number[], errors: readonly number[] = []) =>
  new SpanTree(
    toSkeleton(
      parents.map((parent, index) => ({ parent, start: index, end: parents.length, isError: errors.includes(index) })),
    ),
  );

/** Parents that may be anything: missing, lost, oneself, one's own children. */
const anyParents = fc
  .integer({ min: 1, max: 30 })
  .chain((count) => fc.array(fc.integer({ min: -2, max: count - 1 }), { minLength: count, maxLength: count }));

describe('a tree of spans', () => {
  test('is built, aggregated and laid out for a chain of 100,000 spans', () => {
    const count = 100_000;
    const tree = treeOf(
      Array.from({ length: count }, (_, index) => index - 1),
      [count - 1],
    );
    const all = Array.from({ length: count }, (_, index) => index);
    const costs = toSpanCosts(tree, { rowIds: all.map(tree.rowId), costs: all.map(() => 1) });
    const rows = tree.rows(tree.reveal(count - 1, INITIAL_EXPANSION));
    findCriticalPath(tree);

    assert.equal(rows.length, count);
    assert.deepEqual(rows.at(-1), {
      key: String(count - 1),
      index: count - 1,
      depth: count - 1,
      childCount: 0,
      isOpen: false,
    });
    assert.equal(tree.errorsBelow(0), 1);
    assert.equal(tree.errorsBelow(count - 1), 0);
    assert.deepEqual([costs.cumulative[0], costs.cumulative[count - 1]], [count, 1]);
  });

  test('shows every span once, below its parent unless the parents are a cycle', () => {
    fc.assert(
      fc.property(anyParents, (parents) => {
        const isAbove = (index: number, of: number) => {
          let up = parents[of]!;
          for (let steps = 0; up >= 0 && up !== index && steps < parents.length; steps++) up = parents[up]!;
          return up === index;
        };
        const ring = (index: number) =>
          parents.flatMap((_, at) => (isAbove(index, at) && isAbove(at, index) ? at : []));
        const tree = treeOf(parents);
        const shown = tree.rows(INITIAL_EXPANSION).map(({ index }) => index);

        assert.deepEqual(
          shown.toSorted((a, b) => a - b),
          [...parents.keys()],
        );
        for (const [index, parent] of parents.entries()) {
          const isTop = parent < 0 || ring(index)[0] === index;
          assert.equal(tree.parent(index) < 0, isTop);
          if (!isTop) assert.equal(tree.parent(index), parent);
        }
      }),
    );
  });

  test('keeps visible spans visible while it grows, although indices shift and siblings become a group', () => {
    const given = (names: readonly string[], rowIds: readonly number[]) => {
      const skeleton = toSkeleton([
        { parent: -1, start: 0, end: 100 },
        ...names.slice(1).map((_, index) => ({ parent: 0, start: index, end: index + 1 })),
      ]);
      return new SpanTree({
        ...skeleton,
        rowIds: [...rowIds],
        names: [...new Set(names)],
        nameIndices: names.map((name) => [...new Set(names)].indexOf(name)),
      });
    };
    const others = Array.from({ length: 60 }, (_, index) => `other ${index}`);
    const searches = (count: number) => Array.from({ length: count }, () => 'search');
    const before = given(['root', ...searches(7), ...others], [1, ...Array.from({ length: 67 }, (_, at) => 100 + at)]);
    // The new span began before all others, so it comes first.
    const after = given(
      ['root', ...searches(8), ...others],
      [1, 999, ...Array.from({ length: 67 }, (_, at) => 100 + at)],
    );
    const expansion = { closed: new Set<number>(), openGroups: new Set<number>() };

    const rows = after.rows(after.keepInSight(before.rows(expansion), after.indexOfRow(130)!, expansion));

    const group = rows.find((row) => row.group)!;
    assert.deepEqual([group.group?.length, group.isOpen], [8, true]);
    assert.deepEqual(
      before.rows(expansion).filter(({ key }) => !rows.some((row) => row.key === key)),
      [],
    );
    assert.equal(after.rows(expansion).length, rows.length - 8, 'without what was in sight, the group would be folded');
  });
});
