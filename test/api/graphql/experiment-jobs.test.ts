import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { familyOf } from '../../../src/model/prompts/prompt-parameters.ts';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { rowIdOf, toGlobalId } from '../../../src/api/contract/global-id.ts';
import { startVendorEndpoint, type VendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { connectToEndpoint, PROVIDER_CASES } from '../playground/provider-cases.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import { mapping } from './evaluator-fixtures.ts';
import { experimentFixtures } from './experiment-fixtures.ts';
import { ACCEPT, type Payload, readPayloads, readStream } from './subscriptions/stream-readers.ts';

const SUBSCRIPTION = `subscription ($input: ChatCompletionOverDatasetInput!) {
  chatCompletionOverDataset(input: $input) { __typename datasetExampleId repetitionNumber
    ... on TextChunk { content }
    ... on ChatCompletionSubscriptionExperiment { experiment { id name projectName isEphemeral } }
    ... on ChatCompletionSubscriptionResult { span { id tokenCountTotal } experimentRun { id output traceId trace { id } } }
    ... on ChatCompletionSubscriptionError { message span { id } experimentRun { id error } }
    ... on EvaluationChunk { evaluatorName error experimentRunEvaluation { label score } trace { id } }
  } }`;

const JOB = `... on Experiment { runCount job { id status stopReason maxConcurrency isEvaluationOnly createdAt
  budget { maxCalls maxCost callCount cost } lastError { message category }
  progress { taskCount doneTaskCount failedTaskCount evaluationCount doneEvaluationCount remainingSeconds }
  errors(first: 10) { edges { node { id message level detail {
    ... on FailureDetail { errorType workItem { ... on TaskWorkItemId { datasetExampleId repetitionNumber } } }
    ... on RetriesExhaustedDetail { retryCount reason workItem { ... on TaskWorkItemId { datasetExampleId repetitionNumber } } } } } } }
  datasetEvaluators { edges { node { name } } }
  taskConfig { id streamModelOutput playgroundConfig { templateVariablesPath appendedMessagesPath }
    connection { ... on OpenAIConnectionConfig { baseUrl openaiApiType } }
    prompt { modelName modelProvider templateFormat template { ... on PromptChatTemplate { messages { role } } } } } } }`;

describe('experiments that the server runs', () => {
  let server: TestServer;
  let endpoint: VendorEndpoint;
  let fixtures: ReturnType<typeof experimentFixtures>;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    endpoint = await startVendorEndpoint();
    cleanUp(() => endpoint.close());
    server = await openTestServer({ after: cleanUp }, { settings: { ALLOW_PRIVATE_MODEL_ADDRESSES: 'true' } });
    fixtures = experimentFixtures(server.ports);
  });

  /** Input of a run over a new dataset of so many examples. */
  async function inputOf(exampleCount: number, text: string, more: object = {}) {
    const dataset = await fixtures.createDataset(exampleCount);
    return {
      promptVersion: {
        templateFormat: 'MUSTACHE',
        template: { messages: [{ role: 'USER', content: [{ text: { text } }] }] },
        invocationParameters: { openai: {} },
        modelProvider: 'OPENAI',
        modelName: 'gpt-4o',
      },
      connectionConfig: { baseUrl: `${endpoint.url}/v1` },
      repetitions: 1,
      datasetId: toGlobalId('Dataset', dataset.rowId),
      ...more,
    };
  }

  const subscribe = (input: object, signal?: AbortSignal) =>
    fetch(`${server.address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: ACCEPT.multipart },
      body: JSON.stringify({ query: SUBSCRIPTION, variables: { input } }),
      ...(signal && { signal }),
    });

  const run = async (input: object) => {
    const response = await subscribe(input);
    // A document that does not fit the schema.
    if (response.headers.get('content-type') === 'application/json') assert.fail(await response.text());
    const payloads = await readPayloads(response);
    return payloads.map(({ data, errors }: Payload) => data?.chatCompletionOverDataset ?? errors);
  };

  const read = async (id: string) => (await server.ask(`query ($id: ID!) { node(id: $id) { ${JOB} } }`, { id })).node;

  async function ended(id: string) {
    for (;;) {
      const experiment = await read(id);
      if (experiment.job.status !== 'RUNNING') return experiment;
      await sleep(10);
    }
  }

  test('stream their pieces and results, which can be read at once with their spans and evaluations', async () => {
    const input = await inputOf(3, 'Say {{n}}', { repetitions: 2, templateVariablesPath: 'input' });
    const { createDatasetBuiltinEvaluator: bound } = await server.ask(
      `mutation ($input: CreateDatasetBuiltinEvaluatorInput!) {
        createDatasetBuiltinEvaluator(input: $input) { evaluator { id } } }`,
      {
        input: {
          datasetId: input.datasetId,
          evaluatorId: await builtIn('contains'),
          name: 'says',
          inputMapping: mapping({ text: '$.output.messages[0].content' }, { words: 'Say' }),
        },
      },
    );
    const evaluators = [{ id: bound.evaluator.id, name: 'other', inputMapping: mapping() }];
    const payloads = await run({ ...input, evaluators });

    const [first] = payloads;
    assert.equal(first.__typename, 'ChatCompletionSubscriptionExperiment');
    assert.match(first.experiment.projectName, /^Experiment-[0-9a-f]{24}$/);
    const results = payloads.filter(({ __typename }) => __typename === 'ChatCompletionSubscriptionResult');
    assert.equal(results.length, 6);
    for (const { span, experimentRun } of results) {
      assert.ok(span.id && span.tokenCountTotal > 0 && experimentRun.trace.id);
      const [message] = experimentRun.output.messages;
      assert.match(message.content, /^Echo: Say \d$/);
      assert.deepEqual(experimentRun.output.available_tools, []);
    }
    const texts = new Map<string, string>();
    for (const one of payloads.filter(({ __typename }) => __typename === 'TextChunk')) {
      const cell = `${one.datasetExampleId} ${one.repetitionNumber}`;
      texts.set(cell, (texts.get(cell) ?? '') + one.content);
    }
    assert.equal(texts.size, 6);
    const chunks = payloads.filter(({ __typename }) => __typename === 'EvaluationChunk');
    assert.equal(chunks.length, 6);
    assert.ok(
      chunks.every(
        ({ error, experimentRunEvaluation, trace }) => !error && experimentRunEvaluation.score === 1 && trace.id,
      ),
    );

    const { runCount, job } = await read(first.experiment.id);
    assert.equal(runCount, 6);
    assert.deepEqual([job.status, job.stopReason, job.maxConcurrency], ['COMPLETED', null, 10]);
    assert.deepEqual(job.progress, {
      ...{ taskCount: 6, doneTaskCount: 6, failedTaskCount: 0, evaluationCount: 6, doneEvaluationCount: 6 },
      remainingSeconds: null,
    });
    assert.equal(job.budget.callCount, 6);
    assert.ok(job.budget.cost > 0);
    assert.deepEqual(
      job.datasetEvaluators.edges.map(({ node }: { node: { name: string } }) => node.name),
      ['says'],
    );
    assert.deepEqual(job.taskConfig.connection, { baseUrl: `${endpoint.url}/v1`, openaiApiType: 'CHAT_COMPLETIONS' });
    assert.deepEqual(job.taskConfig.prompt.template.messages, [{ role: 'USER' }]);
    const { node } = await server.ask(
      'query ($id: ID!) { node(id: $id) { ... on Dataset { experimentJobs(first: 5) { edges { node { status } } } } } }',
      { id: input.datasetId },
    );
    assert.deepEqual(node.experimentJobs.edges, [{ node: { status: 'COMPLETED' } }]);
  });

  test('name the prompt and the version from which they were started', async () => {
    const { promptVersion, ...input } = await inputOf(1, 'Say {{n}}');
    const { createChatPrompt: prompt } = await server.ask(
      'mutation ($input: CreateChatPromptInput!) { createChatPrompt(input: $input) { id version { id } } }',
      { input: { name: 'stored', promptVersion } },
    );
    const [started] = await run({ ...input, promptVersion, promptVersionId: prompt.version.id });
    const { node } = await server.ask(
      `query ($id: ID!) { node(id: $id) { ... on Experiment { job { taskConfig {
        prompt { prompt { id name } promptVersion { id } } } } } } }`,
      { id: started.experiment.id },
    );
    assert.deepEqual(node.job.taskConfig.prompt, {
      prompt: { id: prompt.id, name: 'stored' },
      promptVersion: { id: prompt.version.id },
    });
  });

  const builtIn = async (name: string): Promise<string> =>
    (await server.ask('{ builtInEvaluators { id name } }')).builtInEvaluators.find(
      (one: { name: string }) => one.name === name,
    ).id;

  test('store the error of a vendor, and that of an example without the variables', async () => {
    const failed = await run(await inputOf(2, '[[fault 400 no such thing]]'));
    const errors = failed.filter(({ __typename }) => __typename === 'ChatCompletionSubscriptionError');
    assert.equal(errors.length, 2);
    assert.match(errors[0].message, /no such thing/);
    assert.ok(errors[0].span.id && errors[0].experimentRun.error.includes('no such thing'));

    const unfilled = await run(await inputOf(1, '{{absent}}', { templateVariablesPath: 'nowhere' }));
    const error = unfilled.find(({ __typename }) => __typename === 'ChatCompletionSubscriptionError');
    assert.match(error.message, /nowhere/);
    const withoutMessages = await run(await inputOf(1, 'x', { appendedMessagesPath: 'more' }));
    assert.match(withoutMessages[1].message, /nothing at the path of the messages, 'more'/);
    assert.equal(error.span, null);
    const { job } = await read(unfilled[0].experiment.id);
    assert.equal(job.lastError.category, 'TASK');
    const [{ node: log }] = job.errors.edges;
    assert.equal(log.detail.workItem.repetitionNumber, 1);
    assert.equal(
      (await server.ask(`{ node(id: "${log.id}") { ... on ExperimentLog { level } } }`)).node.level,
      'ERROR',
    );
  });

  test('list the task that a vendor keeps failing, with its example and repetition', async () => {
    const input = await inputOf(1, '[[fault 503]]');
    const payloads = await run(input);

    const { job } = await read(payloads[0].experiment.id);
    assert.deepEqual([job.status, job.progress.failedTaskCount, job.budget.callCount], ['COMPLETED', 1, 4]);
    const [example] = (
      await server.ask(`{ node(id: "${input.datasetId}") { ... on Dataset { examples { edges { node { id } } } } } }`)
    ).node.examples.edges;
    const details = job.errors.edges.map(({ node }: { node: { detail: object } }) => node.detail);
    assert.deepEqual(details, [
      {
        retryCount: 3,
        reason: 'transient error: ServerError',
        workItem: { datasetExampleId: rowIdOf('DatasetExample', example.node.id), repetitionNumber: 1 },
      },
    ]);
  });

  test('are rejected with the texts of the contract', async () => {
    const input = await inputOf(1, 'x');
    const messageOf = async (more: object) => (await run({ ...input, ...more }))[0]?.[0]?.message;
    assert.equal(await messageOf({ datasetId: toGlobalId('Dataset', 999) }), 'Could not find dataset with ID 999');
    assert.equal(
      await messageOf({ datasetVersionId: toGlobalId('DatasetVersion', 999) }),
      'Could not find dataset version with ID 999',
    );
    const fields = { name: 'none', description: null, color: '#aabbcc', metadata: '{}', userId: null };
    const split = await server.ports.datasets.createSplit(fields, []);
    assert.equal(
      await messageOf({ splitIds: [toGlobalId('DatasetSplit', split.rowId)] }),
      'No examples found for the given dataset and version',
    );
    const empty = await server.ports.datasets.create({
      name: 'empty',
      description: null,
      metadata: '{}',
      userId: null,
    });
    assert.equal(
      await messageOf({ datasetId: toGlobalId('Dataset', empty) }),
      `No versions found for dataset with ID ${empty}`,
    );
    assert.match(await messageOf({ maxConcurrency: 0 }), /maxConcurrency must be/);
    const { connectionConfig: _, ...withoutUrl } = input;
    assert.match((await run(withoutUrl))[0]?.[0]?.message, /An API key is required for OpenAI models/);
    assert.equal(
      (
        await server.ask(
          `{ node(id: "${input.datasetId}") { ... on Dataset { experimentCount(includeEphemeral: true) } } }`,
        )
      ).node.experimentCount,
      0,
    );
  });

  /** The experiment of the first payload. The stream stays open. */
  async function firstOf(response: Response) {
    const stream = readStream(response);
    for (;;) {
      const { value } = await stream.next();
      if (typeof value === 'object') return value.payload.data.chatCompletionOverDataset.experiment;
    }
  }

  const STOP = 'mutation ($id: ID!) { stopExperiment(experimentId: $id) { job { status } } }';
  const RESUME = 'mutation ($id: ID!) { resumeExperiment(experimentId: $id) { job { status } } }';

  test('go on when their reader leaves, stop within a moment, and resume after the cooldown', async () => {
    const leaving = new AbortController();
    const input = await inputOf(6, '[[latency 60000]] {{n}}', { maxConcurrency: 2 });
    const { id } = await firstOf(await subscribe(input, leaving.signal));
    while (endpoint.statistics().openCallCount < 2) await sleep(5);
    leaving.abort();
    await sleep(100);
    assert.equal(endpoint.statistics().openCallCount, 2, 'the job goes on');

    const { stopExperiment } = await server.ask(STOP, { id });
    assert.equal(stopExperiment.job.status, 'STOPPED');
    while (endpoint.statistics().openCallCount > 0) await sleep(1);
    assert.equal((await server.ask(STOP, { id })).stopExperiment.job.status, 'STOPPED');
    assert.deepEqual((await server.post(RESUME, { id })).errors, [`Experiment ${id} is still in cooldown`]);
    assert.deepEqual((await server.post(STOP, { id: toGlobalId('Experiment', 999) })).errors, [
      `Experiment ${toGlobalId('Experiment', 999)} not found`,
    ]);
    const { job, runCount } = await read(id);
    assert.deepEqual([job.status, job.stopReason, runCount], ['STOPPED', null, 0]);
  });

  test('stop with their reader if they are ephemeral', async () => {
    const leaving = new AbortController();
    const input = await inputOf(4, '[[latency 60000]] {{n}}', { createEphemeralExperiment: true });
    const { id, isEphemeral } = await firstOf(await subscribe(input, leaving.signal));
    assert.equal(isEphemeral, true);
    while (endpoint.statistics().openCallCount < 4) await sleep(5);
    leaving.abort();
    assert.equal((await ended(id)).job.status, 'STOPPED');
    while (endpoint.statistics().openCallCount > 0) await sleep(1);
  });

  test('are stopped before they are deleted, and end when their dataset is deleted', async () => {
    const slow = await inputOf(3, '[[latency 60000]] {{n}}');
    for (const remove of ['experiment', 'dataset'] as const) {
      const reading = run(slow);
      while (endpoint.statistics().openCallCount < 3) await sleep(5);
      const { node } = await server.ask(
        `{ node(id: "${slow.datasetId}") { ... on Dataset { experiments { edges { node { id } } } } } }`,
      );
      if (remove === 'experiment') {
        const ids = [node.experiments.edges[0].node.id];
        await server.ask(
          'mutation ($ids: [ID!]!) { deleteExperiments(input: { experimentIds: $ids }) { experiments { id } } }',
          { ids },
        );
        assert.equal(endpoint.statistics().openCallCount, 0);
      } else {
        await server.ask(`mutation { deleteDataset(input: { datasetId: "${slow.datasetId}" }) { dataset { id } } }`);
      }
      const payloads = await reading;
      assert.equal(payloads.length, 1, 'no result of a call that was aborted');
      while (endpoint.statistics().openCallCount > 0) await sleep(1);
    }
  });

  test('evaluate the runs of clients on demand', async () => {
    const dataset = await fixtures.createDataset(3);
    const experiment = await fixtures.createExperiment(dataset, 'of a client', [
      { example: 0, ms: 1 },
      { example: 1, ms: 1 },
      { example: 2, ms: 1, error: 'failed' },
    ]);
    const { createDatasetBuiltinEvaluator: bound } = await server.ask(
      `mutation ($input: CreateDatasetBuiltinEvaluatorInput!) {
        createDatasetBuiltinEvaluator(input: $input) { evaluator { id } } }`,
      {
        input: {
          datasetId: toGlobalId('Dataset', dataset.rowId),
          evaluatorId: await builtIn('exact_match'),
          name: 'same',
          inputMapping: mapping({ actual: '$.input.n', expected: '$.input.n' }),
        },
      },
    );
    const id = toGlobalId('Experiment', experiment);
    const input = { experimentId: id, datasetEvaluatorIds: [bound.evaluator.id] };
    const START = `mutation ($input: StartExperimentEvaluationsInput!) {
      startExperimentEvaluations(input: $input) { job { isEvaluationOnly } } }`;
    assert.equal((await server.ask(START, { input })).startExperimentEvaluations.job.isEvaluationOnly, true);
    const { job } = await ended(id);
    assert.deepEqual([job.status, job.progress.doneEvaluationCount, job.taskConfig], ['COMPLETED', 2, null]);
    const { node } = await server.ask(
      `{ node(id: "${id}") { ... on Experiment { annotationSummaries { annotationName meanScore count } } } }`,
    );
    assert.deepEqual(node.annotationSummaries, [{ annotationName: 'exact_match', meanScore: 1, count: 2 }]);
  });

  test('keep the prompt and the address that they were started with, by the protocol of the vendor', async () => {
    const { datasetId } = await inputOf(1, '');
    const tool = {
      name: 'weather',
      description: 'tells',
      parameters: { type: 'object', properties: {} },
      strict: null,
    };
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    const kept: Record<string, object> = {};
    for (const provider of ['OPENAI', 'AZURE_OPENAI', 'ANTHROPIC', 'GOOGLE', 'AWS']) {
      const given = PROVIDER_CASES.find((one) => one.provider === provider)!;
      const { model, connectionConfig, credentials } = connectToEndpoint(given, endpoint.url);
      const family = familyOf(given.provider);
      const payloads = await run({
        ...{ datasetId, repetitions: 1, credentials, tracingEnabled: false, streamModelOutput: false },
        ...{
          experimentDescription: 'of a vendor',
          experimentMetadata: { of: provider },
          templateVariablesPath: 'input',
        },
        connectionConfig: { ...connectionConfig, ...(provider === 'OPENAI' && { organization: 'o', project: 'p' }) },
        promptVersion: {
          ...{ templateFormat: 'F_STRING', modelProvider: provider, modelName: model },
          template: { messages: [{ role: 'USER', content: [{ text: { text: '[[say ok]] {n}' } }] }] },
          invocationParameters: { [family]: family === 'google' ? { maxOutputTokens: 9 } : { maxTokens: 9 } },
          tools: { tools: [{ function: tool }], toolChoice: { zeroOrMore: true } },
          responseFormat: { type: 'json_schema', jsonSchema: { name: 'form', schema } },
        },
      });
      assert.equal(payloads.at(-1).__typename, 'ChatCompletionSubscriptionResult', JSON.stringify(payloads));
      const { node } = await server.ask(
        `query ($id: ID!) { node(id: $id) { ... on Experiment { description metadata job { experiment { id } taskConfig {
          streamModelOutput customProvider { id } playgroundConfig { templateVariablesPath }
          connection { __typename
            ... on OpenAIConnectionConfig { baseUrl organization project openaiApiType }
            ... on AzureOpenAIConnectionConfig { azureEndpoint openaiApiType }
            ... on AnthropicConnectionConfig { baseUrl }
            ... on AWSBedrockConnectionConfig { regionName endpointUrl }
            ... on GoogleGenAIConnectionConfig { baseUrl } }
          prompt { templateType templateFormat promptVersion { id } modelProvider modelName
            tools { tools { ... on PromptToolFunction { function { name description parameters strict } } } }
            responseFormat { jsonSchema { name schema } } invocationParameters { __typename } } } } } } }`,
        { id: payloads[0].experiment.id },
      );
      const { connection, prompt, ...task } = node.job.taskConfig;
      assert.equal(node.job.experiment.id, payloads[0].experiment.id);
      assert.deepEqual([node.description, node.metadata], ['of a vendor', { of: provider }]);
      assert.deepEqual(task, {
        ...{ streamModelOutput: false, customProvider: null },
        playgroundConfig: { templateVariablesPath: 'input' },
      });
      assert.deepEqual(prompt, {
        ...{ templateType: 'CHAT', templateFormat: 'F_STRING', promptVersion: null },
        ...{ modelProvider: provider, modelName: model, tools: { tools: [{ function: tool }] } },
        responseFormat: { jsonSchema: { name: 'form', schema } },
        invocationParameters: prompt.invocationParameters,
      });
      assert.match(prompt.invocationParameters.__typename, new RegExp(`Prompt${family}InvocationParameters`, 'i'));
      kept[provider] = connection;
    }
    const { url } = endpoint;
    const openaiApiType = 'CHAT_COMPLETIONS';
    assert.deepEqual(kept, {
      OPENAI: {
        ...{ __typename: 'OpenAIConnectionConfig', baseUrl: `${url}/v1` },
        ...{ organization: 'o', project: 'p', openaiApiType },
      },
      AZURE_OPENAI: { __typename: 'AzureOpenAIConnectionConfig', azureEndpoint: url, openaiApiType },
      ANTHROPIC: { __typename: 'AnthropicConnectionConfig', baseUrl: url },
      GOOGLE: { __typename: 'GoogleGenAIConnectionConfig', baseUrl: url },
      AWS: { __typename: 'AWSBedrockConnectionConfig', regionName: 'eu-west-1', endpointUrl: url },
    });
  });

  test('list the evaluations that fail', async () => {
    const input = await inputOf(1, '[[say ok]]');
    const { createDatasetBuiltinEvaluator: bound } = await server.ask(
      `mutation ($input: CreateDatasetBuiltinEvaluatorInput!) {
        createDatasetBuiltinEvaluator(input: $input) { evaluator { id } query { datasetCount } } }`,
      {
        input: {
          ...{ datasetId: input.datasetId, evaluatorId: await builtIn('exact_match'), name: 'absent' },
          inputMapping: mapping({ actual: '$.input.absent', expected: '$.output' }),
        },
      },
    );
    assert.ok(bound.query.datasetCount > 0);
    const evaluators = [{ id: bound.evaluator.id, name: 'absent', description: 'fails', inputMapping: mapping() }];
    const payloads = await run({ ...input, evaluators });
    const result = payloads.find(({ __typename }) => __typename === 'ChatCompletionSubscriptionResult');

    const { node } = await server.ask(
      `query ($id: ID!) { node(id: $id) { ... on Experiment { job { createdAt errors { edges { node {
        category level occurredAt detail { ... on FailureDetail { errorType
          workItem { ... on EvalWorkItemId { experimentRunId datasetEvaluatorId } } } } } } } } } } }`,
      { id: payloads[0].experiment.id },
    );

    const [{ node: log }] = node.job.errors.edges;
    assert.deepEqual([log.category, log.level], ['EVAL', 'ERROR']);
    assert.ok(Date.parse(log.occurredAt) >= Date.parse(node.job.createdAt));
    assert.deepEqual(log.detail.workItem, {
      experimentRunId: rowIdOf('ExperimentRun', result.experimentRun.id),
      datasetEvaluatorId: rowIdOf('DatasetEvaluator', bound.evaluator.id),
    });
  });

  test('stop for want of keys when a request that sent some cannot be repeated', async () => {
    const credentials = [{ envVarName: 'OPENAI_API_KEY', value: 'sk-secret-of-request' }];
    const [{ experiment }] = await run(await inputOf(1, '[[say ok]]', { credentials }));
    const rowId = Number(Buffer.from(experiment.id, 'base64').toString().split(':')[1]);
    const { jobs } = { jobs: server.ports.experimentJobs };
    await jobs.resume(rowId, { owner: server.ports.jobRunner.owner, cooldownMs: 0, needsSentSecrets: true });
    server.ports.jobRunner.start((await jobs.find([rowId])).get(rowId)!, { credentials: {}, headers: null });
    const { job } = await ended(experiment.id);
    assert.equal(job.status, 'STOPPED');
    assert.match(job.stopReason, /^keys needed/);
  });
});
