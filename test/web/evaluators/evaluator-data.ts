import assert from 'node:assert/strict';
import { graphql, hexId, seed } from '../seed.ts';

const LABELS = [
  { label: 'good', score: 1 },
  { label: 'bad', score: 0 },
];

/** A dataset with an experiment, whose runs people have labelled under a name. */
export async function seedLabelledRuns(url: string, answers: readonly (readonly [answer: string, label: string])[]) {
  const post = async <Data>(path: string, body: object): Promise<Data> => {
    const response = await fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { readonly data: Data }).data;
  };
  const inputs = answers.map((_, index) => ({ question: `question ${index}` }));
  const { dataset_id: datasetId } = await post<{ dataset_id: string }>('datasets/upload?sync=true', {
    ...{ action: 'create', name: 'questions', inputs, outputs: inputs.map(() => ({ answer: 'yes' })) },
  });
  const response = await fetch(`${url}/v1/datasets/${datasetId}/examples`);
  const { data } = (await response.json()) as { readonly data: { readonly examples: { readonly id: string }[] } };
  const { id } = await post<{ id: string }>(`datasets/${datasetId}/experiments`, { name: 'answers' });
  for (const [index, [answer, label]] of answers.entries()) {
    const run = await post<{ id: string }>(`experiments/${id}/runs`, {
      ...{ dataset_example_id: data.examples[index]!.id, repetition_number: 1, output: { answer } },
      ...{ start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-01T00:00:01Z' },
    });
    await graphql(
      url,
      'mutation ($input: AnnotateExperimentRunInput!) { annotateExperimentRun(input: $input) { __typename } }',
      { input: { runId: run.id, name: 'quality', label } },
    );
  }
  return datasetId;
}

/** Conversations of one span in one trace each. People have labelled span, trace and session as `quality`. */
export async function seedLabelledConversations(
  url: string,
  project: string,
  answers: readonly (readonly [answer: string, label: string])[],
) {
  const ids = answers.map((_, index) => ({
    span_id: hexId(index + 1, 8),
    trace_id: hexId(index + 1, 16),
    session_id: `chat-${index}`,
  }));
  const spans = answers.map(([answer], index) => ({
    ...{ traceId: ids[index]!.trace_id, spanId: ids[index]!.span_id, name: `answer ${index}` },
    ...{ start: Date.now() - 60_000 + index, latencyMs: 100 },
    attributes: { 'session.id': ids[index]!.session_id, 'input.value': 'Hello?', 'output.value': answer },
  }));
  await seed(url, project, spans);
  for (const noun of ['span', 'trace', 'session'] as const) {
    const data = answers.map(([, label], index) => ({
      ...{ [`${noun}_id`]: ids[index]![`${noun}_id`], name: 'quality', annotator_kind: 'HUMAN', result: { label } },
    }));
    const response = await fetch(`${url}/v1/${noun}_annotations?sync=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data }),
    });
    assert.equal(response.status, 200, await response.text());
  }
}

const POLITE = [
  'def evaluate(output, word="please"):',
  '    text = output["answer"]',
  '    if text == "crash": raise ValueError(text)',
  '    return "good" if word in text else "bad"',
].join('\n');

/** A code evaluator of a dataset. By default it says `good` for answers with a word, and fails for `crash`. */
export async function bindCode(
  url: string,
  datasetId: string,
  name = 'polite',
  sourceCode: string = POLITE,
): Promise<string> {
  const { sandboxProviders } = await graphql<{
    sandboxProviders: { configs: { id: string; name: string }[] }[];
  }>(url, '{ sandboxProviders { configs { id name } } }');
  const sandbox = sandboxProviders.flatMap(({ configs }) => configs).find((config) => config.name === 'python')!;
  const { createCodeEvaluator } = await graphql<{ createCodeEvaluator: { evaluator: { id: string } } }>(
    url,
    'mutation ($input: CreateCodeEvaluatorInput!) { createCodeEvaluator(input: $input) { evaluator { id } } }',
    {
      input: {
        ...{ name, language: 'PYTHON', sandboxConfigId: sandbox.id },
        sourceCode,
        outputConfigs: [{ categorical: { name: 'quality', optimizationDirection: 'MAXIMIZE', values: LABELS } }],
      },
    },
  );
  const { createDatasetCodeEvaluator } = await graphql<{ createDatasetCodeEvaluator: { evaluator: { id: string } } }>(
    url,
    'mutation ($input: CreateDatasetCodeEvaluatorInput!) { createDatasetCodeEvaluator(input: $input) { evaluator { id } } }',
    { input: { datasetId, evaluatorId: createCodeEvaluator.evaluator.id, name } },
  );
  return createDatasetCodeEvaluator.evaluator.id;
}

/** Paths below the address of the server. */
export const evaluatorsPath = (datasetId: string, ...rest: readonly string[]): string =>
  `/${['datasets', datasetId, 'evaluators', ...rest].map(encodeURIComponent).join('/')}`;
