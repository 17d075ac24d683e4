import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesBelow, readText } from './repository.ts';

test('no time limit is combined by AbortSignal.any, which loses it on Node 20: limitTime is for that', () => {
  const files = ['src', 'clients'].flatMap((folder) =>
    filesBelow(folder).filter((path) => /\.tsx?$/.test(path) && !/node_modules|dist\//.test(path)),
  );
  const uses = files.filter((path) => {
    // A comment may say why it is not used.
    const text = readText(path).replaceAll(/^ *(\*|\/\/).*$/gm, '');
    const named = [...text.matchAll(/(\w+) = AbortSignal\.timeout\(/g)].map(([, name]) => name);
    const combined = [...text.matchAll(/AbortSignal\.any\(\[([^\]]*)\]/g)].map(([, list = '']) => list);
    return combined.some((list) => /AbortSignal\.timeout/.test(list) || named.some((name) => list.includes(name!)));
  });

  assert.ok(files.length > 500);
  assert.deepEqual(uses, []);
});
