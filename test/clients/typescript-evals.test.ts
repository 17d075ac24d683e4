import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { toEvaluationResult as readExperimentResult } from '../../clients/typescript/client/src/experiments/evaluators.ts';
import { testBadRuns } from './evaluation-runs/bad-input.ts';
import { testEvaluators } from './evaluation-runs/evaluators.ts';
import { testModels } from './evaluation-runs/models.ts';
import { testRuns } from './evaluation-runs/runs.ts';
import { testSpans } from './evaluation-runs/spans.ts';
import { testTemplates } from './evaluation-runs/templates.ts';
import { testTroubledRuns } from './evaluation-runs/troubled-runs.ts';
import { EVALS_FOLDER, type InstalledEvals, installEvals } from './installed-evals.ts';

interface Case {
  readonly arguments: { readonly value: unknown };
  readonly expected?: unknown;
  readonly error?: string;
}

const CASES = new URL('../../../test/fixtures/evaluations/evaluation-results.json', import.meta.url);

describe('the evaluation library for TypeScript, packed and installed', () => {
  let installed: InstalledEvals;

  before(async () => {
    installed = await installEvals();
  });

  after(() => installed?.remove());

  test('has one dependency', async () => {
    // ajv is optional, and the tests of schemas need it.
    assert.deepEqual(await installed.packages(), ['@spandrel', 'ajv', 'json-p3']);
  });

  test('reads results of evaluators by the table that all libraries share', () => {
    const { cases } = JSON.parse(readFileSync(fileURLToPath(CASES), 'utf8')) as { cases: Case[] };
    for (const {
      arguments: { value },
      expected,
      error,
    } of cases) {
      for (const read of [installed.core.toEvaluationResult, readExperimentResult]) {
        if (error === undefined) assert.deepEqual(read(value), expected, JSON.stringify(value));
        else assert.throws(() => read(value), new RegExp(error), JSON.stringify(value));
      }
    }
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, undefined, () => 1]) {
      for (const read of [installed.core.toEvaluationResult, readExperimentResult]) assert.throws(() => read(value));
    }
  });

  test('has the names that docs/exports.md lists as present', async () => {
    const { resolve } = createRequire(join(installed.folder, 'package.json'));
    const code = await import(pathToFileURL(resolve('@spandrel/evals/code')).href);
    const page = readFileSync(join(EVALS_FOLDER, 'docs/exports.md'), 'utf8');
    const present = page.split('\n').filter((line) => /^\|[^|]*`\w+`[^|]*\| present \|/.test(line));
    const names = present.flatMap((line) =>
      [...(line.split('|')[1] ?? '').matchAll(/`([a-zA-Z]+)`/g)].map(([, name]) => name!),
    );

    assert.ok(names.length > 18, names.join());
    const isThere = (name: string) =>
      name in installed.core || name in code || name in installed.core.EvaluatorBase.prototype;
    assert.deepEqual(
      names.filter((name) => !isThere(name)),
      [],
    );
  });

  test('does what its README says, block by block', async () => {
    const readme = readFileSync(join(EVALS_FOLDER, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code!);
    const outputs: string[] = [];
    for (const [index, code] of blocks.entries()) {
      const path = join(installed.folder, `readme-${index}.mjs`);
      writeFileSync(path, code);
      outputs.push((await promisify(execFile)(process.execPath, [path], { cwd: installed.folder })).stdout);
    }

    assert.match(outputs[0] ?? '', /^helpful useless 1\n.*model: 'gpt-5-mini'.*cost: 0\.0000/s);
    assert.equal(outputs[1], '1000 rows, 1000 requests\n');
  });

  test('has a program that serves the fake model', async () => {
    const program = join(installed.folder, 'node_modules/.bin/spandrel-fake-model');
    const child = spawn(program, ['--port', '0', '--sensitivity', '1']);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const [url] = /http:\/\/\S+?(?=;)/.exec(String(line)) ?? [];
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] }),
    });
    child.kill('SIGTERM');

    assert.equal(response.status, 200);
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    const wrong = await promisify(execFile)(program, ['--port', 'x']).catch(
      (error: { code: number; stderr: string }) => error,
    );
    assert.match(wrong.stderr, /--port is a number from 0, and not x/);
  });

  testTemplates(() => installed);
  testEvaluators(() => installed);
  testModels(() => installed);
  testRuns(() => installed);
  testBadRuns(() => installed);
  testTroubledRuns(() => installed);
  testSpans(() => installed);
});
