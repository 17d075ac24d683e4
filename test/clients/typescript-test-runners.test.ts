import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { normalQuantile, rateInterval } from '../../clients/typescript/client/src/experiments/confidence.ts';
import { acceptSuite } from '../../clients/typescript/client/src/test-runner/acceptance.ts';
import { toJUnit, toMarkdown } from '../../clients/typescript/client/src/test-runner/format-reports.ts';
import { getJson } from '../e2e/rest.ts';
import { freePort, type ServerProcess, startServer } from '../e2e/server-process.ts';
import { PACKAGES_FOLDER, type UnpackedPackages, unpackPackages } from './unpacked-packages.ts';

const VITEST = join(PACKAGES_FOLDER, 'test-runners/node_modules/vitest');
const skip = existsSync(VITEST) ? false : 'vitest is not installed: node scripts/client-test-runners.mjs';

describe('suites of vitest as experiments', { skip }, () => {
  let server: ServerProcess;
  let unpacked: UnpackedPackages;

  before(async () => {
    [server, unpacked] = await Promise.all([startServer(), unpackPackages(['client', 'evals'], { vitest: VITEST })]);
    await unpacked.write('tests/answers.test.mjs', SUITES);
    await unpacked.write('tests/scored.test.mjs', SCORED('vitest'));
    await unpacked.write('vitest.config.mjs', CONFIG);
  });
  after(async () => {
    await server?.stop();
    await unpacked?.remove();
  });

  const runVitest = (env: Readonly<Record<string, string>>) =>
    promisify(execFile)(process.execPath, [join(VITEST, 'vitest.mjs'), 'run'], {
      cwd: unpacked.folder,
      env: {
        ...process.env,
        CI: '1',
        NO_COLOR: '1',
        SPANDREL_TEST_REPORT_DIR: join(unpacked.folder, 'reports'),
        ...env,
      },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        output: error.stdout + error.stderr,
      }),
    );

  test('stores each suite as a dataset with an experiment, and writes reports', async () => {
    const { code, output } = await runVitest({
      SPANDREL_ENDPOINT: server.url,
      SPANDREL_OUTBOX_DIR: join(unpacked.folder, 'outbox'),
    });
    // One test fails by its assertion, and one suite is not accepted.
    assert.equal(code, 1, output);
    assert.match(output, /1 failed \| 10 passed \| 1 skipped/);
    assert.match(output, /Failed Suites 2/);
    assert.match(
      output,
      /"unsure" is not accepted: passRate of "correct" is 1 over 3 tests \(95 % bounds 0\.5\d+ to 1\), expected at least 0\.9/,
    );

    assert.match(output, /"scored" is not accepted: passRate of "quality" is 0\.5 over 2 tests/);

    const datasets = await getJson<{ data: { id: string; name: string }[] }>(`${server.url}/v1/datasets?name=capitals`);
    const [dataset] = datasets.data;
    const examples = await getJson<{ data: { examples: { id: string; input: unknown; output: unknown }[] } }>(
      `${server.url}/v1/datasets/${dataset!.id}/examples`,
    );
    assert.deepEqual(examples.data.examples.map(({ id, input }) => [id.startsWith('fr') ? id : '', input]).sort(), [
      ['', { country: 'Italy' }],
      ['', { input: 'Spain' }],
      ['fr', { country: 'France' }],
    ]);
    const experiments = await getJson<{
      data: { id: string; metadata: Record<string, unknown>; project_name: string }[];
    }>(`${server.url}/v1/datasets/${dataset!.id}/experiments`);
    const [experiment] = experiments.data;
    assert.equal(experiments.data.length, 1);
    assert.deepEqual(experiment?.metadata, { git_sha: 'a'.repeat(40), branch: 'main' });
    type Run = {
      output: unknown;
      error: string | null;
      repetition_number: number;
      annotations: { name: string; score: number | null; label: string | null; error: string | null }[];
    };
    const runs = await getJson<Run[]>(`${server.url}/v1/experiments/${experiment!.id}/json`);
    const shown = runs.map(({ output, error, repetition_number, annotations }) => {
      const scores = Object.fromEntries(annotations.map(({ name, score, error: failure }) => [name, failure ?? score]));
      return [output, error?.split('\n')[0] ?? null, repetition_number, scores];
    });
    assert.deepEqual(
      shown.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
      [
        ['Madrid', null, 1, { length: 6, pass: 1, broken: 'TypeError: no judge', traced: 1 }],
        ['Paris', null, 1, { length: 5, pass: 1, broken: 'TypeError: no judge', style: 0.5 }],
        ['Paris', null, 2, { length: 5, pass: 1, broken: 'TypeError: no judge', style: 0.5 }],
        ['Turin', "AssertionError: expected 'Turin' to be 'Rome' // Object.is equality", 1, { pass: 0 }],
      ],
    );
    const spans = await getJson<{ data: { name: string }[] }>(
      `${server.url}/v1/projects/${encodeURIComponent(experiment!.project_name)}/spans`,
    );
    assert.equal(spans.data.filter(({ name }) => name === 'Test: France').length, 2);
    const dry = await getJson<{ data: unknown[] }>(`${server.url}/v1/datasets?name=dry`);
    assert.deepEqual(dry.data, []);

    const junit = await readFile(join(unpacked.folder, 'out/evals.xml'), 'utf8');
    assert.match(junit, /<testsuite name="capitals" tests="6" failures="1" skipped="1"/);
    assert.match(junit, /<testcase classname="capitals" name="France \[2\]"/);
    assert.match(junit, /<property name="style" value="0\.5 terse"\/>/);
    const markdown = await readFile(join(unpacked.folder, 'out/evals.md'), 'utf8');
    assert.match(markdown, /### capitals\n\n4 runs, 1 failed, 1 skipped\. \[Experiment\]\(http/);
    assert.match(markdown, /- ✗ passRate of "correct" is 1 over 3 tests/);
  });

  test('runs the same tests without a server, with a warning and no further failure', async () => {
    const { code, output } = await runVitest({ SPANDREL_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
    assert.equal(code, 1);
    assert.match(output, /1 failed \| 10 passed \| 1 skipped/);
    assert.match(output, /Failed Suites 2/);
    assert.match(output, /The tests of "capitals" run without being stored\. Could not get a response/);
    const off = await runVitest({ SPANDREL_ENDPOINT: 'http://127.0.0.1:9', SPANDREL_TEST_TRACKING: 'off' });
    assert.doesNotMatch(off.output, /without being stored/);
    assert.match(off.output, /capitals: 3 of 4 runs passed, not stored/);
  });
});

describe('suites of a runner with the globals of jest', () => {
  let unpacked: UnpackedPackages;
  before(async () => {
    unpacked = await unpackPackages(['client', 'evals']);
  });
  after(() => unpacked?.remove());

  // jest itself loads no ES modules without a flag, so the runner of Node.js has its place here.
  test('run the same tests, and take the evaluators of @spandrel/evals', async () => {
    await unpacked.write('globals.mjs', NODE_GLOBALS);
    const path = await unpacked.write('scored.test.mjs', SCORED('jest'));
    const args = ['--import', join(unpacked.folder, 'globals.mjs'), '--test', '--test-reporter', 'tap', path];
    const env = {
      ...process.env,
      SPANDREL_TEST_TRACKING: 'off',
      SPANDREL_TEST_REPORT_DIR: join(unpacked.folder, 'out'),
    };
    const { NODE_TEST_CONTEXT: _, ...own } = env as NodeJS.ProcessEnv;
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: unpacked.folder, env: own }).catch(
      (error: { stdout: string }) => error,
    );

    assert.match(stdout, /ok 1 - good\n/);
    assert.match(stdout, /"scored" is not accepted: passRate of "quality" is 0\.5 over 2 tests/);
    const [name = ''] = await readdir(join(unpacked.folder, 'out'));
    const report = await readFile(join(unpacked.folder, 'out', name), 'utf8');
    assert.match(report, /"name":"exact_match","score":1/);
    assert.match(report, /"name":"quality","score":0,"label":"bad"/);
  });
});

