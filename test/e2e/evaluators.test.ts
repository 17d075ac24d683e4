import assert from 'node:assert/strict';
import { test } from 'node:test';
import { categorical, mapping, promptOf } from '../api/graphql/evaluator-fixtures.ts';
import { getJson, type RestPage } from './rest.ts';
import { makeDataDir, removeDataDir, startServer } from './server-process.ts';

test('evaluators of a dataset survive a restart with their IDs, and protect their prompt and project from deletion over REST', async (t) => {
  const dataDir = await makeDataDir();
  t.after(() => removeDataDir(dataDir));
  let server = await startServer({ dataDir });
  t.after(() => server.stop());
  const send = (method: string, path: string, body?: object) =>
    fetch(server.url + path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  const ask = async (query: string, variables: object = {}) => {
    const { data, errors } = (await (await send('POST', '/graphql', { query, variables })).json()) as Answer;
    assert.equal(errors, undefined);
    return data;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the query says what comes back
  type Answer = { data: any; errors?: unknown };
  const BUILT_IN = '{ builtInEvaluators { id name updatedAt } }';
  const { builtInEvaluators } = await ask(BUILT_IN);
  const { createDataset } = await ask('mutation { createDataset(input: { name: "judged" }) { dataset { id } } }');
  const input = {
    datasetId: createDataset.dataset.id,
    name: 'judge',
    description: 'how good it is',
    promptVersion: promptOf(),
    outputConfigs: [categorical('quality')],
    inputMapping: mapping(),
  };
  const made = await ask(
    `mutation ($input: CreateDatasetLLMEvaluatorInput!) { createDatasetLlmEvaluator(input: $input) {
      evaluator { id project { name } evaluator { ... on LLMEvaluator { prompt { name } } } } } }`,
    { input },
  );
  const { id, project, evaluator } = made.createDatasetLlmEvaluator.evaluator;
  const listed = async (search: string) =>
    (await getJson<RestPage<{ name: string }>>(`${server.url}/v1/projects${search}`)).data.map(({ name }) => name);

  await server.stop();
  server = await startServer({ dataDir });

  assert.deepEqual((await ask(BUILT_IN)).builtInEvaluators, builtInEvaluators);
  assert.deepEqual(await ask('query ($id: ID!) { node(id: $id) { ... on DatasetEvaluator { name } } }', { id }), {
    node: { name: 'judge' },
  });
  assert.equal((await listed('')).includes(project.name), false);
  assert.equal((await listed('?include_dataset_evaluator_projects=true')).includes(project.name), true);
  const refusals = [
    await send('DELETE', `/v1/prompts/${evaluator.prompt.name}`),
    await send('DELETE', `/v1/projects/${project.name}`),
  ];
  assert.deepEqual(await Promise.all(refusals.map(async (response) => [response.status, await response.text()])), [
    [409, "The prompt cannot be deleted while an LLM evaluator uses it: 'judge'"],
    [
      409,
      `The project '${project.name}' cannot be deleted while it stores the traces of the evaluator 'judge' of the dataset 'judged'`,
    ],
  ]);
  assert.equal((await send('DELETE', `/v1/datasets/${createDataset.dataset.id}`)).status, 204);
  for (const path of [`/v1/prompts/${evaluator.prompt.name}`, `/v1/projects/${project.name}`]) {
    assert.equal((await send('DELETE', path)).status, 204);
  }
});
