import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IntegerListReader, readIntegerList } from '../../src/metadata-store/database/integer-list.ts';
import { SeededRandom } from '../fixtures/seeded-random.ts';

test('reads the numbers of a list, also large and negative ones', () => {
  const random = new SeededRandom(2);
  for (let round = 0; round < 50; round++) {
    const list = Array.from({ length: random.below(30) }, () => {
      const value = random.below(2) === 0 ? random.below(10) : Number.MAX_SAFE_INTEGER - random.below(1_000);
      return random.below(3) === 0 ? -1 - value : value;
    });
    assert.deepEqual([...readIntegerList(`{${list.join()}}`)], list);
  }
  assert.equal(readIntegerList(null).length, 0);
});

test('reads a list once when texts are equal, and remembers a limited number', () => {
  const lists = new IntegerListReader(2);
  const first = lists.read('{1,2}');
  assert.equal(lists.read('{1,2}'), first);
  assert.deepEqual([...lists.read('{1,3}')], [1, 3]);
  assert.equal(lists.read('{1,2}'), first);
  lists.read('{4}');
  assert.notEqual(lists.read('{1,2}'), first);
  assert.deepEqual([...lists.read('{1,2}')], [1, 2]);
  assert.equal(lists.read(null).length, 0);
});

test('rejects a list with anything else', () => {
  for (const text of ['{1,NULL}', '{1.5}', '{"1"}', '{1,{2}}']) assert.throws(() => readIntegerList(text), RangeError);
});
