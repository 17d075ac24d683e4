import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUpAfter } from '../../../metadata-store/fixtures.ts';
import { startVendorEndpoint, type VendorEndpoint } from '../../../vendor-endpoint/vendor-endpoint.ts';
import { mapping, promptOf } from '../evaluator-fixtures.ts';
import { DELETE, DELETE_EVALUATORS } from '../evaluator-server.ts';
import { createProvider } from './custom-providers.ts';
import { type JobServer, openJobServer, typesOf } from './job-server.ts';

const KEY = 'sk-stored-0123456789abcdef';
const SECRETS = `mutation ($secrets: [SecretKeyValueInput!]!) {
  upsertOrDeleteSecrets(input: { secrets: $secrets }) { deletedIds } }`;

describe('what is deleted while a job uses it', () => {
  const cleanUp = cleanUpAfter(after);
  let jobs: JobServer;
  /** Reached with the stored key, by the address of the environment. */
  let configured: VendorEndpoint;
  before(async () => {
    configured = await startVendorEndpoint({
      answer: ({ headers }) =>
        headers.authorization === `Bearer ${KEY}` ? undefined : { fault: { type: 'status', status: 401 } },
    });
    cleanUp(() => configured.close());
    jobs = await openJobServer({ after: cleanUp }, { variables: { OPENAI_BASE_URL: `${configured.url}/v1` } });
  });

  /** Starts a run, and resolves when the endpoint has received some calls of it. */
  async function start(input: { datasetId: string }, endpoint = jobs.endpoint) {
    const { callCount } = endpoint.statistics();
    const payloads = jobs.run(input);
    payloads.catch(() => undefined);
    while (endpoint.statistics().callCount < callCount + 4) await sleep(5);
    return { payloads, id: await jobs.newestOf(input.datasetId) };
  }

  test('a prompt: the job goes on with the version that it has', async () => {
    const { server, inputOf } = jobs;
    const { createChatPrompt: prompt } = await server.ask(
      `mutation ($input: CreateChatPromptInput!) { createChatPrompt(input: $input) { id version { id } } }`,
      { input: { name: 'deleted', promptVersion: promptOf({ tools: null }) } },
    );
    const input = await inputOf(20, '[[latency 50]] {{n}}', {
      ...{ promptVersionId: prompt.version.id, promptName: 'deleted', maxConcurrency: 4 },
    });
    const { payloads, id } = await start(input);
    await server.ask('mutation ($id: ID!) { deletePrompt(input: { promptId: $id }) { query { promptCount } } }', {
      id: prompt.id,
    });
    assert.equal(typesOf(await payloads, 'Result').length, 20);
    const { node } = await server.ask(
      `{ node(id: "${id}") { ... on Experiment { job { status taskConfig { prompt { modelName promptVersion { id } } } } } } }`,
    );
    assert.deepEqual(node.job, {
      status: 'COMPLETED',
      taskConfig: { prompt: { modelName: 'gpt-4o', promptVersion: null } },
    });
  });

  test('a custom provider: the job is stopped with that reason, and cannot be resumed', async () => {
    const { server, endpoint, inputOf, ended, read } = jobs;
    const customProviderId = await createProvider(server, 'openai-chat', endpoint.url);
    const input = await inputOf(100, '[[latency 1000]] {{n}}', { maxConcurrency: 4 }, { customProviderId });
    const { payloads, id } = await start(input);
    await server.ask('mutation ($id: ID!) { deleteGenerativeModelCustomProvider(input: { id: $id }) { id } }', {
      id: customProviderId,
    });
    const { job, runCount } = await ended(id);
    const reason = 'The custom provider of the prompt was deleted';
    assert.deepEqual([job.status, job.stopReason], ['STOPPED', reason]);
    assert.ok(runCount < 100);
    assert.equal((await payloads).at(-1).message, `Experiment stopped: ${reason}`);
    await endpoint.idle();
    await sleep(5_100);
    await server.ask('mutation ($id: ID!) { resumeExperiment(experimentId: $id) { job { status } } }', { id });
    assert.equal((await ended(id)).job.stopReason, reason);
    assert.equal((await read(id)).runCount, runCount);
  });

  test('an evaluator: its evaluations end, and the others go on', async () => {
    const { server, inputOf } = jobs;
    for (const remove of ['binding', 'evaluator'] as const) {
      const input = await inputOf(30, '[[latency 30]] {{n}}', { maxConcurrency: 4 });
      const kept = await bindBuiltIn(input.datasetId, 'contains');
      const customProviderId = await createProvider(server, 'openai-chat', jobs.endpoint.url);
      const { createDatasetLlmEvaluator: created } = await server.ask(
        `mutation ($input: CreateDatasetLLMEvaluatorInput!) {
          createDatasetLlmEvaluator(input: $input) { evaluator { id evaluator { id } } } }`,
        {
          input: {
            ...{ datasetId: input.datasetId, name: 'deleted', description: 'how good it is', inputMapping: mapping() },
            outputConfigs: [{ categorical: { name: 'quality', optimizationDirection: 'NONE', values: VALUES } }],
            promptVersion: promptOf({
              template: { messages: [{ role: 'USER', content: [{ text: { text: '[[latency 60000]] {{output}}' } }] }] },
              customProviderId,
            }),
          },
        },
      );
      const { id, evaluator } = created.evaluator;
      const evaluators = [kept, { id, name: 'deleted', inputMapping: mapping() }];
      const { payloads, id: experimentId } = await start({ ...input, evaluators } as { datasetId: string });
      // The judge hangs, so all places of the job are taken by its calls in the end.
      await sleep(300);
      if (remove === 'binding') await server.ask(DELETE, { input: { datasetEvaluatorIds: [id] } });
      else await server.ask(DELETE_EVALUATORS, { input: { evaluatorIds: [evaluator.id] } });
      const chunks = typesOf(await payloads, 'EvaluationChunk');
      assert.deepEqual([...new Set(chunks.map(({ evaluatorName }) => evaluatorName))], ['contains'], remove);
      assert.equal(chunks.length, 30);
      const { job } = await jobs.read(experimentId);
      assert.deepEqual([job.status, job.progress.doneTaskCount], ['COMPLETED', 30]);
      assert.equal(jobs.endpoint.statistics().openCallCount, 0);
    }
  });

  test('a secret: the job is stopped with that reason, and no call is made without it', async () => {
    const { server, inputOf } = jobs;
    await server.ask(SECRETS, { secrets: [{ key: 'OPENAI_API_KEY', value: KEY, hosts: null }] });
    const { connectionConfig: _, ...input } = await inputOf(100, '[[latency 100]] {{n}}', { maxConcurrency: 2 });
    const { payloads, id } = await start(input, configured);
    await server.ask(SECRETS, { secrets: [{ key: 'OPENAI_API_KEY', value: null }] });
    const { job, runCount } = await jobs.ended(id);
    assert.deepEqual([job.status, job.stopReason], ['STOPPED', 'The key with which the run began was deleted']);
    assert.ok(runCount < 100);
    await payloads;
    const withKey = configured.calls.map(({ headers }) => headers.authorization === `Bearer ${KEY}`);
    assert.ok(!withKey.includes(false));
  });

  test('a dataset and an experiment: the job ends, and its stream without an error', async () => {
    const { server, endpoint, inputOf } = jobs;
    for (const what of ['dataset', 'experiment'] as const) {
      const input = await inputOf(20, '[[latency 60000]] {{n}}', { maxConcurrency: 4 });
      const { payloads, id } = await start(input);
      if (what === 'dataset')
        await server.ask(`mutation { deleteDataset(input: { datasetId: "${input.datasetId}" }) { dataset { id } } }`);
      else
        await server.ask(`mutation { deleteExperiments(input: { experimentIds: ["${id}"] }) { experiments { id } } }`);
      await endpoint.idle();
      assert.equal((await payloads).length, 1, 'only the experiment');
    }
  });

  async function bindBuiltIn(datasetId: string, name: string): Promise<object> {
    const { server } = jobs;
    const { builtInEvaluators } = await server.ask('{ builtInEvaluators { id name } }');
    const evaluatorId = builtInEvaluators.find((one: { name: string }) => one.name === name).id;
    const inputMapping = mapping({ text: '$.output.messages[0].content' }, { words: 'Echo' });
    const { createDatasetBuiltinEvaluator: bound } = await server.ask(
      `mutation ($input: CreateDatasetBuiltinEvaluatorInput!) {
        createDatasetBuiltinEvaluator(input: $input) { evaluator { id } } }`,
      { input: { datasetId, evaluatorId, name, inputMapping } },
    );
    return { id: bound.evaluator.id, name, inputMapping };
  }
});

const VALUES = [
  { label: 'good', score: 1 },
  { label: 'bad', score: 0 },
];
