import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeOf } from '../../../../src/domain/experiments/comparison/statistics/value-range.ts';

test('the range of values ignores missing ones', () => {
  const range = (...columns: number[][]) => rangeOf(columns.map((column) => Float64Array.from(column)));
  assert.deepEqual(range([], [Number.NaN]), { hasValue: false, isBinary: true, isShare: true });
  assert.deepEqual(range([0, Number.NaN], [1]), { hasValue: true, isBinary: true, isShare: true });
  assert.deepEqual(range([0, 1], [0.5]), { hasValue: true, isBinary: false, isShare: true });
  for (const value of [-0.1, 1.1, 2, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    assert.deepEqual(range([1], [value]), { hasValue: true, isBinary: false, isShare: false });
  }
});
