import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VendorEndpointOptions } from '../../vendor-endpoint/vendor-endpoint.ts';
import { openOnlineJudge, spansToJudge } from './online-judge.ts';

const COUNT = 80;
const outputs = Array.from({ length: COUNT }, (_, index) => `answer ${index} [[label good]]`);

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
  const { vendor, server, addEvaluator } = await openOnlineJudge(t, { limit, latencyMs: 50 });
  const id = await addEvaluator();
  await server.append(...spansToJudge(outputs));
  const count = async () => {
    const { onlineEvaluator } = await server.ask(
      'query ($id: ID!) { onlineEvaluator(id: $id) { days { doneCount failedCount } } }',
      { id },
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
