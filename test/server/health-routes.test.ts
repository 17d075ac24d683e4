import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { isFromThisMachine } from '../../src/server/guards/trusted-proxies.ts';
import { metricsRoute } from '../../src/server/health-routes.ts';
import { openTestServer } from './http/server-under-test.ts';

test('metrics on the port of users are for this machine alone', async (t) => {
  const options = { trustedProxies: ['127.0.0.1'] };
  const { address } = await openTestServer(
    t,
    'node',
    [metricsRoute(new Registry(), isFromThisMachine, async () => {})],
    options,
  );
  const ask = async (headers: Record<string, string>) => {
    const response = await fetch(`${address}/metrics`, { headers });
    return [response.status, /SERVICE_METRICS_HOST/.test(await response.text())];
  };

  assert.deepEqual(await ask({}), [200, false]);
  for (const client of ['203.0.113.9', '127.0.0.1']) {
    assert.deepEqual(await ask({ 'x-forwarded-for': client }), [403, true], client);
  }
});
