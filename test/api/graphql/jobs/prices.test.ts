import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../../metadata-store/fixtures.ts';
import { categorical, mapping, promptOf } from '../evaluator-fixtures.ts';
import { createProvider } from './custom-providers.ts';
import { type JobServer, openJobServer, typesOf } from './job-server.ts';

const UNPRICED = { modelName: 'nobody-sells-this' };
const TEXT = /Costs can only be limited for models with a price, and these have none: nobody-sells-this \(openai\)/;

describe('a limit of costs', () => {
  const cleanUp = cleanUpAfter(after);
  let jobs: JobServer;
  before(async () => {
    jobs = await openJobServer({ after: cleanUp });
  });

  const bindJudge = async (datasetId: string, modelName: string): Promise<object> => {
    const { server, endpoint } = jobs;
    const customProviderId = await createProvider(server, 'openai-chat', endpoint.url);
    const { createDatasetLlmEvaluator: created } = await server.ask(
      `mutation ($input: CreateDatasetLLMEvaluatorInput!) {
        createDatasetLlmEvaluator(input: $input) { evaluator { id } } }`,
      {
        input: {
          ...{ datasetId, name: 'judge', description: 'how good it is', inputMapping: mapping() },
          outputConfigs: [categorical('quality')],
          promptVersion: promptOf({ customProviderId, modelName }),
        },
      },
    );
    return { id: created.evaluator.id, name: 'judge', inputMapping: mapping() };
  };

  test('is rejected with the name of a model without a price, and nothing is started', async () => {
    const { inputOf, run, server } = jobs;
    const budget = { maxCost: 1 };
    const input = await inputOf(2, '{{n}}', { budget }, UNPRICED);
    const [[error]] = (await run(input)) as [[{ message: string; extensions: { code: string } }]];
    assert.match(error.message, TEXT);
    assert.equal(error.extensions.code, 'QUERY_INVALID');

    const priced = await inputOf(2, '{{n}}', { budget });
    const evaluators = [await bindJudge(priced.datasetId, UNPRICED.modelName)];
    assert.match((await run({ ...priced, evaluators }))[0][0].message, TEXT);
    for (const { datasetId } of [input, priced]) {
      const { node } = await server.ask(
        `{ node(id: "${datasetId}") { ... on Dataset { experimentCount(includeEphemeral: true) } } }`,
      );
      assert.equal(node.experimentCount, 0);
    }
  });

  test('is not required by a run without one, or with a limit of calls', async () => {
    const { inputOf, run } = jobs;
    for (const budget of [null, { maxCalls: 10 }]) {
      const payloads = await run(await inputOf(2, '{{n}}', { budget }, UNPRICED));
      assert.equal(typesOf(payloads, 'Result').length, 2);
    }
  });

  test('is rejected when a run is resumed with it, or when runs are evaluated with it', async () => {
    const { inputOf, run, server } = jobs;
    const input = await inputOf(2, '{{n}}', {}, UNPRICED);
    const { id } = (await run(input))[0].experiment;
    const resumed = await server.post(
      `mutation ($id: ID!) { resumeExperiment(experimentId: $id, budget: { maxCost: 1 }) { job { status } } }`,
      { id },
    );
    assert.match(resumed.errors?.[0] ?? '', TEXT);
    const judge = (await bindJudge(input.datasetId, UNPRICED.modelName)) as { id: string };
    const started = await server.post(
      `mutation ($input: StartExperimentEvaluationsInput!) {
        startExperimentEvaluations(input: $input) { job { status } } }`,
      { input: { experimentId: id, datasetEvaluatorIds: [judge.id], budget: { maxCost: 1 } } },
    );
    assert.match(started.errors?.[0] ?? '', TEXT);
  });

  test('ends a job whose model loses its price, at its first call', async () => {
    const { inputOf, run, server, ended } = jobs;
    const input = await inputOf(30, '{{n}}', { budget: { maxCost: 1_000 }, maxConcurrency: 2 });
    const [first] = await run({ ...input, experimentName: 'priced' });
    assert.equal((await ended(first.experiment.id)).job.status, 'COMPLETED');

    // The job of another model gets the same limit behind the back of the check.
    const unpriced = await inputOf(30, '{{n}}', { budget: { maxCalls: 5 }, maxConcurrency: 2 }, UNPRICED);
    const { id } = (await run(unpriced))[0].experiment;
    const rowId = Number(Buffer.from(id, 'base64').toString().split(':')[1]);
    const { experimentJobs, jobRunner } = server.ports;
    const budget = { callCountMax: null, costMax: 1_000 };
    await experimentJobs.resume(rowId, { owner: jobRunner.owner, cooldownMs: 0, needsSentSecrets: false, budget });
    jobRunner.start((await experimentJobs.find([rowId])).get(rowId)!, { credentials: {}, headers: null });
    const { job, runCount } = await ended(id);
    assert.deepEqual(
      [job.status, job.stopReason],
      ['STOPPED', 'The budget of 1000 US dollars cannot be kept: the model nobody-sells-this has no price'],
    );
    assert.ok(runCount <= 5 + 2, `${runCount} runs`);
  });
});
