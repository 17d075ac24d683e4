import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText } from './repository.ts';

test('import blocks have the order of the table of folders in the import check', () => {
  const table = readText('scripts/check-imports.mjs');
  const folders = [...table.matchAll(/^ {2}'?(?:src\/)?([\w/-]+)'?: \[/gm)].map(([, folder]) => folder);
  const { assist } = JSON.parse(readText('.biome.json'));

  const groups = (assist.actions.source.organizeImports.options.groups as (string | string[])[]).flat();

  const sorted = groups.flatMap((group) => /^\*\*\/(.+)\/\*\*$/.exec(group)?.[1] ?? []);
  assert.ok(folders.length > 15);
  assert.deepEqual(sorted, folders);
});
