import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSpanLine } from '../../../src/domain/spans/read-span-line.ts';

const LIST = `{"a":[${'1,'.repeat(500_000)}1]}`;

test('leaves the event loop to others while a long line is read', async () => {
  let turnCount = 0;
  const timer = setInterval(() => turnCount++, 1);
  const read = await readSpanLine(`{"name":1,"attributes":${LIST}}`, 2_000_000);
  clearInterval(timer);

  assert.deepEqual(read, { problem: 'name must be a string' });
  assert.ok(turnCount > 0);
});
