import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  readAddress,
  toFilterInput,
  withExperiments,
  withOwnNames,
} from '../../../src/web/pages/comparison/address.ts';
import { moved } from '../../../src/web/pages/comparison/choice/move-experiment.ts';
import { toCompared } from '../../../src/web/pages/comparison/compared.ts';
import { toExportQuery } from '../../../src/web/pages/comparison/export/export-query.ts';
import { formatDifference, formatMeasure, isBetter } from '../../../src/web/pages/comparison/format-measure.ts';
import { toObjects, toReadable } from '../../../src/web/pages/comparison/grid/cell-text.ts';
import { shuffled, sortByScore, toBlind } from '../../../src/web/pages/comparison/row/order-columns.ts';
import { toHeatRows } from '../../../src/web/pages/comparison/summary/heat.ts';
import { toSharedAxis } from '../../../src/web/pages/comparison/summary/shared-axis.ts';

describe('the address of a comparison', () => {
  test('has the whole state of the page', () => {
    const search = new URLSearchParams(
      'experiment=a&experiment=b&view=list&sort=score:x&order=desc&sortOf=b&regressedOn=score:x&of=b&hasError=true&slowerThanMs=1500&runFilterCondition=error is None&search=fox&splitId=s1&splitId=s2&cells=diff&column=input&exampleId=e1&groupKey=topic',
    );

    const address = readAddress(search);

    assert.deepEqual(address.experimentIds, ['a', 'b']);
    assert.equal(address.view, 'list');
    assert.deepEqual(address.sort, { by: 'score:x', order: 'desc', experimentId: 'b' });
    assert.deepEqual(address.splitIds, ['s1', 's2']);
    assert.deepEqual(address.flipped, ['input']);
    assert.deepEqual([address.content, address.exampleId, address.groupKey], ['diff', 'e1', 'topic']);
    assert.deepEqual(toFilterInput(address.filter), {
      regressedOn: 'score:x',
      experimentId: 'b',
      hasError: true,
      slowerThanMs: 1500,
      condition: 'error is None',
      text: 'fox',
    });
    assert.equal(
      toExportQuery(address, address.sort!, 'report'),
      'experiment_id=a&experiment_id=b&split_id=s1&split_id=s2&regressed_on=score%3Ax&filter_experiment_id=b&has_error=true&slower_than_ms=1500&condition=error+is+None&text=fox&sort=score%3Ax&order=desc&sort_experiment_id=b&metadata_key=topic',
    );
  });

  test('has no filter and an unknown view where it is empty or wrong', () => {
    const { filter, view, experimentIds, sort } = readAddress(
      new URLSearchParams('view=constructor&slowerThanMs=fast&experiment=&experiment=a&experiment=a'),
    );

    assert.deepEqual(experimentIds, ['a'], 'each experiment once');
    assert.equal(view, undefined);
    assert.equal(sort, undefined);
    assert.equal(toFilterInput(filter), undefined);
  });

  test('takes the links that clients print', () => {
    const own = withOwnNames(new URLSearchParams('experimentId=a&experimentId=b&view=grid'));

    assert.equal(`${own}`, 'view=grid&experiment=a&experiment=b');
    assert.equal(withOwnNames(new URLSearchParams('experiment=a')), undefined);
  });

  test('removes what concerned a removed experiment', () => {
    const search = new URLSearchParams('experiment=a&experiment=b&of=b&sortOf=a');

    assert.equal(`${withExperiments(search, ['a'])}`, 'sortOf=a&experiment=a');
  });
});

