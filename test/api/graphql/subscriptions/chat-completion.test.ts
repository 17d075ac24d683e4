import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../../metadata-store/fixtures.ts';
import { openVendorEndpoint, type VendorEndpoint } from '../../../vendor-endpoint/vendor-endpoint.ts';
import { openTestServer, type TestServer } from '../../test-server.ts';
import { openScriptedServer } from './scripted-chat.ts';
import { ACCEPT, type Payload, readPayloads, TRANSPORTS, type Transport } from './stream-readers.ts';

const CHAT = `subscription ($input: ChatCompletionInput!) {
  chatCompletion(input: $input) {
    __typename
    repetitionNumber
    datasetExampleId
    ... on TextChunk { content }
    ... on ToolCallChunk { id function { name arguments repetitionNumber } }
    ... on ChatCompletionSubscriptionError { message span { id } }
    ... on ChatCompletionSubscriptionResult {
      span { id name tokenCountTotal statusCode output { value } project: trace { projectId } }
      experimentRun { id }
    }
  }
}`;

describe('a chat completion over a subscription', () => {
  const cleanUp = cleanUpAfter(after);
  let endpoint: VendorEndpoint;
  let server: TestServer;

  before(async () => {
    endpoint = await openVendorEndpoint({ after: cleanUp });
    server = await openTestServer({ after: cleanUp });
  });

  const run = async (changes: object, transport: Transport = 'sse', at = server): Promise<Payload[]> => {
    const input = {
      promptVersion: promptVersion('[[say Good day, {{name}}]]'),
      connectionConfig: { baseUrl: `${endpoint.url}/v1` },
      credentials: [{ envVarName: 'OPENAI_API_KEY', value: 'sk-sent-with-the-request' }],
      template: { variables: { name: 'Ada' }, format: 'MUSTACHE' },
      repetitions: 1,
      ...changes,
    };
    const response = await fetch(`${at.address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: ACCEPT[transport] },
      body: JSON.stringify({ query: CHAT, variables: { input } }),
    });
    return readPayloads(response);
  };
  const cellsOf = (payloads: readonly Payload[]) =>
    payloads.map(({ data, errors }) => data?.chatCompletion ?? assert.fail(JSON.stringify(errors)));

  for (const transport of TRANSPORTS) {
    test(`sends text and a span that can be read (${transport})`, async () => {
      const cells = cellsOf(await run({}, transport));

      const texts = cells.filter(({ __typename }) => __typename === 'TextChunk');
      assert.equal(texts.map(({ content }) => content).join(''), 'Good day, Ada');
      assert.deepEqual(new Set(texts.map(({ repetitionNumber }) => repetitionNumber)), new Set([1]));
      const { __typename, span, experimentRun } = cells.at(-1);
      assert.equal(__typename, 'ChatCompletionSubscriptionResult');
      assert.equal(experimentRun, null);
      assert.equal(span.name, 'ChatCompletion');
      assert.equal(span.statusCode, 'OK');
      assert.ok(span.tokenCountTotal > 0);
      assert.equal(span.output.value, 'Good day, Ada');
      const { node } = await server.ask('query ($id: ID!) { node(id: $id) { ... on Span { name attributes } } }', {
        id: span.id,
      });
      assert.equal(node.name, 'ChatCompletion');
      assert.doesNotMatch(node.attributes, /sk-sent-with-the-request/);
    });
  }

  test('runs repetitions, each with its result', async () => {
    const cells = cellsOf(await run({ repetitions: 5, streamModelOutput: false }));

    for (let number = 1; number <= 5; number++) {
      const own = cells.filter(({ repetitionNumber }) => repetitionNumber === number);
      assert.equal(own.at(-1).__typename, 'ChatCompletionSubscriptionResult');
      assert.equal(
        own
          .slice(0, -1)
          .map(({ content }) => content)
          .join(''),
        'Good day, Ada',
      );
    }
  });

  test('sends tool calls in parts of one ID', async () => {
    const version = promptVersion('[[tool weather {"city": "Oslo", "days": 3}]]');
    const cells = cellsOf(await run({ promptVersion: version, template: null }));

    const calls = cells.filter(({ __typename }) => __typename === 'ToolCallChunk');
    assert.ok(calls.length > 0);
    assert.equal(new Set(calls.map(({ id }) => id)).size, 1);
    assert.equal(calls[0].function.name, 'weather');
    const json = calls.map((call) => call.function.arguments).join('');
    assert.deepEqual(JSON.parse(json), { city: 'Oslo', days: 3 });
  });

  test('sends an error of the vendor, and then the result with its span', async () => {
    const cells = cellsOf(await run({ promptVersion: promptVersion('[[fault 503]]'), template: null }));

    assert.deepEqual(
      cells.map(({ __typename }) => __typename),
      ['ChatCompletionSubscriptionError', 'ChatCompletionSubscriptionResult'],
    );
    assert.ok(cells[0].message.length > 0);
    assert.equal(cells[1].span.statusCode, 'ERROR');
    assert.equal(cells[1].span.id, cells[0].span.id);
  });

  test('sends parameters of both input forms to the vendor', async () => {
    const forms = [
      {
        openai: {
          temperature: 1,
          maxTokens: 7,
          topP: 0.5,
          stop: ['x'],
          reasoningEffort: 'LOW',
          extraBody: { user: 'u' },
        },
      },
      { temperature: 1, max_tokens: 7, top_p: 0.5, stop: ['x'], reasoning_effort: 'low', user: 'u' },
      { temperature: 1, max_tokens: 7, top_p: 0.5, stop: 'x', reasoning_effort: 'low', extra_body: { user: 'u' } },
    ];
    const bodies: unknown[] = [];
    for (const invocationParameters of forms) {
      endpoint.clear();
      cellsOf(await run({ promptVersion: { ...promptVersion('[[say x]]'), invocationParameters }, template: null }));
      bodies.push(endpoint.calls[0]?.prompt.body);
    }

    const {
      messages: _messages,
      stream: _stream,
      stream_options: _options,
      ...parameters
    } = bodies[0] as Record<string, unknown>;
    assert.deepEqual(parameters, {
      model: 'gpt-4o',
      temperature: 1,
      max_completion_tokens: 7,
      top_p: 0.5,
      stop: ['x'],
      reasoning_effort: 'low',
      user: 'u',
    });
    assert.deepEqual(bodies[1], bodies[0]);
    assert.deepEqual(bodies[2], bodies[0]);
    const { errors } = (
      await run({
        promptVersion: { ...promptVersion('x'), modelProvider: 'AWS', invocationParameters: { top_k: 3 } },
      })
    )[0]!;
    assert.match(errors![0]!.message, /top_k/);
  });

  test('rejects an input before a call is made', async () => {
    endpoint.clear();
    const messageOf = async (changes: object) => (await run(changes))[0]!.errors![0]!.message;

    assert.match(await messageOf({ template: { variables: {}, format: 'MUSTACHE' } }), /name/);
    assert.match(
      await messageOf({ template: { variables: [], format: 'MUSTACHE' } }),
      /variables must be a JSON object/,
    );
    assert.match(await messageOf({ repetitions: 0 }), /repetitions/);
    assert.match(await messageOf({ headers: { 'x-a': 1 } }), /x-a/);
    assert.match(
      await messageOf({ promptVersion: { ...promptVersion('x'), customProviderId: 'eA==' } }),
      /Custom provider with ID 'eA==' not found/,
    );
    assert.match(await messageOf({ connectionConfig: null, credentials: [] }), /OPENAI_API_KEY/);
    assert.equal(endpoint.calls.length, 0);
  });

  test('ends a silent call, and continues while chunks of the response arrive', async (t) => {
    const cleanUpTest = cleanUpAfter((work) => t.after(work));
    const patient = await openTestServer({ after: cleanUpTest }, { settings: { MODEL_SILENCE_SECONDS: '3' } });
    const runThere = async (prompt: string, streamModelOutput: boolean) =>
      cellsOf(await run({ promptVersion: promptVersion(prompt), template: null, streamModelOutput }, 'sse', patient));
    endpoint.clear();

    const silent = await Promise.all(
      ['silence', 'silence middle'].flatMap((silence) =>
        [true, false].map((isStreamed) => runThere(`[[words 40]] [[fault ${silence}]]`, isStreamed)),
      ),
    );
    await endpoint.idle();
    const states = endpoint.calls.map(({ state }) => state);
    const slow = await runThere('[[words 15]] [[rate 3]]', true);

    for (const cells of silent) {
      const [error, result] = cells.slice(-2);
      assert.deepEqual(
        [error.__typename, error.message],
        ['ChatCompletionSubscriptionError', 'Playground task timed out'],
      );
      assert.equal(result.span.statusCode, 'ERROR');
    }
    assert.deepEqual(states, ['aborted', 'aborted', 'aborted', 'aborted']);
    // It took longer in all.
    assert.equal(slow.at(-1).span.statusCode, 'OK');
  });

  test('ends with its call when the machine of its reader is gone', async (t) => {
    const { streamChat } = server.domain.playground;
    const small = await openScriptedServer(t, streamChat, { responseStallMsMax: 300 });
    const text = Array.from({ length: 1_000 }, (_, index) => (index === 0 ? 'x'.repeat(400_000) : 'word '));
    endpoint.clear();
    endpoint.configure({ answer: () => ({ text, chunksPerSecond: 20 }) });
    t.after(() => endpoint.configure({ answer: () => undefined }));
    const body = JSON.stringify({
      query: CHAT,
      variables: {
        input: {
          promptVersion: promptVersion('x'),
          connectionConfig: { baseUrl: `${endpoint.url}/v1` },
          credentials: [{ envVarName: 'OPENAI_API_KEY', value: 'sk-test' }],
          repetitions: 1,
        },
      },
    });
    const reader = connect(Number(new URL(small.address).port), '127.0.0.1');
    t.after(() => reader.destroy());
    reader.on('error', () => {});
    const called = endpoint.nextCall();

    // Nobody reads the response, and the server's kernel accepts all of it.
    reader.write(
      `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: ${ACCEPT.multipart}\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    await called;
    await endpoint.idle();

    assert.equal(endpoint.calls.at(-1)?.state, 'aborted');
  });

  test('ends the call to the vendor when its reader has gone', async () => {
    endpoint.clear();
    const called = endpoint.nextCall();
    const leaving = new AbortController();
    const response = await fetch(`${server.address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: ACCEPT.multipart },
      body: JSON.stringify({
        query: CHAT,
        variables: {
          input: {
            promptVersion: promptVersion('[[words 500]] [[rate 20]]'),
            connectionConfig: { baseUrl: `${endpoint.url}/v1` },
            repetitions: 1,
          },
        },
      }),
      signal: leaving.signal,
    });
    await response.body!.getReader().read();
    await called;

    leaving.abort();
    await endpoint.idle();

    assert.equal(endpoint.statistics().openCallCount, 0);
    assert.equal(endpoint.calls.length, 1);
  });
});

const promptVersion = (text: string) => ({
  templateFormat: 'MUSTACHE',
  template: { messages: [{ role: 'USER', content: [{ text: { text } }] }] },
  invocationParameters: {},
  modelProvider: 'OPENAI',
  modelName: 'gpt-4o',
});
