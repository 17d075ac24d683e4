import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { encodeTraceRequest } from './otlp-request.ts';
import { getJson, spansOnceThere } from './rest.ts';
import { tryServer } from './tried-server.ts';

const PROJECT = 'hostile';
const SPAN_COUNT = 1_000;
/** Of any one response: far more than a bounded one takes, and far less than the server needs for all that is asked. */
const RESPONSE_MS_MAX = 20_000;
const SPANS_OF_NODES =
  'query($ids: [ID!]!) {nodes(ids: $ids) {... on Project {name spans(first: 1000) {edges {node {name attributes}}}}}}';

const largeSpan = () => ({
  traceId: randomBytes(16),
  spanId: randomBytes(8),
  name: 'asked for often',
  startTimeUnixNano: 1_770_000_000_000_000_000n,
  endTimeUnixNano: 1_770_000_001_000_000_000n,
  attributes: { 'input.value': 'x'.repeat(500) },
});

describe('a server that receives small GraphQL documents with large results', () => {
  const tried = tryServer();
  let projectId: string;

  before(async () => {
    const spans = Array.from({ length: SPAN_COUNT }, largeSpan);
    assert.ok((await tried.http.send(encodeTraceRequest({ project: PROJECT, spans }))).isAcknowledged);
    await spansOnceThere(tried.server.url, PROJECT, SPAN_COUNT);
    const project = await getJson<{ data: { id: string } }>(`${tried.server.url}/v1/projects/${PROJECT}`);
    projectId = project.data.id;
  });

  for (const [count, reason] of [
    [20_000, /expected a list of at most \d+ values, received 20000/],
    [1_000, /too costly/],
  ] as const) {
    test(`rejects a request for the spans of one project ${count} times, and continues to acknowledge spans`, async () => {
      const { server, http } = tried;
      const variables = { ids: Array.from({ length: count }, () => projectId) };

      const asked = fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: SPANS_OF_NODES, variables }),
        signal: AbortSignal.timeout(RESPONSE_MS_MAX),
      });
      const beside = http.send(encodeTraceRequest({ project: 'beside', spans: [largeSpan()] }));
      const { data, errors } = (await (await asked).json()) as { data?: unknown; errors: { message: string }[] };

      assert.equal(data ?? null, null);
      assert.match(errors.map(({ message }) => message).join('\n'), reason);
      assert.ok((await beside).isAcknowledged);
    });
  }
});