describe('acceptance of a suite', () => {
  const runs = (values: readonly (number | boolean)[]) =>
    values.map((value, index) => {
      const result = typeof value === 'number' ? { score: value } : { label: String(value) };
      return { testName: `t${index}`, annotations: new Map([['a', result]]) };
    });
  const rate = (values: readonly boolean[], more = {}) =>
    acceptSuite(
      { annotationName: 'a', passFn: ({ label }) => label === 'true', minPassRate: 0.9, ...more },
      runs(values),
    )[0]!;

  test('needs as many tests as the bound requires', () => {
    assert.equal(rate(Array(24).fill(true)).isPassed, false);
    assert.equal(rate(Array(25).fill(true)).isPassed, true);
    assert.equal(rate(Array(3).fill(true), { bound: 'none' }).isPassed, true);
    assert.equal(rate([true, true, false], { bound: 'best' }).isPassed, true);
    assert.equal(rate(Array(20).fill(false), { bound: 'best' }).isPassed, false);
  });

  test('judges averages by the bound of a mean, in both directions', () => {
    const average = (values: readonly number[], threshold: number, direction?: 'minimize') =>
      acceptSuite({ average: { annotationName: 'a', threshold, ...(direction && { direction }) } }, runs(values))[0]!;
    // Mean 10, deviation 1, five values: the bound is 10 - 2.1318 / √5.
    const values = [9, 10, 11, 9, 11];
    assert.ok(Math.abs((average(values, 9).interval?.low ?? 0) - (10 - 2.1318 / Math.sqrt(5))) < 1e-3);
    assert.equal(average(values, 9).isPassed, true);
    assert.equal(average(values, 9.5).isPassed, false);
    assert.equal(average(values, 11, 'minimize').isPassed, true);
    assert.equal(average([5], 1).isPassed, false);
    // Equal shares are as uncertain as a rate.
    assert.equal(average([1, 1, 1], 0.9).isPassed, false);
  });

  test('counts repetitions of a test once, and fails without a value', () => {
    const repeated = Array.from({ length: 40 }, () => ({
      testName: 'one',
      annotations: new Map([['a', { score: 1 }]]),
    }));
    const [judged] = acceptSuite({ annotationName: 'a', threshold: 0.9 }, repeated);
    assert.deepEqual([judged?.testCount, judged?.isPassed], [1, false]);
    const [missing] = acceptSuite([{ annotationName: 'b', threshold: 0 }], repeated);
    assert.equal(missing?.explanation, 'no test has a score "b"');
    assert.deepEqual(acceptSuite(undefined, repeated), []);
  });

  test('has the known quantiles', () => {
    for (const [probability, z] of [
      [0.975, 1.959963985],
      [0.95, 1.644853627],
      [0.5, 0],
      [0.001, -3.090232306],
      [0.9999, 3.719016485],
    ] as const)
      assert.ok(Math.abs(normalQuantile(probability) - z) < 1e-8, `${probability}`);
    const { low, high } = rateInterval(8, 10, 0.95);
    assert.ok(Math.abs(low - 0.4901625) < 1e-6 && Math.abs(high - 0.943318) < 1e-6);
  });

  test('writes reports that texts of models cannot break', () => {
    const hostile = '</testcase><script>|\u0000\n# [x](javascript:1) & "quoted" ]]>';
    const report = {
      ...{ name: hostile, experimentUrl: null, skippedTests: [hostile], acceptance: [] },
      tests: [
        {
          name: hostile,
          repetition: 1,
          durationMs: 5,
          isDryRun: false,
          error: hostile,
          annotations: [{ name: hostile, score: 1, label: hostile, error: null }],
        },
      ],
    };
    const junit = toJUnit([report]);
    assert.equal(junit.match(/<testcase /g)?.length, 2);
    assert.doesNotMatch(junit, /<script|\p{Cc}(?<!\n)/u);
    const markdown = toMarkdown([report]);
    assert.doesNotMatch(markdown, /<script|\p{Cc}(?<!\n)|[^\\]\]\(/u);
    assert.equal(markdown.split('\n').filter((line) => line.startsWith('|')).length, 3);
  });
});

