import assert from 'node:assert/strict';
import { get } from 'node:http';
import { after, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI, type Part } from '@google/genai';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import OpenAI from 'openai';
import { startEndpointProcess } from './endpoint-process.ts';
import { openVendorEndpoint, startVendorEndpoint } from './vendor-endpoint.ts';

const TOOL = { type: 'object', properties: { city: { type: 'string' }, label: { enum: ['good', 'bad'] } } };
const SCRIPT = '[[reason I think]] [[say Hello to you]] [[tool find {"city":"Bern"}]] [[tool find {"city":"Rome"}]]';

interface Read {
  readonly text: string;
  readonly calls: readonly string[];
  readonly promptTokens: number;
}

const endpoint = await startVendorEndpoint();
after(() => endpoint.close());

describe('the endpoint, read by the official packages', () => {
  const openai = new OpenAI({ apiKey: 'key', baseURL: `${endpoint.url}/v1`, maxRetries: 0 });
  const anthropic = new Anthropic({ apiKey: 'key', baseURL: endpoint.url, maxRetries: 0 });
  const google = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: endpoint.url } });
  const bedrock = new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: endpoint.url,
    maxAttempts: 1,
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    requestHandler: new NodeHttpHandler(),
  });

  const READERS: Readonly<Record<string, (prompt: string) => Promise<Read>>> = {
    async 'openai chat'(prompt) {
      const messages = [{ role: 'user' as const, content: prompt }];
      const { choices, usage } = await openai.chat.completions.create({ model: 'm', messages });
      const { content, tool_calls = [] } = choices[0]!.message;
      const calls = tool_calls.map((call) => (call.type === 'function' ? call.function.arguments : ''));
      return { text: content ?? '', calls, promptTokens: usage!.prompt_tokens };
    },
    async 'openai chat, streamed'(prompt) {
      const messages = [{ role: 'user' as const, content: prompt }];
      const stream = openai.chat.completions.stream({ model: 'm', messages, stream_options: { include_usage: true } });
      const { choices, usage } = await stream.finalChatCompletion();
      const { content, tool_calls = [] } = choices[0]!.message;
      return {
        text: content ?? '',
        calls: tool_calls.map((call) => call.function.arguments),
        promptTokens: usage!.prompt_tokens,
      };
    },
    async 'openai responses'(prompt) {
      const { output_text, output, usage } = await openai.responses.create({ model: 'm', input: prompt });
      const calls = output.flatMap((item) => (item.type === 'function_call' ? [item.arguments] : []));
      return { text: output_text, calls, promptTokens: usage!.input_tokens };
    },
    async 'openai responses, streamed'(prompt) {
      const { output_text, output, usage } = await openai.responses
        .stream({ model: 'm', input: prompt })
        .finalResponse();
      const calls = output.flatMap((item) => (item.type === 'function_call' ? [item.arguments] : []));
      return { text: output_text, calls, promptTokens: usage!.input_tokens };
    },
    async anthropic(prompt) {
      return readMessage(
        await anthropic.messages.create({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: prompt }] }),
      );
    },
    async 'anthropic, streamed'(prompt) {
      return readMessage(
        await anthropic.messages
          .stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: prompt }] })
          .finalMessage(),
      );
    },
    async google(prompt) {
      const { candidates, usageMetadata } = await google.models.generateContent({ model: 'm', contents: prompt });
      return readParts(candidates?.[0]?.content?.parts ?? [], usageMetadata?.promptTokenCount);
    },
    async 'google, streamed'(prompt) {
      const parts = [];
      let promptTokens: number | undefined;
      for await (const chunk of await google.models.generateContentStream({ model: 'm', contents: prompt })) {
        parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
        promptTokens = chunk.usageMetadata?.promptTokenCount;
      }
      return readParts(parts, promptTokens);
    },
    async bedrock(prompt) {
      const messages = [{ role: 'user' as const, content: [{ text: prompt }] }];
      const { output, usage } = await bedrock.send(new ConverseCommand({ modelId: 'a/b:0', messages }));
      const content = output?.message?.content ?? [];
      return {
        text: content.map(({ text }) => text ?? '').join(''),
        calls: content.flatMap(({ toolUse }) => (toolUse === undefined ? [] : [JSON.stringify(toolUse.input)])),
        promptTokens: usage!.inputTokens!,
      };
    },
    async 'bedrock, streamed'(prompt) {
      const messages = [{ role: 'user' as const, content: [{ text: prompt }] }];
      const { stream } = await bedrock.send(new ConverseStreamCommand({ modelId: 'a/b:0', messages }));
      let text = '';
      let promptTokens = 0;
      const calls: string[] = [];
      for await (const event of stream!) {
        text += event.contentBlockDelta?.delta?.text ?? '';
        if (event.contentBlockStart?.start?.toolUse !== undefined) calls.push('');
        if (calls.length > 0) calls[calls.length - 1] += event.contentBlockDelta?.delta?.toolUse?.input ?? '';
        promptTokens = event.metadata?.usage?.inputTokens ?? promptTokens;
      }
      return { text, calls, promptTokens };
    },
  };

  for (const [name, read] of Object.entries(READERS)) {
    test(`returns text, reasoning and parallel calls: ${name}`, async () => {
      const { text, calls, promptTokens } = await read(SCRIPT);

      assert.equal(text, 'Hello to you');
      assert.deepEqual(calls, ['{"city":"Bern"}', '{"city":"Rome"}']);
      assert.equal(promptTokens, SCRIPT.split(/\s+/).length);
    });

    test(`repeats the last text, and fails as scripted: ${name}`, async () => {
      assert.equal((await read('a  text,\nso')).text, 'Echo: a  text,\nso');
      await assert.rejects(read('[[fault 503 no model]]'), /no model/);
      await assert.rejects(read('[[fault reset]]'));
      await assert.rejects(read('[[fault 429 7]]'), (error: Error) =>
        /Rate limit|RESOURCE_EXHAUSTED/.test(error.message),
      );
    });
  }

  test('a forced call has a label of the schema, the same for the same prompt', async () => {
    const ask = (text: string) =>
      openai.chat.completions.create({
        model: 'm',
        messages: [{ role: 'user', content: text }],
        tools: [{ type: 'function', function: { name: 'score', parameters: TOOL } }],
        tool_choice: { type: 'function', function: { name: 'score' } },
      });
    const label = async (text: string) => {
      const [call] = (await ask(text)).choices[0]!.message.tool_calls ?? [];
      return JSON.parse(call?.type === 'function' ? call.function.arguments : '{}').label;
    };

    assert.equal(await label('x'), await label('x'));
    assert.deepEqual([...new Set(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(label)))].sort(), ['bad', 'good']);
    assert.equal(await label('x [[label bad]]'), 'bad');
  });

  test('rejects a missing and a wrong key, and lists models for a right one', async () => {
    const wrong = new OpenAI({ apiKey: 'wrong', baseURL: `${endpoint.url}/v1`, maxRetries: 0 });

    await assert.rejects(wrong.models.list(), /401/);
    assert.equal((await openai.models.list()).data.length, 2);
    assert.equal((await (await google.models.list()).page).length, 2);
    await assert.rejects(
      new Anthropic({ apiKey: 'wrong', baseURL: endpoint.url, maxRetries: 0 }).messages.create({
        model: 'm',
        max_tokens: 1,
        messages: [],
      }),
      /authentication_error/,
    );
  });
});

