import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { shareTestServer } from '../../api/test-server.ts';

const openServer = shareTestServer({
  builtInModels: [
    {
      name: 'priced',
      provider: 'openai',
      namePattern: '^priced$',
      startTimeMs: null,
      prices: [
        { tokenType: 'input', isPrompt: true, perToken: 1e-6 },
        { tokenType: 'output', isPrompt: false, perToken: 2e-6 },
      ],
    },
  ],
});

const RANGE = '{low high}';
const CALLS = `{callCount promptTokens${RANGE} completionTokens${RANGE} cost${RANGE} durationMs${RANGE}}`;
const ESTIMATE = `query($input: EstimateRunInput!){estimateRun(input:$input){caseCount sampledCaseCount
  unrenderedCaseCount total${CALLS} variants${CALLS} evaluators${CALLS}}}`;

const version = (text: string, modelName = 'priced', parameters: object = {}) => ({
  ...{ modelProvider: 'OPENAI', modelName, templateFormat: 'MUSTACHE', invocationParameters: { openai: parameters } },
  template: { messages: [{ role: 'USER', content: [{ text: { text } }] }] },
});

async function estimate(input: object) {
  const server = await openServer();
  return (await server.ask(ESTIMATE, { input })).estimateRun;
}

async function createDataset(name: string, count: number): Promise<string> {
  const { call } = await openServer();
  const rows = Array.from({ length: count }, (_, i) => i);
  const reply = await call('POST', '/v1/datasets/upload?sync=true', {
    json: {
      ...{ action: 'create', name },
      inputs: rows.map((i) => ({ question: 'word '.repeat((i % 10) + 1) })),
      outputs: rows.map(() => ({ answer: 'word '.repeat(20) })),
      metadata: rows.map(() => ({})),
    },
  });
  assert.equal(reply.status, 200, reply.text);
  return (reply.json as { data: { dataset_id: string } }).data.dataset_id;
}

describe('an estimate', () => {
  test('counts calls, and gives ranges of tokens, cost and time that contain the likely ones', async () => {
    const datasetId = await createDataset('counted', 250);
    const { caseCount, sampledCaseCount, unrenderedCaseCount, total, variants } = await estimate({
      ...{ datasetId, repetitions: 2, maxConcurrency: 10 },
      promptVersions: [version('Answer: {{question}}'), version('{{question}}')],
    });

    assert.equal(caseCount, 250);
    assert.equal(sampledCaseCount, 100);
    assert.equal(unrenderedCaseCount, 0);
    assert.equal(total.callCount, 2 * 2 * 250);
    // 5.5 words on average, and about 5 tokens around them; 20 words of the expected output.
    const [first, second] = variants;
    assert.ok(first.promptTokens.low < 500 * 11 && first.promptTokens.high > 500 * 11);
    assert.ok(first.completionTokens.low < 500 * 20 && first.completionTokens.high > 500 * 20);
    assert.ok(first.cost.low < (500 * (11 + 40)) / 1e6 && first.cost.high > (500 * (11 + 40)) / 1e6);
    assert.ok(second.promptTokens.high < first.promptTokens.high);
    assert.ok(total.durationMs.low < 100 * 1_000 && total.durationMs.high > 100 * 1_000);
    assert.ok(Math.abs(total.cost.high - (first.cost.high + second.cost.high)) < 1e-9);
  });

  test('leaves out calls whose variables are missing', async () => {
    const datasetId = await createDataset('missing', 10);
    const { total, unrenderedCaseCount } = await estimate({
      ...{ datasetId, promptVersions: [version('{{unknown}}')] },
    });

    assert.equal(unrenderedCaseCount, 10);
    assert.equal(total.callCount, 0);
    assert.deepEqual(total.cost, { low: 0, high: 0 });
  });

  test('works without a dataset, knows the maximum of tokens, and has no cost without a price', async () => {
    const { total, caseCount } = await estimate({
      promptVersions: [version('{{a}}', 'unpriced', { maxCompletionTokens: 7 })],
      variables: [{ a: 'x' }],
      caseCount: 50,
    });

    assert.equal(caseCount, 50);
    assert.equal(total.callCount, 50);
    assert.deepEqual(total.completionTokens, { low: 350, high: 350 });
    assert.equal(total.cost, null);
  });

  test('includes the judges of the dataset', async () => {
    const server = await openServer();
    const datasetId = await createDataset('judged', 10);
    const { createDatasetLlmEvaluator } = await server.ask(
      `mutation($input: CreateDatasetLLMEvaluatorInput!){createDatasetLlmEvaluator(input:$input){evaluator{id}}}`,
      {
        input: {
          ...{ datasetId, name: 'judge', description: null },
          inputMapping: { pathMapping: { output: '$.output' }, literalMapping: {} },
          promptVersion: {
            ...version('Is {{output}} good?'),
            tools: {
              tools: [
                {
                  function: {
                    name: 'quality',
                    parameters: {
                      type: 'object',
                      properties: { label: { type: 'string', description: 'quality', enum: ['good', 'bad'] } },
                      required: ['label'],
                    },
                  },
                },
              ],
              toolChoice: { oneOrMore: true },
            },
          },
          outputConfigs: [
            {
              categorical: {
                name: 'quality',
                optimizationDirection: 'MAXIMIZE',
                values: [
                  { label: 'good', score: 1 },
                  { label: 'bad', score: 0 },
                ],
              },
            },
          ],
        },
      },
    );
    const { total, evaluators } = await estimate({
      ...{ datasetId, promptVersions: [version('{{question}}')] },
      evaluatorIds: [createDatasetLlmEvaluator.evaluator.id],
    });

    assert.equal(evaluators.callCount, 10);
    assert.equal(total.callCount, 20);
    assert.ok(evaluators.cost.high > 0);
  });

  test('rejects unknown IDs and plans that are too large', async () => {
    const one = [version('x')];
    for (const input of [
      { promptVersions: one, datasetId: toGlobalId('Dataset', 99_999) },
      { promptVersions: one, caseCount: -1 },
      { promptVersions: one, caseCount: 1, repetitions: 0 },
      { promptVersions: Array.from({ length: 21 }, () => one[0]), caseCount: 1 },
      { promptVersions: one, caseCount: 1, evaluatorIds: [toGlobalId('DatasetEvaluator', 99_999)] },
    ]) {
      await assert.rejects(estimate(input));
    }
  });
});
