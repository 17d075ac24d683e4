import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeBuffer } from '../../src/base/free-buffer.ts';

const MiB = 2 ** 20;

test('the memory of a large buffer is freed at once, without a garbage collection', () => {
  const before = process.memoryUsage().arrayBuffers;
  const kept: Buffer[] = [];
  for (let count = 0; count < 10; count++) {
    const buffer = Buffer.allocUnsafeSlow(32 * MiB).fill(1);
    kept.push(buffer);
    freeBuffer(buffer);
    freeBuffer(buffer);
    assert.equal(buffer.byteLength, 0);
  }
  assert.ok(process.memoryUsage().arrayBuffers - before < 32 * MiB);
});

test('small buffers are not freed, because other buffers may share their memory', () => {
  const one = Buffer.from('one');
  const other = Buffer.from('other');
  freeBuffer(one);
  assert.equal(`${one} ${other}`, 'one other');
});
