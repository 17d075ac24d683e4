import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../metadata-store/fixtures.ts';
import { ADMIN_SECRET, SECRET, toClient } from '../api/access/signed-in-server.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import { eventually } from './rest.ts';
import { type ServerProcess, startServer, waitUntilReady } from './server-process.ts';

/** Far above what any of the requests may take, and finite so that one that hangs fails the test. */
const HANG_MS = 60_000;
const DATASETS = Array.from({ length: 30 }, (_, index) => `dataset-${index}`);

describe('while Postgres is frozen', () => {
  let server: ServerProcess;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const env = { SERVICE_ENABLE_AUTH: 'true', SERVICE_SECRET: SECRET, SERVICE_ADMIN_SECRET: ADMIN_SECRET };
    server = await startServer({ env: { ...env, SERVICE_DISABLE_RATE_LIMIT: 'true' } });
    cleanUp(() => server.kill9());
    const admin = toClient(server.url, { bearer: ADMIN_SECRET });
    for (const name of DATASETS) {
      const upload = { name, action: 'create', inputs: [{ of: name }] };
      assert.equal((await admin.call('POST', '/v1/datasets/upload?sync=true', upload)).status, 200);
    }
  });

  const send = async (
    method: string,
    path: string,
    body?: object | Uint8Array<ArrayBuffer>,
    type = 'application/json',
  ) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_SECRET}`,
        accept: 'application/json, text/event-stream',
        ...(body && { 'content-type': type }),
      },
      ...(body && { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(HANG_MS),
    });
    return {
      status: response.status,
      code: response.headers.get('x-spandrel-error-code'),
      text: await response.text(),
    };
  };
  const graphql = (query: string) => send('POST', '/graphql', { query });

  test('each API rejects requests, spans are acknowledged, and afterwards every response belongs to its request', async () => {
    // Requests that begin before, with a connection of the pool each, and after it.
    const namesOf = () =>
      Promise.all(DATASETS.map((name) => send('GET', `/v1/datasets?name=${name}`).then(({ text }) => text)));
    await namesOf();
    server.signalPostgres('SIGSTOP');
    cleanUp(async () => server.signalPostgres('SIGCONT'));

    const call = { name: 'list-datasets', arguments: {} };
    const span = { traceId: Buffer.alloc(16, 1), spanId: Buffer.alloc(8, 1), name: 'frozen' };
    const times = { startTimeUnixNano: 1_770_000_000_000_000_000n, endTimeUnixNano: 1_770_000_001_000_000_000n };
    const traces = encodeTraceRequest({ project: 'frozen', spans: [{ ...span, ...times }] });
    const [ready, rest, write, query, mutation, tool, login, scim, ...others] = await Promise.all([
      send('GET', '/readyz'),
      send('GET', '/v1/datasets'),
      send('POST', '/v1/projects', { name: 'new' }),
      graphql('{ datasets { edges { node { name } } } }'),
      graphql('mutation { createDataset(input: { name: "new" }) { dataset { id } } }'),
      send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      send('POST', '/auth/login', { email: 'admin@localhost', password: 'admin' }),
      send('GET', '/scim/v2/Users'),
      ...DATASETS.map((name) => send('GET', `/v1/datasets?name=${name}`)),
    ]);
    const stored = await send('POST', '/v1/traces', Uint8Array.from(traces), 'application/x-protobuf');

    assert.deepEqual([ready.status, ready.text], [503, 'database unreachable']);
    for (const response of [rest, write, login, scim, ...others]) {
      assert.equal(response.status, 503, response.text);
      assert.match(response.text, /The metadata database is not available/);
    }
    for (const { text } of [query, mutation, tool]) assert.match(text, /The metadata database is not available/);
    for (const { text } of [query, mutation]) assert.match(text, /STORE_UNAVAILABLE/);
    assert.equal(stored.status, 200);

    server.signalPostgres('SIGCONT');
    await waitUntilReady(server);
    for (let round = 0; round < 3; round++) {
      for (const [index, text] of (await namesOf()).entries()) {
        const { data } = JSON.parse(text) as { data: { name: string }[] };
        assert.deepEqual(
          data.map(({ name }) => name),
          [DATASETS[index]],
        );
      }
    }
    await eventually(async () => assert.match((await send('GET', '/v1/projects/frozen/spans')).text, /"frozen"/));
  });
});
