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

const subscribe = (server: TestServer, input: object, signal?: AbortSignal, query = CELLS) =>
  fetch(`${server.address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query, variables: { input } }),
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

  test('are written at intervals: what a cell receives in between is one payload', async (t) => {
    const server = await openServer();
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) });
    const text = Array.from({ length: 300 }, (_, index) => `w${index}`).join(' ');

    const response = await subscribe(server, {
      variants: [variant(vendor.url, `[[say ${text}]] [[rate 1500]]`)],
      cells: [{ key: 'a', variant: 0 }],
    });
    const payloads = (await readPayloads(response)).map(({ data }) => data.chatCompletionCells.payload);
    const chunks = payloads.filter(({ __typename }) => __typename === 'TextChunk');

    assert.equal(chunks.map(({ content }) => content).join(''), text);
    // 300 chunks in 200 ms or longer.
    assert.ok(chunks.length > 1 && chunks.length <= 100, `${chunks.length} payloads`);
  });

  test('end with their budgets: no further call is made, and the reason is reported', async (t) => {
    const server = await openServer();
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) });
    const stops = '... on ChatCompletionSubscriptionStop { reason }';
    const run = async (variants: readonly object[], cellCount: number, document = CELLS) => {
      const cells = Array.from({ length: cellCount * variants.length }, (_, index) => ({
        ...{ key: String(index), variant: index % variants.length, variables: {} },
      }));
      const response = await subscribe(server, { variants, cells, maxConcurrency: 8 }, undefined, document);
      return (await readPayloads(response)).map(({ data }) => data.chatCompletionCells.payload);
    };
    const countOf = (payloads: readonly { __typename: string }[], type: string) =>
      payloads.filter(({ __typename }) => __typename === `ChatCompletionSubscription${type}`).length;
    const withStops = CELLS.replace('... on TextChunk', `${stops} ... on TextChunk`);

    const limited = variant(vendor.url, '[[say one]]', { repetitions: 2, budget: { maxCalls: 3 } });
    const free = variant(vendor.url, '[[say two]]');
    const payloads = await run([limited, free], 5, withStops);
    assert.equal(vendor.statistics().callCount, 3 + 5);
    assert.deepEqual([countOf(payloads, 'Result'), countOf(payloads, 'Stop'), countOf(payloads, 'Error')], [8, 7, 0]);
    const reasons = new Set(payloads.flatMap(({ reason }) => reason ?? []));
    assert.deepEqual([...reasons], ['The budget of 3 calls is used up']);

    const older = await run([variant(vendor.url, '[[say one]]', { budget: { maxCalls: 1 } })], 3);
    assert.equal(countOf(older, 'Error'), 2, 'operations that do not know stops receive errors');

    const before = vendor.statistics().callCount;
    const priced = await run([variant(vendor.url, '[[say one]]', { budget: { maxCost: 0.000_000_1 } })], 30, withStops);
    assert.equal(countOf(priced, 'Stop') + countOf(priced, 'Result'), 30);
    assert.ok(vendor.statistics().callCount - before <= 8, 'calls in flight may exceed a budget of costs');
    const unpriced = variant(vendor.url, '[[say one]]', { budget: { maxCost: 1 } });
    unpriced.promptVersion.modelName = 'a-model-without-a-price';
    const between = vendor.statistics().callCount;
    const stopped = await run([unpriced], 2, withStops);
    assert.match(String(stopped[0]?.reason), /a-model-without-a-price has no price/);
    assert.equal(vendor.statistics().callCount, between, 'a budget that cannot be kept allows no call');
    const wrong = await subscribe(server, {
      ...{ variants: [variant(vendor.url, 'x', { budget: { maxCalls: 0 } })], cells: [{ key: 'a', variant: 0 }] },
    });
    assert.match(await wrong.text(), /budget of calls must be a whole number from 1/);
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

  test('reject what no grid requests', async () => {
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
