import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJsonLines } from '../../../../src/domain/datasets/files/read-json-lines.ts';

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

test('leaves the event loop to others while a long line is read', async () => {
  const text = `{"a":[${'1,'.repeat(500_000)}1]}\n{"b":2}\n`;
  let turnCount = 0;
  const timer = setInterval(() => turnCount++, 1);
  const lines = [];
  for await (const { object, line } of readJsonLines(once(text))) lines.push([line, Object.keys(object)]);
  clearInterval(timer);

  assert.deepEqual(lines, [
    [1, ['a']],
    [2, ['b']],
  ]);
  assert.ok(turnCount > 0);
});

test('names the line and character of an error, also in a long line', async () => {
  const read = async (text: string) => {
    for await (const _ of readJsonLines(once(text)));
  };

  await assert.rejects(read('{"a":1}\n{"a":'), { message: /: line 2: char 5$/ });
  await assert.rejects(read(`{"a":"${'x'.repeat(300_000)}",}`), { message: /: line 1: char 30000[789]$/ });
});