const CONFIG = `import { defineConfig } from 'vitest/config';
export default defineConfig({
  test: { include: ['tests/*.test.mjs'], reporters: ['default', ['@spandrel/client/vitest/reporter', { junit: 'out/evals.xml', markdown: 'out/evals.md' }]],
    env: { GITHUB_SHA: '${'a'.repeat(40)}' } },
});`;

const SUITES = `import { expect } from 'vitest';
import { describe, evaluate, it, logAnnotation, logOutput, test, traceEvaluator } from '@spandrel/client/vitest';

const capitals = { France: 'Paris', Italy: 'Turin', Spain: 'Madrid' };
// An object as those of an evaluation library.
class Length {
  name = 'length';
  kind = 'CODE';
  evaluate(record) { return { score: this.count(record.output), metadata: { input: record.input } }; }
  count(text) { return text.length; }
}
const broken = { name: 'broken', kind: 'LLM', evaluate: async () => { throw new TypeError('no judge'); } };

describe('capitals', () => {
  test('France', { id: 'fr', input: { country: 'France' }, expected: { city: 'Paris' }, repetitions: 2, splits: 'train' }, async ({ input, expected }) => {
    const city = capitals[input.country];
    logOutput(city);
    logAnnotation({ name: 'style', score: 0.1 });
    logAnnotation({ name: 'style', score: 0.5, label: 'terse' });
    expect(city).toBe(expected.city);
  });
  test('Italy', { input: { country: 'Italy' }, reference: { city: 'Rome' } }, ({ input, reference }) => {
    logOutput(capitals[input.country]);
    expect(capitals[input.country]).toBe(reference.city);
  });
  test.each([{ input: 'Spain', output: 'Madrid' }])('capital of %s', async ({ input, expected }) => {
    const same = traceEvaluator((output) => output === expected, { name: 'traced' });
    expect(await same(capitals[input])).toBe(true);
    return capitals[input];
  });
  test.skip('later', { input: { country: 'Peru' } }, () => {});
}, { evaluators: [new Length(), broken], metadata: { branch: 'main' },
  acceptance: { average: { annotationName: 'length', threshold: 5, bound: 'none' } } });

describe('unsure', () => {
  for (const name of ['a', 'b', 'c'])
    it('same name', { input: { name } }, async () => {
      expect((await evaluate({ name: 'correct', kind: 'CODE', evaluate: () => true })).score).toBe(1);
    });
}, { acceptance: { passRate: { annotationName: 'correct', passFn: ({ score }) => score === 1, minPassRate: 0.9 } } });

describe('dry', () => {
  test('nothing is stored', { input: {} }, () => 'x');
}, { dryRun: true });

describe('outside', () => {
  test('is an error', { input: {}, dryRun: true }, () => {
    expect(() => test('inner', { input: {} }, () => {})).toThrow('must be inside of describe');
  });
});
logOutputOutside();
function logOutputOutside() {
  try { logOutput(1); } catch (error) { if (/outside of one/.test(error.message)) return; }
  throw new Error('logOutput outside of a test');
}`;