describe('the experiments of a comparison', () => {
  test('keep their color when the order changes, and get a letter by position', () => {
    const before = toCompared(['x', 'y', 'z'], []);
    const after = toCompared(['z', 'x', 'y'], []);

    const colorsOf = (all: typeof before) => Object.fromEntries(all.map(({ id, color }) => [id, color]));
    assert.deepEqual(colorsOf(after), colorsOf(before));
    assert.equal(new Set(before.map(({ color }) => color)).size, 3);
    assert.deepEqual(
      after.map(({ letter, isBase }) => [letter, isBase]),
      [
        ['A', true],
        ['B', false],
        ['C', false],
      ],
    );
  });

  test('move to another position', () => {
    assert.deepEqual(moved(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b']);
    assert.deepEqual(moved(['a', 'b', 'c'], 0, -1), ['a', 'b', 'c']);
    assert.deepEqual(moved(['a', 'b', 'c'], 1, 2), ['a', 'c', 'b']);
  });
});

describe('measures', () => {
  const score = { kind: 'SCORE', isBinary: false, direction: 'MAXIMIZE' } as const;

  test('are shown in their units, with shares as percentages and their differences as points', () => {
    assert.equal(formatMeasure({ kind: 'SCORE', isBinary: true }, 0.8125), '81 %');
    assert.equal(formatMeasure(score, 0.81254), '0.813');
    assert.equal(formatMeasure({ kind: 'LATENCY', isBinary: false }, 1500), '1.5s');
    assert.equal(formatDifference({ kind: 'SCORE', isBinary: true }, 0.041), '+4.1 pts');
    assert.equal(formatDifference({ kind: 'LATENCY', isBinary: false }, -250), '−250ms');
    assert.equal(formatDifference(score, 0), '0');
    assert.equal(formatDifference(score, null), '--');
  });

  test('are better by their direction', () => {
    assert.equal(isBetter(score, 0.1), true);
    assert.equal(isBetter({ direction: 'MINIMIZE' }, 0.1), false);
    assert.equal(isBetter({ direction: 'NONE' }, 0.1), undefined);
    assert.equal(isBetter(score, 0), undefined);
  });

  test('share an axis that contains all means and intervals', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.double({ noNaN: true, min: 0, max: 10 })),
          {
            minLength: 1,
          },
        ),
        (values) => {
          const all = values.map(([mean, half]) => ({ mean, low: mean - half, high: mean + half }));
          const axis = toSharedAxis(all)!;
          for (const { low, mean, high } of all) {
            assert(axis.at(low) >= 0 && axis.at(high) <= 1 && axis.at(low) <= axis.at(mean));
          }
        },
      ),
    );
    assert.equal(toSharedAxis([{ mean: null, low: null, high: null }]), undefined);
  });

  test('make a heat table whose strengths are relative to the largest difference of a measure', () => {
    const group = (name: string, mean: number) => ({
      name,
      exampleCount: 10,
      measures: [
        {
          ...score,
          key: 'score:x',
          name: 'x',
          values: [
            {
              experimentId: 'b',
              count: 10,
              mean: 0,
              low: 0,
              high: 0,
              difference: {
                count: 10,
                mean,
                low: mean,
                high: mean,
                method: 'BOOTSTRAP',
                pValue: null,
                wins: 0,
                losses: 0,
                ties: 0,
                verdict: 'UNCLEAR' as const,
                countNeeded: null,
                sentence: '',
              },
            },
          ],
        },
      ],
    });
    const groups = [group('hard', -0.4), group('easy', 0.1)];

    const rows = toHeatRows(groups, groups[0]!.measures, 'b');

    assert.deepEqual(
      rows.map(({ cells }) => cells.map(({ isBetter: better, strength }) => [better, strength])),
      [[[false, 1]], [[true, 0.25]]],
    );
  });
});

describe('texts of cells', () => {
  const json = (value: unknown) => ({ text: JSON.stringify(value), isJson: true, isCut: false });

  test('are the text that people read, if there is one', () => {
    assert.equal(toReadable(json({ answer: 'Yes' })), 'Yes');
    assert.equal(toReadable(json({ output: 'Yes', confidence: 1 })), 'Yes');
    assert.equal(toReadable(json({ messages: [{ role: 'user' }, { content: 'Hello' }] })), 'Hello');
    assert.equal(toReadable(json({ a: 1, b: 2 })), '{"a":1,"b":2}');
    assert.equal(toReadable({ text: '{"answer":"Ye', isJson: true, isCut: true }), '{"answer":"Ye');
    assert.equal(toReadable(json(JSON.parse('{"__proto__":{"answer":"x"}}'))), '{"__proto__":{"answer":"x"}}');
  });

  test('are compared by paths if both are objects', () => {
    assert.deepEqual(toObjects(json({ a: 1 }), json({ a: 2 })), [{ a: 1 }, { a: 2 }]);
    assert.equal(toObjects(json([1]), json({ a: 2 })), undefined);
  });
});

describe('columns of the side-by-side view', () => {
  const compared = toCompared(['a', 'b', 'c', 'd', 'e', 'f'], []);

  test('are shuffled by a seed without losing one, and reveal nothing about the experiments while blind', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.string(), (items, seed) => {
        assert.deepEqual([...shuffled(items, seed)].sort(), [...items].sort());
        assert.deepEqual(shuffled(items, seed), shuffled(items, seed));
      }),
    );
    const orders = new Set(Array.from({ length: 40 }, (_, seed) => shuffled(compared, `s:${seed}`)[0]!.id));
    assert(orders.size >= 5, 'most experiments are first at some time');
    const blind = toBlind(compared, 'seed');
    assert.deepEqual(
      blind.map(({ letter, name }) => [letter, name]),
      compared.map((_, index) => [String(index + 1), `Answer ${index + 1}`]),
    );
    assert(blind.every(({ color, experiment, isBase }) => color === '--muted' && !experiment && !isBase));
  });

  test('are sorted by a score, with those without it last', () => {
    const scores: Readonly<Record<string, readonly (number | null)[]>> = {
      a: [0.2],
      b: [null],
      c: [0.9, 0.5],
      d: [0.1],
    };
    const runsOf = (id: string) =>
      (scores[id] ?? []).map((score) => ({ annotations: { edges: [{ node: { name: 'x', score } }] } })) as never;

    const order = (isLowerBetter: boolean) =>
      sortByScore(compared.slice(0, 4), runsOf, 'x', isLowerBetter).map(({ id }) => id);

    assert.deepEqual(order(false), ['c', 'a', 'd', 'b']);
    assert.deepEqual(order(true), ['d', 'a', 'c', 'b']);
  });
});
