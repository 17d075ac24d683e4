import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanUpAfter } from '../metadata-store/fixtures.ts';
import { experimentCode } from '../../src/web/pages/dataset/experiments/experiment-code.ts';
import { seedExperiments } from '../web/dataset/seed-experiments.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../e2e/server-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PYTHON = `${ROOT}.venv/bin/python`;
const run = promisify(execFile);

describe('the code that a dataset without experiments shows', () => {
  let server: ServerProcess;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const dataDir = await makeDataDir();
    cleanUp(() => removeDataDir(dataDir));
    server = await startServer({ dataDir, env: {} });
    cleanUp(async () => {
      await server.stop();
    });
  });

  /** The experiment that the code has stored. */
  async function experimentOf(language: string, execute: (code: string) => Promise<unknown>) {
    const name = `a "quoted" name's \\ ${language}`;
    const { datasetId } = await seedExperiments(server.url, 2, name);
    const samples = experimentCode({ url: server.url, datasetId, datasetName: name, needsKey: false });
    await execute(samples.find((sample) => sample.language === language)!.code);
    const query = `query ($id: ID!) { node(id: $id) { ... on Dataset { experiments { edges { node {
      name runCount errorRate annotationSummaries { annotationName meanScore } } } } } } }`;
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { id: datasetId } }),
    });
    const { data } = (await response.json()) as { data: { node: { experiments: { edges: { node: object }[] } } } };
    return data.node.experiments.edges[0]?.node;
  }
  const stored = (runCount: number) => ({
    name: 'first experiment',
    runCount,
    errorRate: 0,
    annotationSummaries: [{ annotationName: 'has_answer', meanScore: 1 }],
  });

  test('runs in Python', { skip: !existsSync(PYTHON) && 'there is no .venv' }, async () => {
    assert.deepEqual(await experimentOf('python', (code) => run(PYTHON, ['-c', code])), stored(2));
  });

  test('runs in TypeScript', async () => {
    // Without types, it is JavaScript. Its packages are those of this repository.
    const file = join(ROOT, 'dist', `experiment-code-${process.pid}.mjs`);
    cleanUp(() => rm(file, { force: true }));
    const execute = async (code: string) => {
      await writeFile(file, code);
      await run(process.execPath, [file], { cwd: ROOT });
    };

    assert.deepEqual(await experimentOf('typescript', execute), stored(2));
  });

  test('runs in a shell with curl', async () => {
    assert.deepEqual(await experimentOf('curl', (code) => run('sh', ['-e', '-c', code])), stored(1));
  });
});