/** A suite whose tests are evaluated by a judge and a metric of the evaluation library. */
const SCORED = (runner: string) => `import { createClassificationEvaluator } from '@spandrel/evals';
import { createExactMatchEvaluator } from '@spandrel/evals/code';
import { createFakeModel } from '@spandrel/evals/fake-model';
import { describe, test } from '@spandrel/client/${runner}';

const quality = createClassificationEvaluator({
  name: 'quality',
  model: createFakeModel({ judge: { sensitivity: 1, specificity: 1 } }),
  choices: { good: 1, bad: 0 },
  promptTemplate: '<answer>{{output}}</answer>',
});
const exact = createExactMatchEvaluator({ inputMapping: { expected: '$.expected.text' } });

describe('scored', () => {
  test('good', { input: { id: 1 }, expected: { text: 'truth=1' } }, () => 'truth=1');
  test('bad', { input: { id: 2 }, expected: { text: 'truth=0' } }, () => 'truth=0');
}, { evaluators: [quality, exact], dryRun: true,
  acceptance: { passRate: { annotationName: 'quality', passFn: ({ label }) => label === 'good', minPassRate: 0.9, bound: 'none' } } });
`;

const NODE_GLOBALS = `import { after, before, describe, test } from 'node:test';
Object.assign(globalThis, { describe, test, beforeAll: before, afterAll: after });
`;
