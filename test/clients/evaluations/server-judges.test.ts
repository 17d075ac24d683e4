import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { attachJudge, storeJudge } from '../../../clients/typescript/evals/src/server/store-judge.ts';
import { createDataset } from '../../../clients/typescript/client/src/datasets/index.ts';
import { createClient, type SpandrelClient } from '../../../clients/typescript/client/src/index.ts';
import { getPrompt, listPromptVersions } from '../../../clients/typescript/client/src/prompts/index.ts';
import { createFakeModel } from '../../../clients/typescript/evals/src/fake-model/index.ts';
import {
  createCorrectnessEvaluator,
  createPreferenceEvaluator,
  withExamples,
} from '../../../clients/typescript/evals/src/metrics/judges/index.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../../e2e/server-process.ts';

const BINDING = `query ($id: ID!) { node(id: $id) { ... on Dataset { datasetEvaluators { edges { node {
  id name inputMapping { pathMapping } evaluator { ... on LLMEvaluator { promptVersion { id } } }
  outputConfigs { ... on CategoricalAnnotationConfig { name optimizationDirection values { label score } } }
} } } } } }`;

describe('judges of the TypeScript library and a server', () => {
  let dataDir: string;
  let server: ServerProcess;
  let client: SpandrelClient;

  before(async () => {
    dataDir = await makeDataDir();
    server = await startServer({ dataDir });
    client = createClient({ options: { baseUrl: server.url } });
  });

  after(async () => {
    await server?.stop();
    await removeDataDir(dataDir);
  });

  test('the best version of a judge becomes an evaluator of a dataset', async () => {
    const name = 'judge-of-answers';
    const model = createFakeModel({ judge: { sensitivity: 1 } });
    const first = createCorrectnessEvaluator({ model, name });
    const values = { input: 'Capital of Peru?', output: 'Lima' };
    const examples = [{ values, label: 'correct', explanation: 'People chose it.' }];
    const best = first.withJudge(withExamples(first.judge, examples));
    const vendor = { modelProvider: 'OPENAI', modelName: 'gpt-4o' };

    await storeJudge(first, { client, promptName: name, ...vendor });
    const version = await storeJudge(best, { client, promptName: name, ...vendor });
    const dataset = await createDataset({
      client,
      name,
      examples: [{ input: { question: 'q' }, output: { answer: 'a' } }],
    });
    const binding = { client, datasetId: dataset.datasetId, promptVersionId: version.id, ...vendor };
    const inputMapping = { input: '$.input.question', output: '$.output' };
    const attached = await attachJudge(best, { ...binding, inputMapping });

    const [found, ...others] = await listEvaluators(client, dataset.datasetId);
    assert.deepEqual(others, []);
    assert.deepEqual(found, {
      id: attached.id,
      name,
      inputMapping: { pathMapping: inputMapping },
      evaluator: { promptVersion: { id: version.id } },
      outputConfigs: [
        {
          ...{ name, optimizationDirection: 'MAXIMIZE' },
          values: [
            { label: 'correct', score: 1 },
            { label: 'incorrect', score: 0 },
          ],
        },
      ],
    });
    const stored = await getPrompt({ client, prompt: { name } });
    assert.match(JSON.stringify(stored?.template), /Example:.*Reason: People chose/);
    assert.equal((await listPromptVersions({ client, promptIdentifier: name })).length, 2);
    await assert.rejects(attachJudge(best, binding), /did not attach the judge: .*already/);
    await assert.rejects(
      storeJudge(createPreferenceEvaluator({ model }), { client, promptName: name, ...vendor }),
      /compares two texts/,
    );
    await assert.rejects(storeJudge(best, { client, promptName: name }), /vendor fake is unknown; give modelProvider/);
  });
});

async function listEvaluators(client: SpandrelClient, id: string): Promise<unknown[]> {
  const body = JSON.stringify({ query: BINDING, variables: { id } });
  const headers = { 'content-type': 'application/json' };
  const { data } = (await (await client.fetch('/graphql', { method: 'POST', headers, body })).json()) as {
    data: { node: { datasetEvaluators: { edges: { node: unknown }[] } } };
  };
  return data.node.datasetEvaluators.edges.map(({ node }) => node);
}