test('records the exact body, headers, connections and calls that the caller ended', async (t) => {
  const endpoint = await openVendorEndpoint(t, { latencyMs: 60_000 });
  const body = '{ "model":"m", "seed": 1.0, "messages":[] }';
  const controller = new AbortController();
  const arrived = endpoint.nextCall();
  const sent = fetch(`${endpoint.url}/x/chat/completions`, {
    method: 'POST',
    body,
    headers: { authorization: 'Bearer k', 'x-mine': 'yes' },
    signal: controller.signal,
  });
  sent.catch(() => {});
  const call = await arrived;
  assert.deepEqual([call.bodyText, call.headers['x-mine'], call.state], [body, 'yes', 'open']);

  controller.abort();
  await endpoint.idle();

  assert.equal(call.state, 'aborted');
  assert.equal(endpoint.statistics().abortedCallCount, 1);
  assert.notEqual(endpoint.connections[call.connection - 1]?.closedAt, undefined);
});

test('a failure with a count ends, and a limit rejects what is beyond it', async (t) => {
  const endpoint = await openVendorEndpoint(t, { limit: { callsPerSecond: 0.01, burst: 3, retryAfter: 'seconds' } });
  const ask = async (content: string) => {
    const response = await fetch(`${endpoint.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
      headers: { authorization: 'Bearer k' },
    });
    await response.arrayBuffer();
    return [response.status, response.headers.get('retry-after')];
  };

  assert.deepEqual(await ask('[[fault 503 x2]]'), [503, null]);
  assert.deepEqual(await ask('[[fault 503 x2]]'), [503, null]);
  assert.deepEqual(await ask('[[fault 503 x2]]'), [200, null]);
  const [status, wait] = await ask('more');
  assert.equal(status, 429);
  assert.match(String(wait), /^\d+$/);
});

test('runs in a process of its own', async (t) => {
  const endpoint = await startEndpointProcess({ latencyMs: 1 });
  t.after(() => endpoint.close());

  const status = await new Promise((resolve) =>
    get(`${endpoint.url}/v1/models`, (response) => resolve(response.statusCode)),
  );
  await endpoint.configure({ latencyMs: 2 });

  assert.equal(status, 401);
  assert.deepEqual((await endpoint.statistics()).callCount, 0);
});

function readMessage({ content, usage }: Anthropic.Message): Read {
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: content.flatMap((block) => (block.type === 'tool_use' ? [JSON.stringify(block.input)] : [])),
    promptTokens: usage.input_tokens,
  };
}

function readParts(parts: readonly Part[], promptTokens: number | undefined): Read {
  return {
    text: parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join(''),
    calls: parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [JSON.stringify(functionCall.args)])),
    promptTokens: promptTokens ?? Number.NaN,
  };
}
