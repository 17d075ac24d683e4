import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isInHeldOutPart } from '../../../src/domain/evaluators/calibration/find-labelled-targets.ts';
import { kappaInterval, shareInterval } from '../../../src/domain/evaluators/calibration/kappa-interval.ts';
import { measureCalibration } from '../../../src/domain/evaluators/calibration/measure-calibration.ts';

type Table = readonly (readonly number[])[];

/** Pairs of labels of a table: a row per label of people, a column per label of the judge. */
const pairsOf = (table: Table) =>
  table.flatMap((row, first) =>
    row.flatMap((count, second) => Array.from({ length: count }, () => [`${first}`, `${second}`] as const)),
  );

function kappaOf(shares: Table): number {
  const row = shares.map((cells) => cells.reduce((sum, cell) => sum + cell, 0));
  const column = shares.map((_, index) => shares.reduce((sum, cells) => sum + cells[index]!, 0));
  const total = row.reduce((sum, one) => sum + one, 0);
  const observed = shares.reduce((sum, cells, index) => sum + cells[index]!, 0) / total;
  const byChance = row.reduce((sum, one, index) => sum + one * column[index]!, 0) / total ** 2;
  return (observed - byChance) / (1 - byChance);
}

/** Standard error of kappa by the delta method: derivatives by each cell, taken numerically. */
function plainError(table: Table): number {
  const count = table.flat().reduce((sum, cell) => sum + cell, 0);
  const shares = table.map((row) => row.map((cell) => cell / count));
  const step = 1e-6;
  const slopes = shares.map((row, i) =>
    row.map((_, j) => {
      const moved = (by: number) =>
        kappaOf(shares.map((cells, k) => cells.map((cell, l) => (k === i && l === j ? cell + by : cell))));
      return (moved(step) - moved(-step)) / (2 * step);
    }),
  );
  const mean = shares.reduce((sum, row, i) => sum + row.reduce((part, cell, j) => part + cell * slopes[i]![j]!, 0), 0);
  const square = shares.reduce(
    (sum, row, i) => sum + row.reduce((part, cell, j) => part + cell * slopes[i]![j]! ** 2, 0),
    0,
  );
  return Math.sqrt((square - mean ** 2) / count);
}

describe('the measures of a calibration', () => {
  test('have the interval of kappa that the delta method gives with two rows more', () => {
    for (const table of [
      [
        [20, 5],
        [10, 15],
      ],
      [
        [88, 14, 18],
        [10, 40, 10],
        [2, 6, 12],
      ],
      [
        [5, 60],
        [20, 15],
      ],
    ]) {
      // Two rows more, spread over all cells.
      const larger = table.map((row) => row.map((cell) => cell + 2 / table.length ** 2));
      const [kappa, error] = [kappaOf(larger), plainError(larger)];
      const { low, high } = kappaInterval(pairsOf(table))!;
      assert.ok(Math.abs(low - (kappa - 1.959964 * error)) < 1e-5, `${low} ${kappa - 1.959964 * error}`);
      assert.ok(Math.abs(high - (kappa + 1.959964 * error)) < 1e-5);
    }
  });

  test('have a wide interval where few labels all agree, and none where all labels are the same', () => {
    const { low, high } = kappaInterval(
      pairsOf([
        [3, 0],
        [0, 2],
      ]),
    )!;
    assert.ok(low < 0.2 && high === 1, `${low} ${high}`);
    assert.equal(kappaInterval(pairsOf([[5]])), undefined);
    assert.equal(kappaInterval([]), undefined);
    // Wilson's interval of 8 in 10, as in Brown, Cai and DasGupta (2001).
    const share = shareInterval(8, 10);
    assert.deepEqual([share.low.toFixed(3), share.high.toFixed(3)], ['0.490', '0.943']);
  });

  test('are those of a plain model on random labels', () => {
    let state = 7;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * below);
    };
    const names = ['good', 'bad', 'odd'];
    for (let round = 0; round < 20; round++) {
      const items = Array.from({ length: 1 + random(60) }, () => ({
        human: { label: random(9) ? names[random(3)]! : null, score: null },
        evaluated: random(8) ? { judge: { label: names[random(3)]!, score: null }, hasError: random(9) === 0 } : null,
      }));
      const { itemCount, evaluatedCount, errorCount, labels } = measureCalibration(items, ['good', 'bad']);
      assert.equal(itemCount, items.length);
      assert.equal(errorCount, items.filter(({ evaluated }) => evaluated?.hasError).length);
      assert.equal(evaluatedCount, items.filter(({ evaluated }) => evaluated && !evaluated.hasError).length);
      const pairs = items.filter(({ human, evaluated }) => human.label && evaluated && !evaluated.hasError);
      if (pairs.length === 0) {
        assert.equal(labels, null);
        continue;
      }
      const count = (human: string | undefined, judge: string | undefined) =>
        pairs.filter((one) => (!human || one.human.label === human) && (!judge || one.evaluated?.judge.label === judge))
          .length;
      assert.equal(labels!.count, pairs.length);
      const known = labels!.labels.map(({ label }) => label);
      assert.deepEqual(known.slice(0, 2), ['good', 'bad']);
      assert.deepEqual(
        labels!.matrix,
        known.map((human) => known.map((judge) => count(human, judge))),
      );
      for (const { label, precision, recall, f1 } of labels!.labels) {
        const [both, ofJudge, ofPeople] = [count(label, label), count(undefined, label), count(label, undefined)];
        assert.equal(precision, ofJudge === 0 ? null : both / ofJudge);
        assert.equal(recall, ofPeople === 0 ? null : both / ofPeople);
        if (precision && recall) assert.ok(Math.abs(f1! - 2 / (1 / precision + 1 / recall)) < 1e-12);
      }
    }
  });

  test('of scores have the correlation and the differences', () => {
    const items = [0, 0.5, 1].map((score) => ({
      human: { label: null, score },
      evaluated: { judge: { label: null, score: score / 2 + 0.25 }, hasError: false },
    }));
    const { scores, labels } = measureCalibration(items, []);
    assert.equal(labels, null);
    assert.ok(Math.abs(scores!.correlation! - 1) < 1e-12);
    assert.ok(Math.abs(scores!.meanAbsoluteDifference - 0.5 / 3) < 1e-12);
  });
});

describe('the held-out part', () => {
  test('is the same in every calibration, grows with its share, and has about this share', () => {
    const keys = Array.from({ length: 2_000 }, (_, index) => `span:${index}`);
    const partOf = (share: number) => keys.filter((key) => isInHeldOutPart(key, share));
    assert.deepEqual(partOf(0), []);
    const [small, large] = [partOf(0.2), partOf(0.5)];
    assert.ok(Math.abs(small.length - 400) < 80 && Math.abs(large.length - 1_000) < 120);
    assert.ok(small.every((key) => large.includes(key)));
  });
});
