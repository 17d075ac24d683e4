import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { toEvaluationResult as readExperimentResult } from '../../clients/typescript/client/src/experiments/evaluators.ts';
import { testBadRuns } from './evaluation-runs/bad-input.ts';
import { testEvaluators } from './evaluation-runs/evaluators.ts';
import { testModels } from './evaluation-runs/models.ts';
import { testRuns } from './evaluation-runs/runs.ts';
import { testTemplates } from './evaluation-runs/templates.ts';
import { type InstalledEvals, installEvals } from './installed-evals.ts';

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

  test('is one package without dependencies', async () => {
    assert.deepEqual(await installed.packages(), ['@spandrel']);
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

  testTemplates(() => installed);
  testEvaluators(() => installed);
  testModels(() => installed);
  testRuns(() => installed);
  testBadRuns(() => installed);
});
