import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openVendorEndpoint, type VendorEndpointOptions } from '../../vendor-endpoint/vendor-endpoint.ts';
import { openTestServer } from '../test-server.ts';
import { categorical, promptOf } from './evaluator-fixtures.ts';
import { CREATE_LLM } from './evaluator-server.ts';
import { experimentFixtures } from './experiment-fixtures.ts';

const COUNT = 80;
const MAPPING = { pathMapping: { output: '$.output' }, literalMapping: {} };
const spans = Array.from({ length: COUNT }, (_, index) => ({
  traceId: String(index + 1).padStart(32, '0'),
  spanId: String(index + 1).padStart(16, '0'),
  project: 'limited',
  start: BigInt(Date.now()) * 1_000_000n,
  end: BigInt(Date.now()) * 1_000_000n + 1_000n,
  input: 'question',
  output: `answer ${index} [[label good]]`,
}));

describe('an online LLM evaluator whose vendor limits the calls', () => {
  for (const hasHeaders of [true, false]) {
    test(`evaluates every span, and few calls are rejected ${hasHeaders ? 'with' : 'without'} headers`, async (t) => {
      const { calls, limited, days } = await evaluateAll(t, { callsPerSecond: 20, burst: 10, hasHeaders });
      assert.deepEqual([days.done, days.failed], [COUNT, 0]);
      // Calls that start at once, before a limit is known, are rejected.
      assert(limited <= 30, `${limited} of ${calls} calls were rejected`);
    });
  }
});

async function evaluateAll(
  t: { after(work: () => Promise<void>): void },
  limit: NonNullable<VendorEndpointOptions['limit']>,
) {
  const vendor = await openVendorEndpoint(t, { limit, latencyMs: 50 });
  const server = await openTestServer(t, {
    variables: { OPENAI_API_KEY: 'sk-limited', OPENAI_BASE_URL: vendor.url },
  });
  const dataset = await experimentFixtures(server.ports).createDataset(1);
  const { evaluator: bound } = (
    await server.ask(CREATE_LLM, {
      input: {
        ...{ datasetId: toGlobalId('Dataset', dataset.rowId), name: 'judge', description: 'how good it is' },
        ...{ promptVersion: promptOf(), outputConfigs: [categorical('quality')], inputMapping: MAPPING },
      },
    })
  ).createDatasetLlmEvaluator;
  await server.ask('mutation { createProject(input: { name: "limited" }) { project { id } } }');
  const projectId = (await server.ask('{ getProjectByName(name: "limited") { id } }')).getProjectByName.id;
  const { createOnlineEvaluator: online } = await server.ask(
    'mutation ($input: CreateOnlineEvaluatorInput!) { createOnlineEvaluator(input: $input) { id } }',
    { input: { projectId, evaluatorId: bound.evaluator.id, name: 'quality', inputMapping: MAPPING } },
  );
  await server.append(...spans);
  const count = async () => {
    const { onlineEvaluator } = await server.ask(
      'query ($id: ID!) { onlineEvaluator(id: $id) { days { doneCount failedCount } } }',
      { id: online.id },
    );
    const sum = (name: string) =>
      onlineEvaluator.days.reduce((total: number, day: Record<string, number>) => total + day[name]!, 0);
    return { done: sum('doneCount'), failed: sum('failedCount') };
  };
  let days = await count();
  for (let round = 0; round < 600 && days.done + days.failed < COUNT; round++) {
    await sleep(50);
    days = await count();
  }
  const { callCount, limitedCallCount } = vendor.statistics();
  return { calls: callCount, limited: limitedCallCount, days };
}
