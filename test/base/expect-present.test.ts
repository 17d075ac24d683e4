import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectPresent } from '../../src/base/expect-present.ts';

test('returns a value, null and other empty values among them', () => {
  assert.deepEqual(
    [expectPresent(null, 'it exists'), expectPresent(0, 'it exists'), expectPresent('', 'it exists')],
    [null, 0, ''],
  );
});

test('names the broken invariant when a value is missing', () => {
  assert.throws(() => expectPresent([1][1], 'the list has two items'), /although the list has two items/);
});
