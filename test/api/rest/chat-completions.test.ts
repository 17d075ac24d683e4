import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI, { APIError } from 'openai';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { openVendorEndpoint, type VendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { openTestServer, type TestServer } from '../test-server.ts';

const user = (content: string) => [{ role: 'user' as const, content }];

describe('POST /v1/chat/completions', () => {
  const cleanUp = cleanUpAfter(after);
  let endpoint: VendorEndpoint;
  let server: TestServer;
  let client: OpenAI;

  before(async () => {
    endpoint = await openVendorEndpoint({ after: cleanUp });
    server = await openTestServer(
      { after: cleanUp },
      { variables: { OPENAI_API_KEY: 'sk-of-the-server', OPENAI_BASE_URL: `${endpoint.url}/v1` } },
    );
    client = new OpenAI({ baseURL: `${server.address}/v1`, apiKey: 'any', maxRetries: 0 });
  });

  const failureOf = async (body: object): Promise<APIError> => {
    const call = client.chat.completions.create({
      model: 'openai:gpt-4o',
      messages: user('x'),
      ...body,
    } as OpenAI.ChatCompletionCreateParamsNonStreaming);
    const error = await call.then(
      () => assert.fail('it succeeded'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof APIError, String(error));
    return error;
  };

  test('responds as OpenAI does, and records a span', async () => {
    const completion = await client.chat.completions.create({
      model: 'OpenAI:gpt-4o',
      messages: [{ role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] }, ...user('[[say Good day]]')],
      temperature: 0.25,
      max_tokens: 5,
      max_completion_tokens: 9,
      stop: 'END',
      user: 'ignored',
    });

    assert.equal(completion.object, 'chat.completion');
    assert.equal(completion.model, 'OpenAI:gpt-4o');
    assert.deepEqual(completion.choices, [
      { index: 0, message: { role: 'assistant', content: 'Good day' }, finish_reason: 'stop' },
    ]);
    assert.ok(completion.usage!.prompt_tokens > 0);
    assert.match(completion.id, /^\S+$/);
    const { body, text } = endpoint.calls.at(-1)!.prompt;
    assert.match(text, /Be brief\./);
    assert.equal(body.model, 'gpt-4o');
    assert.deepEqual([body.temperature, body.max_completion_tokens, body.stop], [0.25, 9, ['END']]);
    assert.equal(endpoint.calls.at(-1)!.headers.authorization, 'Bearer sk-of-the-server');
    await server.settled();
    const data = await server.ask(
      '{ getProjectByName(name: "playground") { spans(first: 1) { edges { node { name statusCode output { value } } } } } }',
    );
    const [{ node }] = data.getProjectByName.spans.edges;
    assert.equal(node.name, 'ChatCompletion');
    assert.match(node.output.value, /Good day/);
  });

  test('streams chunks as OpenAI does, with usage on request', async () => {
    const stream = await client.chat.completions.create({
      model: 'openai:gpt-4o',
      messages: user('[[words 20]] [[finish length]]'),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);

    assert.deepEqual(chunks[0]!.choices[0]!.delta, { role: 'assistant', content: '' });
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    assert.equal(text.trim().split(/\s+/).length, 20);
    assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
    assert.equal(chunks.at(-2)!.choices[0]!.finish_reason, 'length');
    assert.deepEqual(chunks.at(-1)!.choices, []);
    assert.ok(chunks.at(-1)!.usage!.total_tokens > 0);
  });

  test('rejects what it does not support, in the form of OpenAI', async () => {
    const cases: readonly [object, number, RegExp][] = [
      [{ tools: [{ type: 'function', function: { name: 'f' } }] }, 400, /tools/],
      [{ tool_choice: 'auto' }, 400, /tool_choice/],
      [{ n: 2 }, 400, /n must be 1/],
      [{ response_format: { type: 'json_object' } }, 400, /response_format/],
      [{ stream_options: { include_usage: true } }, 400, /stream_options/],
      [{ messages: [] }, 422, /messages/],
      [{ messages: [{ role: 'tool', content: 'x' }] }, 422, /messages\.0\.role/],
      [{ temperature: 'hot' }, 422, /temperature: /],
    ];
    for (const [body, status, message] of cases) {
      const error = await failureOf(body);
      assert.equal(error.status, status, JSON.stringify(body));
      assert.match(error.message, message);
      assert.equal(error.type, 'invalid_request_error');
      assert.equal(error.param, null);
    }
    for (const model of ['gpt-4o', 'openai:', 'nobody:gpt', 'custom:eA==:gpt', '__proto__:x', 'constructor:x']) {
      const error = await failureOf({ model });
      assert.deepEqual([error.status, error.code], [404, 'model_not_found'], model);
    }
    const malformed = await server.call('POST', '/v1/chat/completions', {
      body: '{"model": ',
      type: 'application/json',
    });
    assert.equal(malformed.status, 422);
    assert.equal((malformed.json as { error: { type: string } }).error.type, 'invalid_request_error');
  });

  test('passes errors of the vendor on, before and after the first text', async () => {
    const limited = await failureOf({ messages: user('[[fault 429 7]]') });
    const broken = await failureOf({ messages: user('[[fault 503]]'), stream: true });
    const unreachable = await failureOf({ messages: user('[[fault reset before]]') });
    const stream = await client.chat.completions.create({
      model: 'openai:gpt-4o',
      messages: user('[[words 50]] [[fault reset middle]]'),
      stream: true,
    });
    const late = await (async () => {
      for await (const _ of stream);
    })().catch((error: unknown) => error);

    assert.deepEqual([limited.status, limited.type], [429, 'invalid_request_error']);
    assert.deepEqual([broken.status, broken.type], [503, 'api_error']);
    assert.equal(unreachable.status, 502);
    assert.ok(late instanceof APIError, String(late));
  });

  test('ends the call when its client has gone', async () => {
    const called = endpoint.nextCall();
    const stream = await client.chat.completions.create({
      model: 'openai:gpt-4o',
      messages: user('[[words 500]] [[rate 20]]'),
      stream: true,
    });
    await called;

    stream.controller.abort();
    await endpoint.idle();

    assert.equal(endpoint.statistics().openCallCount, 0);
  });
});
