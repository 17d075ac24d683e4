import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  bootstrapInterval,
  studentInterval,
} from '../../../../src/domain/experiments/comparison/statistics/intervals.ts';
import { momentsOf } from '../../../../src/domain/experiments/comparison/statistics/moments.ts';
import {
  type DifferenceOptions,
  describeDifference,
  signTest,
} from '../../../../src/domain/experiments/comparison/statistics/paired-difference.ts';

const OPTIONS: DifferenceOptions = { direction: 1, isBinary: false, seed: 'test', bootstrapCountMax: 200 };
const describeOf = (values: readonly number[], options: Partial<DifferenceOptions> = {}) =>
  describeDifference(Float64Array.from(values), { ...OPTIONS, ...options });
const repeat = (value: number, count: number): number[] => new Array(count).fill(value);

describe('a paired difference', () => {
  test('has the p-value of published sign tests', () => {
    // Zar, Biostatistical Analysis, example 24.11: legs of ten deer, 8 positive and 2 negative differences.
    assert.ok(Math.abs(signTest(8, 2) - 0.109375) < 1e-12);
    assert.ok(Math.abs(signTest(15, 5) - 0.04138947) < 1e-8);
    assert.equal(signTest(0, 0), 1);
    assert.equal(signTest(3, 3), 1);
  });

  test('is clear by the exact sign test for yes/no values', () => {
    const values = [...repeat(1, 12), ...repeat(-1, 2), ...repeat(0, 86)];
    const better = describeOf(values, { isBinary: true });
    assert.equal(better.method, 'SIGN_TEST');
    assert.equal(better.verdict, 'BETTER');
    assert.deepEqual([better.wins, better.losses, better.ties, better.count], [12, 2, 86, 100]);
    assert.ok(Math.abs(better.pValue! - signTest(12, 2)) < 1e-12);
    assert.equal(better.countNeeded, null);
    assert.ok(better.low! > 0 && better.high! < 0.2);
    assert.equal(describeOf(values, { isBinary: true, direction: -1 }).verdict, 'WORSE');
    assert.equal(describeOf(values, { isBinary: true, direction: -1 }).wins, 2);
    assert.equal(describeOf(values, { isBinary: true, direction: 0 }).verdict, 'UNCLEAR');
  });

  test('is unclear when chance explains it, and says how many examples would tell', () => {
    const { verdict, countNeeded, low, high } = describeOf([...repeat(1, 6), ...repeat(-1, 4), ...repeat(0, 90)], {
      isBinary: true,
    });
    assert.equal(verdict, 'UNCLEAR');
    assert.ok(low! < 0 && high! > 0);
    // (1.96 + 0.84)² × 0.1006 / 0.02².
    assert.ok(countNeeded! > 1_900 && countNeeded! < 2_100, String(countNeeded));
  });

  test('of five pairs is never clear, because a sign test of five cannot be', () => {
    const { verdict, countNeeded } = describeOf(repeat(1, 5));
    assert.equal(verdict, 'UNCLEAR');
    assert.equal(countNeeded, 6);
    assert.equal(describeOf(repeat(1, 6)).verdict, 'BETTER');
  });

  test('uses the bootstrap for few and the normal approximation for many examples', () => {
    const values = Array.from({ length: 201 }, (_, index) => 0.2 + Math.sin(index));
    assert.equal(describeOf(values.slice(1)).method, 'BOOTSTRAP');
    assert.equal(describeOf(values.slice(1)).pValue, null);
    const many = describeOf(values);
    assert.equal(many.method, 'NORMAL');
    assert.ok(many.pValue! > 0 && many.pValue! < 0.05);
    const few = describeOf(values, { bootstrapCountMax: 1_000 });
    assert.ok(Math.abs(few.low! - many.low!) < 0.02 && Math.abs(few.high! - many.high!) < 0.02);
  });

  test("of few pairs is no narrower than the bootstrap's and Student's intervals", () => {
    const values = Float64Array.from([0, 0, 0, 0, 0, 0, 0.1, 0.2, 3, 0]);
    const { low, high } = describeDifference(values, OPTIONS);
    for (const interval of [bootstrapInterval(values, OPTIONS.seed, 2_000), studentInterval(momentsOf(values))]) {
      assert.ok(interval && low! <= interval.low && high! >= interval.high);
    }
  });

  test('of fewer than six pairs has no interval, which equal differences would make a point', () => {
    assert.deepEqual(
      [describeOf([]).mean, describeOf([]).low, describeOf([]).pValue, describeOf([]).verdict],
      [null, null, null, 'UNCLEAR'],
    );
    for (const isBinary of [false, true]) {
      for (const bootstrapCountMax of [0, 200]) {
        const options = { isBinary, bootstrapCountMax };
        const { mean, low, high } = describeOf(repeat(1, 5), options);
        assert.deepEqual([mean, low, high], [1, null, null]);
        assert.notEqual(describeOf(repeat(1, 6), options).low, null);
      }
    }
  });

  test('counts rounding errors as ties', () => {
    const { ties, wins, losses } = describeOf([0.3 - 0.1 - 0.2, 0, 1]);
    assert.deepEqual([wins, losses, ties], [1, 0, 2]);
  });
});
