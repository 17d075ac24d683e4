import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { filesBelow, ROOT } from './repository.ts';

interface Tiers {
  readonly isFirstTier: (path: string) => boolean;
  readonly quarterOf: (path: string) => number;
  readonly quarterOfCommit: (commitCount: number) => number;
  readonly findStale: (paths: readonly string[]) => readonly string[];
}

const { isFirstTier, quarterOf, quarterOfCommit, findStale } = (await import(
  pathToFileURL(join(ROOT, 'scripts/test-tiers.mjs')).href
)) as Tiers;
const paths = filesBelow('test')
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => path.slice('test/'.length, -'.test.ts'.length));

test('each entry of the table of tiers is of a test file or a folder of them', () => {
  assert.deepEqual(findStale(paths), []);
});

test('four commits in a row run each test of the second tier once', () => {
  const second = paths.filter((path) => !isFirstTier(path));

  const runs = [1_000, 1_001, 1_002, 1_003].map((count) =>
    second.filter((path) => quarterOf(path) === quarterOfCommit(count)),
  );

  assert.deepEqual(runs.flat().sort(), second.sort());
});

test('a new test file is in the tier of its folder', () => {
  assert.deepEqual(
    ['otlp/new', 'new', 'api/rest/new', 'house/new', 'e2e/new', 'web/pages/new', 'clients/new'].map(isFirstTier),
    [true, true, true, true, false, false, false],
  );
});
