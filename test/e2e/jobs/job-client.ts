import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { categorical, mapping, promptOf } from '../../api/graphql/evaluator-fixtures.ts';
import { ACCEPT, type Payload, readStream } from '../../api/graphql/subscriptions/stream-readers.ts';

// biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
type Json = any;

export interface StoredRun {
  readonly exampleId: string;
  readonly repetitionNumber: number;
  readonly error: string | null;
  readonly traceId: string | null;
  readonly isTraceStored: boolean;
  readonly spanCount: number;
  readonly evaluations: readonly {
    readonly name: string;
    readonly error: string | null;
    readonly isTraceStored: boolean;
  }[];
}

/** A run that was started, and the payloads of its subscription. */
export interface StartedRun {
  readonly experimentId: string;
  readonly payloads: readonly Payload[];
  /** Resolves with `end` after the last payload, and with the error when the stream breaks. */
  readonly ended: Promise<'end' | Error>;
}

export async function ask(url: string, query: string, variables: object = {}): Promise<Json> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Json; errors?: readonly { message: string }[] };
  assert.equal(errors, undefined, JSON.stringify(errors));
  return data;
}

/** Examples `{"n": 0}` and so on. Returns the ID. */
export async function createDataset(url: string, name: string, exampleCount: number): Promise<string> {
  const numbers = Array.from({ length: exampleCount }, (_, n) => n);
  const body = {
    ...{ action: 'create', name, inputs: numbers.map((n) => ({ n })) },
    ...{ outputs: numbers.map(() => ({})), metadata: numbers.map(() => ({})) },
  };
  const response = await fetch(`${url}/v1/datasets/upload?sync=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text).data.dataset_id;
}

/** A built-in evaluator and a judge, by the names `contains` and `quality` of their annotations. */
export async function bindEvaluators(url: string, datasetId: string): Promise<object[]> {
  const { builtInEvaluators } = await ask(url, '{ builtInEvaluators { id name } }');
  const contains = builtInEvaluators.find(({ name }: { name: string }) => name === 'contains');
  const builtIn = await ask(
    url,
    `mutation ($input: CreateDatasetBuiltinEvaluatorInput!) {
      createDatasetBuiltinEvaluator(input: $input) { evaluator { id } } }`,
    {
      input: {
        ...{ datasetId, evaluatorId: contains.id, name: 'says' },
        inputMapping: mapping({ text: '$.output.messages[0].content' }, { words: 'Echo' }),
      },
    },
  );
  const judge = await ask(
    url,
    `mutation ($input: CreateDatasetLLMEvaluatorInput!) {
      createDatasetLlmEvaluator(input: $input) { evaluator { id } } }`,
    {
      input: {
        ...{ datasetId, name: 'judge', description: 'how good it is', inputMapping: mapping() },
        promptVersion: promptOf({ template: { messages: [{ role: 'USER', content: [{ text: { text: JUDGE } }] }] } }),
        outputConfigs: [categorical('quality')],
      },
    },
  );
  return [
    { id: builtIn.createDatasetBuiltinEvaluator.evaluator.id, name: 'says', inputMapping: mapping() },
    { id: judge.createDatasetLlmEvaluator.evaluator.id, name: 'judge', inputMapping: mapping() },
  ];
}

const JUDGE = '[[label good]] Judge {{output}}';

/** Whether a call of the endpoint is one of the judge. */
export const isJudgeCall = ({ prompt }: { readonly prompt: { readonly text: string } }): boolean =>
  prompt.text.includes('Judge ');

export function inputOf(datasetId: string, text: string, more: object = {}): object {
  return {
    promptVersion: {
      templateFormat: 'MUSTACHE',
      template: { messages: [{ role: 'USER', content: [{ text: { text } }] }] },
      invocationParameters: { openai: {} },
      modelProvider: 'OPENAI',
      modelName: 'gpt-4o',
    },
    ...{ repetitions: 1, datasetId, ...more },
  };
}

const SUBSCRIPTION = `subscription ($input: ChatCompletionOverDatasetInput!) {
  chatCompletionOverDataset(input: $input) { __typename
    ... on ChatCompletionSubscriptionExperiment { experiment { id } }
    ... on ChatCompletionSubscriptionError { message } } }`;

/** Resolves when the experiment exists. */
export async function startRun(url: string, input: object): Promise<StartedRun> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: ACCEPT.multipart },
    body: JSON.stringify({ query: SUBSCRIPTION, variables: { input } }),
  });
  const payloads: Payload[] = [];
  let isStarted: (id: string) => void = () => {};
  const started = new Promise<string>((resolve) => {
    isStarted = resolve;
  });
  const ended = (async () => {
    try {
      for await (const found of readStream(response)) {
        if (typeof found !== 'object') continue;
        payloads.push(found.payload);
        const id = found.payload.data?.chatCompletionOverDataset?.experiment?.id;
        if (id !== undefined) isStarted(id);
      }
      return 'end' as const;
    } catch (error) {
      return error as Error;
    }
  })();
  const first = await Promise.race([started, ended]);
  assert.equal(typeof first, 'string', String(first));
  assert.notEqual(first, 'end', JSON.stringify(payloads));
  return { experimentId: first as string, payloads, ended };
}

const JOB = `query ($id: ID!) { node(id: $id) { ... on Experiment { projectName
  job { status stopReason budget { callCount } progress { taskCount doneTaskCount failedTaskCount doneEvaluationCount } } } } }`;

export const readExperiment = async (url: string, id: string): Promise<Json> => (await ask(url, JOB, { id })).node;

/** Resolves with the job when it does not run any more. */
export async function jobEnded(url: string, id: string, msMax = 60_000): Promise<Json> {
  const deadline = Date.now() + msMax;
  for (;;) {
    const { job } = await readExperiment(url, id);
    if (job.status !== 'RUNNING') return job;
    if (Date.now() > deadline) throw new Error(`The job still runs after ${msMax} ms: ${JSON.stringify(job)}`);
    await delay(50);
  }
}

const RUNS = `query ($id: ID!, $after: String) { node(id: $id) { ... on Experiment { runs(first: 100, after: $after) {
  pageInfo { hasNextPage endCursor }
  edges { run: node { example { id } repetitionNumber error traceId trace { numSpans }
    annotations(first: 10) { edges { node { name error trace { id } } } } } } } } } }`;

export async function readRuns(url: string, id: string): Promise<StoredRun[]> {
  const runs: StoredRun[] = [];
  let after: string | null = null;
  do {
    const { pageInfo, edges }: Json = (await ask(url, RUNS, { id, after })).node.runs;
    for (const { run } of edges) {
      runs.push({
        exampleId: run.example.id,
        ...{ repetitionNumber: run.repetitionNumber, error: run.error, traceId: run.traceId },
        ...{ isTraceStored: run.trace !== null, spanCount: run.trace?.numSpans ?? 0 },
        evaluations: run.annotations.edges.map(({ node }: Json) => ({
          ...{ name: node.name, error: node.error, isTraceStored: node.trace !== null },
        })),
      });
    }
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  return runs;
}

/** Every run, its trace with its one span, and its evaluations are stored once, and none has an error. */
export function checkRuns(
  runs: readonly StoredRun[],
  { count, evaluationNames }: { readonly count: number; readonly evaluationNames: readonly string[] },
): void {
  assert.equal(runs.length, count);
  assert.equal(new Set(runs.map(({ exampleId, repetitionNumber }) => `${exampleId} ${repetitionNumber}`)).size, count);
  assert.deepEqual([...new Set(runs.map(({ error }) => error))], [null]);
  assert.equal(new Set(runs.map(({ traceId }) => traceId)).size, count);
  assert.ok(
    runs.every(({ isTraceStored, spanCount }) => isTraceStored && spanCount === 1),
    'each run has its trace',
  );
  for (const { evaluations } of runs) {
    assert.deepEqual(evaluations.map(({ name }) => name).sort(), [...evaluationNames].sort());
    assert.ok(
      evaluations.every(({ error, isTraceStored }) => error === null && isTraceStored),
      'each has its trace',
    );
  }
}
