import { newJsonObject } from '../../src/base/exact-json.ts';
import type { OverDatasetInput } from '../../src/domain/experiments/jobs/stream-over-dataset.ts';
import { toGlobalId } from '../../src/api/contract/global-id.ts';
import { categorical, mapping, promptOf } from '../../test/api/graphql/evaluator-fixtures.ts';
import type { TestServer } from '../../test/api/test-server.ts';

let made = 0;

/** A dataset of so many small examples. */
export async function createExamples({ ports: { datasets } }: TestServer, count: number): Promise<number> {
  const datasetRowId = await datasets.create({
    ...{ name: `dataset ${++made}`, description: null, metadata: '{}', userId: null },
  });
  for (let from = 0; from < count; from += 10_000) {
    const examples = Array.from({ length: Math.min(10_000, count - from) }, (_, index) => ({
      ...{ id: String(from + index), output: '{}', metadata: '{}', spanRowId: null, splits: [] },
      input: `{"n":${from + index}}`,
      hash: Buffer.from(`${from + index}`.padStart(16)),
    }));
    await datasets.addExamples(datasetRowId, examples, { userId: null });
  }
  return datasetRowId;
}

export function toInput(options: {
  readonly dataset: number;
  readonly url: string;
  readonly text: string;
  readonly maxConcurrency: number;
  readonly evaluators?: readonly number[];
}): OverDatasetInput {
  const { dataset, url, text, maxConcurrency, evaluators = [] } = options;
  return {
    task: {
      prompt: {
        modelProvider: 'OPENAI',
        modelName: 'gpt-4o',
        template: { type: 'chat', messages: [{ role: 'user', content: text }] },
        templateFormat: 'MUSTACHE',
        invocationParameters: { type: 'openai', openai: {} },
        tools: null,
        responseFormat: null,
      },
      promptVersionRowId: null,
      promptName: null,
      connection: { type: 'openai', base_url: `${url}/v1`, openai_api_type: 'chat_completions' },
      headers: null,
      isStreamed: true,
    },
    credentials: {},
    repetitions: 1,
    datasetRowId: dataset,
    datasetVersionRowId: null,
    splitRowIds: [],
    name: null,
    description: null,
    metadata: newJsonObject(),
    datasetEvaluatorRowIds: evaluators,
    paths: { templateVariables: 'input', appendedMessages: null },
    isEphemeral: false,
    maxConcurrency,
  };
}

/** Uploads a dataset of so many small examples to a server, and returns its ID. */
export async function uploadExamples(url: string, count: number): Promise<string> {
  const inputs = Array.from({ length: count }, (_, index) => ({ n: index }));
  const none = inputs.map(() => ({}));
  const response = await fetch(`${url}/v1/datasets/upload?sync=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'create', name: `dataset ${++made}`, inputs, outputs: none, metadata: none }),
  });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { data: { dataset_id: string } }).data.dataset_id;
}

const FOLLOW = `subscription ($input: ChatCompletionOverDatasetInput!) { chatCompletionOverDataset(input: $input) {
  __typename ... on ChatCompletionSubscriptionError { message } } }`;

/** Runs a prompt over a dataset, 50 calls at a time, and reads its stream to the end. */
export async function followJob(url: string, job: { readonly datasetId: string; readonly endpointUrl: string }) {
  const input = {
    promptVersion: promptOf({
      template: { messages: [{ role: 'USER', content: [{ text: { text: '{{n}}' } }] }] },
      tools: null,
    }),
    credentials: [{ envVarName: 'OPENAI_API_KEY', value: 'key' }],
    connectionConfig: { baseUrl: `${job.endpointUrl}/v1` },
    ...{ repetitions: 1, datasetId: job.datasetId, maxConcurrency: 50 },
  };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: FOLLOW, variables: { input } }),
  });
  if (!response.ok || !response.body) throw new Error(await response.text());
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    if (text.includes('SubscriptionError') || text.includes('"errors"')) throw new Error(text.slice(0, 1_000));
  }
}

const BIND_BUILT_IN = `mutation ($input: CreateDatasetBuiltinEvaluatorInput!) {
  createDatasetBuiltinEvaluator(input: $input) { evaluator { id } } }`;
const BIND_LLM = `mutation ($input: CreateDatasetLLMEvaluatorInput!) {
  createDatasetLlmEvaluator(input: $input) { evaluator { id } } }`;
const CREATE_PROVIDER = `mutation ($input: CreateGenerativeModelCustomProviderMutationInput!) {
  createGenerativeModelCustomProvider(input: $input) { provider { id } } }`;

/** Two built-in evaluators, and a judge whose calls take some time. */
export async function bindEvaluators(
  server: TestServer,
  datasetRowId: number,
  judge: { readonly url: string; readonly latencyMs: number },
): Promise<number[]> {
  const datasetId = toGlobalId('Dataset', datasetRowId);
  const { builtInEvaluators } = await server.ask('{ builtInEvaluators { id name } }');
  const bound: string[] = [];
  for (const [name, inputMapping] of [
    ['contains', mapping({ text: '$.output.messages[0].content' }, { words: 'Echo' })],
    ['exact_match', mapping({ actual: '$.input.n', expected: '$.input.n' })],
  ] as const) {
    const evaluatorId = builtInEvaluators.find((one: { readonly name: string }) => one.name === name).id;
    const answer = await server.ask(BIND_BUILT_IN, { input: { datasetId, evaluatorId, name, inputMapping } });
    bound.push(answer.createDatasetBuiltinEvaluator.evaluator.id);
  }
  const { createGenerativeModelCustomProvider: created } = await server.ask(CREATE_PROVIDER, {
    input: {
      name: `endpoint ${++made}`,
      provider: 'openai',
      clientConfig: {
        openai: {
          openaiAuthenticationMethod: { apiKey: 'key' },
          openaiClientKwargs: { baseUrl: `${judge.url}/v1` },
          openaiApiType: 'CHAT_COMPLETIONS',
        },
      },
    },
  });
  const text = `[[latency ${judge.latencyMs}]] [[label good]] {{output}}`;
  const promptVersion = promptOf({
    template: { messages: [{ role: 'USER', content: [{ text: { text } }] }] },
    customProviderId: created.provider.id,
  });
  const answer = await server.ask(BIND_LLM, {
    input: {
      ...{ datasetId, name: 'judge', description: 'how good it is', promptVersion },
      ...{ inputMapping: mapping(), outputConfigs: [categorical('quality')] },
    },
  });
  bound.push(answer.createDatasetLlmEvaluator.evaluator.id);
  return bound.map((id) => Number(Buffer.from(id, 'base64').toString().split(':')[1]));
}
