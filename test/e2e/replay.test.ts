import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanUpAfter, temporaryDirectory } from '../metadata-store/fixtures.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import { openHttpSender } from './otlp-sender.ts';
import { startServer } from './server-process.ts';

const REQUEST_COUNT = 150;
const SPANS_PER_REQUEST = 400;
const times = { startTimeUnixNano: 1_770_000_000_000_000_000n, endTimeUnixNano: 1_770_000_001_000_000_000n };

const spansOf = (request: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const traceId = Buffer.alloc(16);
    traceId.writeUInt32BE(1 + request);
    const spanId = Buffer.alloc(8);
    spanId.writeUInt32BE(1 + request * SPANS_PER_REQUEST + index);
    return { traceId, spanId, name: `span ${index}`, ...times };
  });

test('after a crash, reads of acknowledged spans report that the journal is applied, and never that they do not exist', async (t) => {
  const cleanUp = cleanUpAfter((work) => t.after(work));
  const dataDir = await temporaryDirectory(cleanUp);
  const start = async (waitUntilReady: boolean) => {
    const server = await startServer({ dataDir, waitUntilReady });
    cleanUp(() => server.kill9());
    return server;
  };
  const first = await start(true);
  const sender = openHttpSender(first.url);
  const send = async (project: string, request: number, count: number) =>
    assert.ok((await sender.send(encodeTraceRequest({ project, spans: spansOf(request, count) }))).isAcknowledged);
  await Promise.all(Array.from({ length: REQUEST_COUNT }, (_, request) => send('many', request, SPANS_PER_REQUEST)));
  // In the last record of the journal, so that its project appears last.
  await send('last', REQUEST_COUNT, 1);
  sender.close();
  await first.kill9();

  const { url } = await start(false);
  const get = async (path: string) => {
    const response = await fetch(url + path);
    return { status: response.status, text: await response.text() };
  };
  const graphql = async () => {
    const query = '{ getProjectByName(name: "last") { name traceCount } }';
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })).text();
  };
  const seen = new Set<string>();
  for (;;) {
    // In this order: a server that is ready must have everything afterwards.
    const ready = await get('/readyz').catch(() => undefined);
    if (!ready) continue;
    const [spans, project, answer] = await Promise.all([
      get('/v1/projects/last/spans'),
      get('/v1/projects/last'),
      graphql(),
    ]);
    for (const { status, text } of [spans, project]) {
      assert.ok(status === 200 || status === 503, `${status} ${text}`);
      if (status === 503) seen.add(text.replace(/[\d.]+ of [\d.]+/, 'x of y'));
    }
    assert.match(answer, /"traceCount":1|STORE_UNAVAILABLE/);
    if (ready.status === 200) {
      assert.match(spans.text, /"span 0"/);
      break;
    }
    assert.match(ready.text, /^The journal is being applied after a restart|^database unreachable$/);
    seen.add(ready.text.replace(/[\d.]+ of [\d.]+/, 'x of y'));
  }

  assert.ok(seen.has('The journal is being applied after a restart: x of y MB'), [...seen].join('\n'));
  assert.ok(
    seen.has('The journal is being applied after a restart: x of y MB. Retry in a moment'),
    [...seen].join('\n'),
  );
});
