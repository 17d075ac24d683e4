import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ROOT } from './repository.ts';

interface Process {
  readonly path: string;
  readonly files: readonly string[];
}
interface Scripts {
  runTestFiles(paths: readonly string[], options: object): unknown;
  rerunFailed(
    first: unknown,
    processes: readonly Process[],
    runAlone: (path: string) => unknown,
  ): { readonly passed: number; readonly failed: number; readonly skipped: number; readonly flaky: readonly string[] };
}

const load = (name: string) => import(pathToFileURL(join(ROOT, 'scripts', name)).href) as Promise<Scripts>;

/** The processes of these tests must not report to the runner of this one. */
const { NODE_TEST_CONTEXT: _, TEST_FOLDER: __, ...env } = process.env;

/** Runs test files in one process, as groupTests does, and then what failed. */
async function run(t: TestContext, sources: Readonly<Record<string, string>>, isLong = true) {
  const { runTestFiles } = await load('run-test-files.mjs');
  const { rerunFailed } = await load('rerun-failed.mjs');
  const dir = mkdtempSync(join(tmpdir(), 'spandrel-rerun-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const files = Object.entries(sources).map(([name, source]) => {
    const path = join(dir, `${name}.test.mjs`);
    writeFileSync(
      path,
      `import { existsSync, writeFileSync } from 'node:fs';
      import { describe, test } from 'node:test';
      const isAgain = existsSync('${dir}/${name}.ran');
      writeFileSync('${dir}/${name}.ran', '');
      const passAgain = () => { if (!isAgain) throw new Error('for the first time'); };
      ${source}`,
    );
    return path;
  });
  const group = join(dir, 'group.test.mjs');
  writeFileSync(group, files.map((path) => `import '${path}';\n`).join(''));
  const options = { isLong, env, stdout: 'ignore' };
  const alone: string[] = [];
  const results = runTestFiles([group], options);
  assert(results);
  const end = rerunFailed(results, [{ path: group, files }], (path) => {
    alone.push(path.slice(dir.length + 1, -'.test.mjs'.length));
    return runTestFiles([path], options);
  });
  const flaky = end.flaky.map((line) => line.replace(/^.*\/(\w+)\.test\.mjs/, '$1'));
  return { counts: [end.passed, end.failed, end.skipped], flaky, alone };
}

const FINE = `test('fine', () => {}); test('left out', { skip: 'no disk' }, () => {});`;
const FLAKY = `describe('a suite', () => { test('fails once', passAgain); test('is fine', () => {}); });`;
const BROKEN = `test('fails', () => { throw new Error('always'); }); test('fails once', passAgain);`;

describe('test files that failed', () => {
  test('run once more, alone, and are flaky if they pass then', async (t) => {
    assert.deepEqual(await run(t, { fine: FINE, flaky: FLAKY }), {
      counts: [3, 0, 1],
      flaky: ['flaky › a suite › fails once'],
      alone: ['flaky'],
    });
  });

  test('fail the run if they fail again, also beside flaky tests', async (t) => {
    assert.deepEqual(await run(t, { broken: BROKEN, fine: FINE, flaky: FLAKY }), {
      counts: [4, 1, 1],
      flaky: ['broken › fails once', 'flaky › a suite › fails once'],
      alone: ['broken', 'flaky'],
    });
  });

  test('do not run again if nothing failed', async (t) => {
    assert.deepEqual(await run(t, { fine: FINE }), { counts: [1, 0, 1], flaky: [], alone: [] });
  });

  test('are all those of their process if it ended before its tests did', async (t) => {
    const dies = `test('dies', () => { if (!isAgain) process.exit(3); });`;

    assert.deepEqual(await run(t, { flaky: FLAKY, dies, fine: FINE }), {
      counts: [4, 0, 1],
      flaky: ['group › its process'],
      alone: ['group'],
    });
  });

  test('fail the run if their process ends early each time', async (t) => {
    const { counts, flaky } = await run(t, { fine: FINE, dies: `test('dies', () => process.exit(3));` });

    assert.deepEqual([counts[1], flaky], [1, []]);
  });

  test('fail the run if an error comes after its test each time', async (t) => {
    const late = `test('late', () => { setTimeout(() => { throw new Error('late'); }, 10); });
      test('waits', () => new Promise((resolve) => setTimeout(resolve, 100)));`;
    const { counts, flaky } = await run(t, { late, fine: FINE, flaky: FLAKY });

    assert.equal(counts[1], 1);
    assert.deepEqual(flaky, ['flaky › a suite › fails once']);
  });
});

test('each flaky test that is listed is of a file that exists', () => {
  const lines = readFileSync(join(ROOT, 'test/flaky-tests.txt'), 'utf8').split('\n');
  const files = lines.flatMap((line) => (line.includes(' › ') ? [line.split(' › ', 1)[0]!] : []));

  for (const file of files) assert(readFileSync(join(ROOT, file)).length > 0);
});
