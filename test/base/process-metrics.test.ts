import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { registerProcessMetrics } from '../../src/base/process-metrics.ts';

test('the metrics of Node start with the first scrape, which already has the delay of the event loop', async () => {
  const registry = new Registry();
  const beforeScrape = registerProcessMetrics(registry);

  assert.match(await registry.metrics(), /^cpu_usage_percent \d/m);
  assert.equal(registry.getSingleMetric('nodejs_eventloop_lag_max_seconds'), undefined);

  await Promise.all([beforeScrape(), beforeScrape()]);
  const text = await registry.metrics();

  const [, least] = /^nodejs_eventloop_lag_min_seconds (\S+)$/m.exec(text) ?? [];
  assert.ok(Number(least) > 0 && Number(least) < 60, `expected a delay in seconds, received ${least}`);
  assert.match(text, /^process_cpu_user_seconds_total \d/m);
});
