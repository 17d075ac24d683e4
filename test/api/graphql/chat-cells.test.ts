import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openVendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { shareTestServer, type TestServer } from '../test-server.ts';
import { readPayloads } from './subscriptions/stream-readers.ts';

const openServer = shareTestServer();

const CELLS = `subscription ($input: ChatCompletionCellsInput!) {
  chatCompletionCells(input: $input) {
    key
    payload {
      __typename
      repetitionNumber
      ... on TextChunk { content }
      ... on ChatCompletionSubscriptionError { message }
      ... on ChatCompletionSubscriptionResult { span { latencyMs } }
    }
  }
}`;

const variant = (baseUrl: string, text: string, over: object = {}) => ({
  promptVersion: {
    templateFormat: 'MUSTACHE',
    template: { messages: [{ role: 'USER', content: [{ text: { text } }] }] },
    invocationParameters: { openai: {} },
    modelProvider: 'OPENAI',
    modelName: 'gpt-4o-mini',
  },
  connectionConfig: { baseUrl: `${baseUrl}/v1` },
  credentials: [{ envVarName: 'OPENAI_API_KEY', value: 'sk-test' }],
  repetitions: 1,
  ...over,
});

const subscribe = (server: TestServer, input: object, signal?: AbortSignal) =>
  fetch(`${server.address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: CELLS, variables: { input } }),
    ...(signal && { signal }),
  });

describe('the cells of a grid', () => {
  test('share one stream; a cell that cannot start is an error of its own', async (t) => {
    const server = await openServer();
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) });
    const cells = [
      { key: 'a', variant: 0, variables: { name: 'Ada' } },
      { key: 'b', variant: 0, variables: {} },
      { key: 'c', variant: 1, variables: { name: 'Bob' } },
      { key: 'd', variant: 1 },
    ];

    const response = await subscribe(server, {
      variants: [
        variant(vendor.url, '[[say Hello {{name}}]]'),
        variant(vendor.url, '[[say Bye {{name}}]]', { repetitions: 2 }),
      ],
      cells,
      maxConcurrency: 2,
    });
    const payloads = (await readPayloads(response)).map(({ data }) => data.chatCompletionCells);

    const textOf = (key: string, repetition: number) =>
      payloads
        .filter((each) => each.key === key && each.payload.repetitionNumber === repetition)
        .map(({ payload }) => payload.content ?? '')
        .join('');
    assert.deepEqual(
      [textOf('a', 1), textOf('c', 1), textOf('c', 2), textOf('d', 1)],
      ['Hello Ada', 'Bye Bob', 'Bye Bob', 'Bye {{name}}'],
    );
    const failed = payloads.filter(({ key }) => key === 'b');
    assert.deepEqual(failed, [
      {
        key: 'b',
        payload: {
          __typename: 'ChatCompletionSubscriptionError',
          repetitionNumber: null,
          message: 'Missing template variable(s): name',
        },
      },
    ]);
    const results = payloads.filter(({ payload }) => payload.__typename === 'ChatCompletionSubscriptionResult');
    assert.deepEqual(results.map(({ key }) => key).sort(), ['a', 'c', 'c', 'd', 'd']);
    for (const { payload } of results) assert.equal(typeof payload.span.latencyMs, 'number');
  });

  test('stop at the vendor when their reader leaves', async (t) => {
    const server = await openServer();
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) }, { latencyMs: 60_000 });
    const aborting = new AbortController();
    const cells = Array.from({ length: 40 }, (_, index) => ({ key: String(index), variant: 0, variables: {} }));
    const called = vendor.nextCall();

    const response = await subscribe(
      server,
      { variants: [variant(vendor.url, 'x')], cells, maxConcurrency: 4 },
      aborting.signal,
    );
    await called;
    aborting.abort();
    await response.body?.cancel().catch(() => undefined);
    await vendor.idle();

    assert.ok(vendor.statistics().callCount <= 4, `${vendor.statistics().callCount} calls`);
  });

  test('reject what no grid asks for', async () => {
    const server = await openServer();
    const one = variant('http://127.0.0.1:9', 'x');
    const messageOf = async (input: object) => {
      const response = await subscribe(server, input);
      return JSON.stringify(await response.text());
    };
    assert.match(await messageOf({ variants: [one], cells: [{ key: 'a', variant: 1 }] }), /names the variant 1/);
    assert.match(
      await messageOf({ variants: [one], cells: [{ key: 'a', variant: 0 }], maxConcurrency: 99 }),
      /from 1 to 32/,
    );
    const many = Array.from({ length: 1_001 }, (_, index) => ({ key: String(index), variant: 0 }));
    assert.match(await messageOf({ variants: [one], cells: many }), /at most 1000 values, received 1001/);
  });
});
