import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { filesBelow, readText } from './repository.ts';

/** Texts of the files below `test/web` by the names that the document gives them: path, last part of it, or folder. */
function readTests(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const add = (name: string, text: string) => texts.set(name, `${texts.get(name) ?? ''}${text}`);
  for (const path of filesBelow('test/web')) {
    const text = readText(path).replaceAll(/\s+/g, ' ').toLowerCase();
    const name = path.slice('test/web/'.length).replace(/(\.test)?\.ts$/, '');
    for (const each of new Set([name, basename(name), dirname(name)])) add(each, text);
  }
  return texts;
}

test('docs/web-acceptance.md names only tests that exist', () => {
  const tests = readTests();
  const rows = readText('docs/web-acceptance.md')
    .split('\n')
    .filter(
      (line) => line.startsWith('| ') && line.endsWith(' |') && !line.includes(' | |') && !line.startsWith('| **'),
    )
    .map((line) => line.slice(2, -2).split(' | ').at(-1) ?? '');
  const missing: string[] = [];
  let count = 0;
  for (const cell of rows) {
    if (cell === 'test') continue;
    let file: string | undefined;
    // `file: title; another title; another-file`, and code for tests elsewhere.
    for (const part of cell.split('; ')) {
      if (part.includes('`')) continue;
      count++;
      const [, name = '', title] = /^([\w/-]+)(?:: (.*))?$/.exec(part) ?? [];
      if (tests.has(name)) file = name;
      const text = tests.get(file ?? '');
      const pieces = (tests.has(name) ? (title ?? '') : part).split('…').map((piece) => piece.trim().toLowerCase());
      if (text === undefined || !pieces.every((piece) => text.includes(piece))) missing.push(part);
    }
  }
  assert.ok(count > 250, `${count} tests`);
  assert.deepEqual(missing, []);
});
