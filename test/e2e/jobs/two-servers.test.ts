import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { cleanUpAfter, openTestPostgres, query } from '../../metadata-store/fixtures.ts';
import { startVendorEndpoint, type VendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../server-process.ts';
import { ask, checkRuns, createDataset, inputOf, jobEnded, readExperiment, readRuns, startRun } from './job-client.ts';

const STOP = 'mutation ($id: ID!) { stopExperiment(experimentId: $id) { job { status } } }';

describe('jobs of two servers on one Postgres', () => {
  const cleanUp = cleanUpAfter(after);
  let databaseUrl: string;
  let endpoint: VendorEndpoint;
  let one: ServerProcess;
  let two: ServerProcess;

  async function start(dataDir: string): Promise<ServerProcess> {
    const env = {
      SERVICE_SQL_DATABASE_URL: databaseUrl,
      ...{ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${endpoint.url}/v1` },
    };
    const server = await startServer({ dataDir, env });
    cleanUp(() => server.kill9());
    return server;
  }

  before(async () => {
    databaseUrl = await (await openTestPostgres(cleanUp)).newDatabase();
    endpoint = await startVendorEndpoint();
    cleanUp(() => endpoint.close());
    const dataDirs = [await makeDataDir({ isEmpty: true }), await makeDataDir({ isEmpty: true })] as const;
    for (const dataDir of dataDirs) cleanUp(() => removeDataDir(dataDir));
    one = await start(dataDirs[0]);
    // The database belongs to the installation, which both servers are then.
    await copyFile(join(dataDirs[0], 'installation-id'), join(dataDirs[1], 'installation-id'));
    two = await start(dataDirs[1]);
  });

  let made = 0;
  async function newInput(server: ServerProcess, exampleCount: number, text: string, maxConcurrency: number) {
    return inputOf(await createDataset(server.url, `shared ${++made}`, exampleCount), text, { maxConcurrency });
  }
  const callsOf = (word: string) => endpoint.calls.filter(({ prompt }) => prompt.text.includes(word));
  const callsReached = async (word: string, count: number) => {
    while (callsOf(word).length < count) await delay(5);
  };

  test('run beside each other, and neither holds up the other', async () => {
    const inputs = [
      await newInput(one, 60, '[[latency 20]] left {{n}}', 4),
      await newInput(two, 60, '[[latency 20]] right {{n}}', 4),
    ] as const;
    const runs = await Promise.all([startRun(one.url, inputs[0]), startRun(two.url, inputs[1])]);
    await Promise.all(runs.map(({ experimentId }) => jobEnded(one.url, experimentId)));
    const firstHalf = endpoint.calls.slice(0, 60).filter(({ prompt }) => prompt.text.includes('left')).length;
    assert.ok(firstHalf >= 10 && firstHalf <= 50, `${firstHalf} of the first 60 calls are of the first server`);
    for (const [index, server] of [one, two].entries()) {
      assert.equal(await runs[index]!.ended, 'end');
      const stored = await readRuns(server.url, runs[index]!.experimentId);
      checkRuns(stored, { count: 60, evaluationNames: [] });
    }
    assert.deepEqual([callsOf('left').length, callsOf('right').length], [60, 60]);
  });

  test('stop on a request to the other server', async () => {
    const run = await startRun(one.url, await newInput(one, 20, '[[latency 60000]] stopped {{n}}', 5));
    await callsReached('stopped', 5);
    assert.equal((await ask(two.url, STOP, { id: run.experimentId })).stopExperiment.job.status, 'STOPPED');
    assert.equal(await run.ended, 'end');
    await endpoint.idle();
    assert.equal(callsOf('stopped').length, 5);
    const { job } = await readExperiment(one.url, run.experimentId);
    assert.deepEqual([job.status, job.stopReason], ['STOPPED', null]);
    assert.deepEqual(await readRuns(two.url, run.experimentId), []);
  });

  test('are taken over when their server was killed and its lease has ended, and no run is made twice', async () => {
    const concurrency = 5;
    const run = await startRun(one.url, await newInput(one, 60, '[[latency 40]] orphan {{n}}', concurrency));
    const other = await startRun(two.url, await newInput(two, 100, '[[latency 40]] own {{n}}', 2));
    await callsReached('orphan', 20);
    await one.kill9();
    assert.ok((await run.ended) instanceof Error, 'the reader of the killed server learns of its end');
    const callCountAtEnd = callsOf('orphan').length;
    const [stored] = await query<{ count: string }>(
      databaseUrl,
      `select count(*) from experiment_runs where experiment_id = ${rowIdOf(run.experimentId)}`,
    );
    assert.equal(await other.ended, 'end', 'the subscription of the other server goes on');
    assert.equal(callsOf('orphan').length, callCountAtEnd, 'the lease holds');

    // Two minutes pass.
    await query(
      databaseUrl,
      `update experiment_jobs set claimed_at = now() - interval '3 minutes' where status = 'RUNNING'`,
    );
    const job = await jobEnded(two.url, run.experimentId);
    assert.equal(job.status, 'COMPLETED', JSON.stringify(job));
    const runs = await readRuns(two.url, run.experimentId);
    assert.deepEqual([runs.length, new Set(runs.map(({ exampleId }) => exampleId)).size], [60, 60]);
    assert.deepEqual([...new Set(runs.map(({ error }) => error))], [null]);
    const repeated = callsOf('orphan').length - 60;
    assert.ok(repeated >= 0 && repeated <= concurrency, `${repeated} calls were repeated`);
    assert.equal(callsOf('orphan').length, callCountAtEnd + 60 - Number(stored?.count), 'only what was missing');

    one = await start(one.dataDir);
    await delay(500);
    assert.equal(callsOf('orphan').length, 60 + repeated, 'the restarted server repeats nothing');
    // Each server has the traces of the calls that it made.
    const ofOne = (await readRuns(one.url, run.experimentId)).filter(({ isTraceStored }) => isTraceStored).length;
    const ofTwo = runs.filter(({ isTraceStored }) => isTraceStored).length;
    assert.equal(ofOne + ofTwo, 60);
  });
});

const rowIdOf = (globalId: string): number => Number(Buffer.from(globalId, 'base64').toString().split(':')[1]);
