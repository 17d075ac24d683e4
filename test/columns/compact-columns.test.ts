import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactBytes, compactColumns } from '../../src/columns/compact-columns.ts';
import { transferList } from '../../src/columns/transfer-list.ts';
import { SeededRandom } from '../fixtures/seeded-random.ts';
import { spanColumns, type TestSpan } from '../fixtures/span-columns.ts';

test('a copy has all values in one buffer without free space', () => {
  const random = new SeededRandom(3);
  for (let round = 0; round < 20; round++) {
    const columns = spanColumns(Array.from({ length: random.below(40) }, (_, index) => randomSpan(random, index)));
    const copy = compactColumns(columns);
    const byteLength = compactBytes(columns);

    assert.deepEqual(copy, columns);
    const [buffer, ...others] = transferList(copy);
    assert.equal(others.length, 0);
    assert.equal(buffer?.byteLength, byteLength);
    assert.ok(byteLength <= transferList(columns).reduce((sum, part) => sum + part.byteLength, 0) + 8 * 60);
  }
});

test('a copy in a part of a buffer leaves the rest of it as it was', () => {
  const columns = spanColumns([{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), input: 'in' }]);
  const byteLength = compactBytes(columns);
  const buffer = new Uint8Array(byteLength + 32).fill(7).buffer;

  assert.deepEqual(compactColumns(columns, buffer, 16), columns);
  assert.deepEqual(new Uint8Array(buffer, 0, 16), new Uint8Array(16).fill(7));
  assert.deepEqual(new Uint8Array(buffer, 16 + byteLength), new Uint8Array(16).fill(7));
});

test('a copy does not share memory with its source', () => {
  const columns = spanColumns([{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), input: 'in' }]);
  const copy = compactColumns(columns);
  columns.inputValue.utf8.fill(0);
  columns.spanId[0] = 0n;

  assert.equal(Buffer.from(copy.inputValue.utf8).toString(), 'in');
  assert.equal(copy.spanId[0], 0xbbbbbbbbbbbbbbbbn);
});

const randomSpan = (random: SeededRandom, index: number): TestSpan => ({
  traceId: random.below(9) === 0 ? `trace ${index}` : index.toString(16).padStart(32, '0'),
  spanId: index.toString(16).padStart(16, '0'),
  name: 'é'.repeat(random.below(7)),
  start: BigInt(random.below(1_000)),
  attributes: { key: 'x'.repeat(random.below(100)) },
  ...(random.below(2) === 0 && { input: 'word '.repeat(random.below(50)), userId: 'user' }),
});
