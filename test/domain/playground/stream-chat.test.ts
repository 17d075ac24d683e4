import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExactJsonObject } from '../../../src/base/exact-json.ts';
import type { Log } from '../../../src/base/log.ts';
import { toPromptVersionValue } from '../../../src/semconv/prompt-attributes.ts';
import { CHAT_REPETITION_COUNT_MAX } from '../../../src/model/limits/chat.ts';
import type { ChatEvent } from '../../../src/model/playground/chat-event.ts';
import type { ChatTask } from '../../../src/model/playground/chat-task.ts';
import type { PromptContent } from '../../../src/model/prompts/prompt.ts';
import { joinAttributeParts } from '../../../src/model/spans/nested-attributes.ts';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import type { ChatInput } from '../../../src/domain/playground/stream-chat.ts';
import { openTestServer, type TestServer } from '../../api/test-server.ts';
import { openVendorEndpoint, type VendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';

const SECRET = 'sk-very-secret-0123456789';
const HEADER_SECRET = 'header-secret-0123456789';
const THREE_CALLS_MS_MAX = 5_000;

const lines: string[] = [];
const note = (fields: object, message: string) => {
  const { err, ...rest } = fields as { readonly err?: unknown };
  lines.push(`${message} ${JSON.stringify(rest)} ${err instanceof Error ? err.stack : ''}`);
};
const log: Log = { debug: note, info: note, warn: note, error: note, child: () => log };

let server: TestServer;
let endpoint: VendorEndpoint;
const cleanUp = cleanUpAfter(after);
before(async () => {
  endpoint = await openVendorEndpoint({ after: cleanUp });
  server = await openTestServer(
    { after: cleanUp },
    { log, variables: { OPENAI_BASE_URL: `${endpoint.url}/v1`, OPENAI_API_KEY: SECRET } },
  );
});

interface Given {
  readonly prompt?: Partial<PromptContent>;
  readonly task?: Partial<ChatTask>;
  readonly input?: Partial<ChatInput>;
  readonly signal?: AbortSignal;
}

const toInput = (text: string, { prompt, task, input }: Given = {}): ChatInput => ({
  task: {
    prompt: {
      modelProvider: 'OPENAI',
      modelName: 'gpt-4o',
      template: { type: 'chat', messages: [{ role: 'user', content: text }] },
      templateFormat: 'MUSTACHE',
      invocationParameters: { type: 'openai', openai: {} },
      tools: null,
      responseFormat: null,
      ...prompt,
    },
    ...{ promptVersionRowId: null, promptName: null, connection: null, headers: null, isStreamed: true },
    ...task,
  },
  ...{ variables: null, repetitions: 1, credentials: {} },
  ...input,
});

async function chat(text: string, given: Given = {}): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  const signal = given.signal ?? new AbortController().signal;
  for await (const event of server.domain.playground.streamChat(toInput(text, given), signal)) events.push(event);
  return events;
}

const textOf = (events: readonly ChatEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');
const errorOf = (events: readonly ChatEvent[]) => events.find((event) => event.type === 'error')?.message;
const spanOf = (events: readonly ChatEvent[]) => {
  const result = events.findLast((event) => event.type === 'result');
  assert.ok(result?.type === 'result' && result.spanRowId !== null);
  return result.spanRowId;
};

/** Attributes as one flat object. */
async function readSpan(rowId: number) {
  const { spans } = server.domain;
  const row = (await spans.get({ of: 'spans', column: 'row', rowIds: [rowId] })).get(rowId);
  const body = (await spans.get({ of: 'spans', column: 'body', rowIds: [rowId] })).get(rowId);
  assert.ok(row && body);
  return { row, body, attributes: flatten(joinAttributeParts(body.attributeParts)) };
}

function flatten(value: unknown, path = '', into: Record<string, unknown> = {}): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) into[path] = value;
  else for (const [key, inner] of Object.entries(value)) flatten(inner, path === '' ? key : `${path}.${key}`, into);
  return into;
}

describe('a chat completion', () => {
  test('sends its text as it arrives, then a result whose span can be read with tokens and cost', async () => {
    const events = await chat('[[say one two three]] [[rate 100]]');

    assert.equal(textOf(events), 'one two three');
    assert.ok(events.filter(({ type }) => type === 'text').length > 1);
    assert.deepEqual(events.at(-1)?.type, 'result');
    const { data } = await server.post(
      `query($id: ID!){node(id:$id){...on Span{spanKind name tokenCountTotal project{name description}
        costSummary{total{cost tokens}}}}}`,
      { id: btoa(`Span:${spanOf(events)}`) },
    );
    assert.equal(data.node.spanKind, 'llm');
    assert.equal(data.node.name, 'ChatCompletion');
    assert.deepEqual(data.node.project, { name: 'playground', description: 'Traces from prompt playground' });
    assert.ok(data.node.tokenCountTotal > 0);
    assert.ok(data.node.costSummary.total.cost > 0);
  });

  test('records every attribute of the call', async () => {
    const events = await chat('Say {{word}}.', {
      prompt: {
        template: {
          type: 'chat',
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: [{ type: 'text', text: 'Say {{word}}. [[say ok]]' }] },
          ],
        },
        invocationParameters: { type: 'openai', openai: { temperature: 0.5 } },
        tools: {
          type: 'tools',
          tools: [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }],
          tool_choice: { type: 'zero_or_more' },
        },
      },
      task: { promptVersionRowId: 7 },
      input: { variables: { word: 'hi' } },
    });

    const { row, attributes } = await readSpan(spanOf(events));
    const sent = endpoint.calls.at(-1);
    assert.ok(sent);
    const { 'input.value': input, 'llm.invocation_parameters': parameters, ...rest } = attributes;
    assert.equal(input, sent.bodyText);
    assert.deepEqual(JSON.parse(String(parameters)), {
      temperature: 0.5,
      tool_choice: 'auto',
      stream: true,
      stream_options: { include_usage: true },
    });
    const template = rest['llm.prompt_template.template'];
    assert.deepEqual(JSON.parse(String(template)), [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Say {{word}}. [[say ok]]' }] },
    ]);
    for (const side of ['prompt', 'completion', 'total']) assert.ok(Number(rest[`llm.token_count.${side}`]) > 0);
    assert.deepEqual(
      Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('llm.token_count.'))),
      {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'gpt-4o',
        'llm.provider': 'openai',
        'llm.system': 'openai',
        'llm.input_messages.0.message.role': 'system',
        'llm.input_messages.0.message.content': 'Be brief.',
        'llm.input_messages.1.message.role': 'user',
        'llm.input_messages.1.message.content': 'Say hi. [[say ok]]',
        'input.mime_type': 'application/json',
        'llm.tools.0.tool.json_schema': rest['llm.tools.0.tool.json_schema'],
        'llm.prompt_template.template': template,
        'llm.prompt_template.variables': '{"word":"hi"}',
        'llm.prompt_template.version': toPromptVersionValue(7),
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': 'ok',
        'output.value': 'ok',
        'output.mime_type': 'text/plain',
        'url.full': `${endpoint.url}/v1/chat/completions`,
        'url.path': rest['url.path'],
      },
    );
    assert.match(String(rest['url.path']), /^\/?chat\/completions$/);
    assert.deepEqual(JSON.parse(String(rest['llm.tools.0.tool.json_schema'])), JSON.parse(sent.bodyText).tools[0]);
    assert.equal(row.statusCode, 'OK');
    assert.equal(row.parentSpanId, null);
  });

  test('can be replayed from its span to the same request', async () => {
    const template = {
      type: 'chat' as const,
      messages: [{ role: 'user' as const, content: 'Say {{word}}. [[say ok]]' }],
    };
    const first = await chat('', { prompt: { template }, input: { variables: { word: '{{x}}' } } });
    const { body } = await readSpan(spanOf(first));
    const sent = endpoint.calls.at(-1)?.bodyText;

    const replay = await server.domain.playground.replaySpan(body);
    const { sent: prompt, template: known, variables, connection, warnings } = replay;
    assert.ok(known);
    await chat('', { prompt: { ...prompt, ...known }, task: { connection }, input: { variables } });

    assert.equal(endpoint.calls.at(-1)?.bodyText, sent);
    // The recorded parameters include the streaming of that call, which is no parameter of a prompt.
    assert.deepEqual(warnings, []);
  });

  test('has the calls of tools, in chunks and in the span', async () => {
    const events = await chat('[[tool find {"q": 1}]] [[tool find {"q": 2}]]');

    const calls = new Map<string, string>();
    for (const event of events) {
      if (event.type === 'toolCall') calls.set(event.id, (calls.get(event.id) ?? '') + event.arguments);
    }
    assert.deepEqual(
      [...calls.values()].map((text) => JSON.parse(text)),
      [{ q: 1 }, { q: 2 }],
    );
    const { attributes } = await readSpan(spanOf(events));
    assert.deepEqual(
      [0, 1].map((i) => attributes[`llm.output_messages.0.message.tool_calls.${i}.tool_call.function.name`]),
      ['find', 'find'],
    );
  });

  test('that is not streamed has one text', async () => {
    const events = await chat('[[say one two]]', { task: { isStreamed: false } });

    assert.deepEqual(
      events.map(({ type }) => type),
      ['text', 'result'],
    );
    assert.equal(textOf(events), 'one two');
  });

  test('runs repetitions, at most three at a time, each with a result of its own', async (t) => {
    endpoint.clear();
    let arrivedCount = 0;
    let release = () => {};
    const three = new Promise<void>((resolve) => {
      release = resolve;
    });
    // No call ends before the third has arrived.
    endpoint.configure({
      async answer() {
        if (++arrivedCount === 3) release();
        await Promise.race([three, sleep(THREE_CALLS_MS_MAX, undefined, { ref: false })]);
        return undefined;
      },
    });
    t.after(() => endpoint.configure({ answer: () => undefined }));

    const events = await chat('[[say x]] [[latency 60]]', { input: { repetitions: 5 } });

    const results = events.filter((event) => event.type === 'result');
    assert.deepEqual(results.map(({ repetitionNumber }) => repetitionNumber).sort(), [1, 2, 3, 4, 5]);
    assert.equal(new Set(results.map((event) => event.type === 'result' && event.spanRowId)).size, 5);
    assert.equal(endpoint.statistics().openCallCountMax, 3);
    for (const repetitions of [0, CHAT_REPETITION_COUNT_MAX + 1]) {
      await assert.rejects(chat('x', { input: { repetitions } }), { code: 'QUERY_INVALID' });
    }
  });
});

describe('a chat completion that fails', () => {
  test('sends an error with the text of the vendor, then a result with the span', async () => {
    const events = await chat('[[fault 400]]');

    assert.deepEqual(
      events.map(({ type }) => type),
      ['error', 'result'],
    );
    const { row, body, attributes } = await readSpan(spanOf(events));
    assert.equal(row.statusCode, 'ERROR');
    assert.equal(row.statusMessage, errorOf(events));
    const [exception] = JSON.parse(body.events ?? '[]');
    assert.equal(exception.name, 'exception');
    assert.equal(exception.attributes['exception.message'] ?? exception.attributes.exception?.message, errorOf(events));
    assert.ok(attributes['input.value']);
  });

  test('in the middle keeps the text that has arrived', async () => {
    const events = await chat('[[words 40]] [[rate 400]] [[fault reset middle]]');

    const { attributes } = await readSpan(spanOf(events));
    assert.ok(errorOf(events));
    assert.ok(textOf(events).length > 0);
    assert.equal(attributes['llm.output_messages.0.message.content'], textOf(events));
  });

  test('before any call throws: without key, with missing variables, or a template that is none', async () => {
    const before = endpoint.calls.length;
    await assert.rejects(chat('x', { prompt: { modelProvider: 'XAI' } }), /An API key is required for xAI models/);
    await assert.rejects(chat('{{a}} {{b}}', { input: { variables: { a: 1 } } }), {
      message: 'Missing template variable(s): b',
    });
    await assert.rejects(chat('{{#a}}', { input: { variables: { a: 1 } } }), { code: 'PROMPT_INVALID' });
    const other = { type: 'openai', base_url: 'http://127.0.0.1:1/', openai_api_type: 'chat_completions' } as const;
    await assert.rejects(chat('x', { task: { connection: other } }), { code: 'SECRET_HOST_DENIED' });
    assert.equal(endpoint.calls.length, before);
  });

  test('does not hold up the others', async () => {
    endpoint.configure({ answer: ({ number }) => (number % 2 ? { fault: { type: 'garbage' } } : { text: 'ok' }) });
    endpoint.clear();
    const events = await chat('x', { input: { repetitions: 4 } });
    endpoint.configure({ answer: () => undefined });

    assert.equal(events.filter(({ type }) => type === 'error').length, 2);
    assert.equal(events.filter(({ type }) => type === 'result').length, 4);
  });
});

describe('a chat completion that is stopped', () => {
  test('closes the connection at once, and records what has arrived', async () => {
    endpoint.clear();
    const controller = new AbortController();
    const input = toInput('[[words 500]] [[rate 50]]');
    let spanRowId: number | null = null;
    for await (const event of server.domain.playground.streamChat(input, controller.signal)) {
      if (event.type === 'text') controller.abort();
      if (event.type === 'result') spanRowId = event.spanRowId;
    }
    while (endpoint.calls.at(-1)?.state === 'open') await sleep(1);

    assert.equal(endpoint.calls.at(-1)?.state, 'aborted');
    assert.ok(spanRowId !== null);
    assert.equal((await readSpan(spanRowId)).row.statusCode, 'ERROR');
  });

  test('by its reader starts no further repetition', async () => {
    endpoint.clear();
    const input = toInput('[[words 500]] [[rate 50]]', { input: { repetitions: 9 } });
    for await (const event of server.domain.playground.streamChat(input, new AbortController().signal)) {
      if (event.type === 'text') break;
    }
    await endpoint.idle();

    assert.equal(endpoint.calls.length, 3);
    assert.ok(endpoint.calls.every(({ state }) => state === 'aborted'));
  });
});

describe('hostile input', () => {
  test('with the names of a prototype is only text', async () => {
    const variables = JSON.parse('{"__proto__": {"polluted": "yes"}, "constructor": "c"}') as ExactJsonObject;
    const events = await chat('{{__proto__.polluted}} {{constructor}} [[say ok]]', { input: { variables } });

    const { attributes } = await readSpan(spanOf(events));
    assert.equal(attributes['llm.input_messages.0.message.content'], 'yes c [[say ok]]');
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  test('of half characters, and of more messages than a span has attributes, is recorded', async () => {
    endpoint.configure({ answer: () => ({ text: ['a\ud83d', 'b\u0000'] }) });
    const events = await chat('{{a}}', { input: { variables: { a: '\ud800\u0000' } } });
    endpoint.configure({ answer: () => undefined });
    assert.equal((await readSpan(spanOf(events))).row.statusCode, 'OK');

    const messages = Array.from({ length: 30_000 }, () => ({ role: 'user' as const, content: 'x' }));
    const many = await chat('', { prompt: { template: { type: 'chat', messages } } });
    const { attributes } = await readSpan(spanOf(many));
    assert.equal(attributes['llm.input_messages.0.message.role'], undefined);
    assert.equal(JSON.parse(String(attributes['input.value'])).messages.length, 30_000);
  });

  test('of a template that grows without bounds, or of 20 MB, is an error', async () => {
    const list: ExactJsonObject[] = Array.from({ length: 2_000 }, () => ({}));
    const bomb = '{{#a}}{{#a}}{{#a}}xxxxxxxxxx{{/a}}{{/a}}{{/a}}';
    await assert.rejects(chat(bomb, { input: { variables: { a: list } } }), /too large/);
    await assert.rejects(chat('{{a}}', { input: { variables: { a: 'x'.repeat(20 * 1024 ** 2) } } }), /too large/);
  });

  test('of many megabytes is sent whole, and recorded in part', async () => {
    const events = await chat('{{a}}[[say ok]]', { input: { variables: { a: 'x'.repeat(6 * 1024 ** 2) } } });

    assert.equal(textOf(events), 'ok');
    const { body } = await readSpan(spanOf(events));
    assert.ok((body.input?.length ?? 0) < 5 * 1024 ** 2);
  });
});

describe('keys and headers', () => {
  test('are in no span, event, error or line of the log', async () => {
    const headers = { 'X-Gateway': HEADER_SECRET };
    endpoint.configure({
      answer: ({ headers: received }) => ({
        fault: { type: 'status', status: 401, message: `bad ${received.authorization} ${received['x-gateway']}` },
      }),
    });
    const failed = await chat('x', { task: { headers } });
    endpoint.configure({ answer: () => undefined });
    const succeeded = await chat('[[say ok]]', { task: { headers } });

    assert.equal(endpoint.calls.at(-1)?.headers.authorization, `Bearer ${SECRET}`);
    assert.equal(endpoint.calls.at(-1)?.headers['x-gateway'], HEADER_SECRET);
    const seen = [JSON.stringify([failed, succeeded]), ...lines];
    for (const events of [failed, succeeded]) {
      const { row, body } = await readSpan(spanOf(events));
      seen.push(JSON.stringify(body), row.statusMessage);
    }
    for (const text of seen) {
      assert.ok(!text.includes(SECRET) && !text.includes(HEADER_SECRET), text.slice(0, 300));
    }
  });
});

test('a custom provider that is deleted during a call does not end it', async () => {
  const { providers } = server.domain;
  const { rowId: customProviderId } = await providers.create({
    ...{ name: 'to be deleted', description: null, provider: 'own' },
    config: {
      type: 'openai',
      openai_authentication_method: { type: 'api_key', api_key: 'its-own-key' },
      openai_client_kwargs: { base_url: `${endpoint.url}/custom/v1` },
      openai_api_type: 'chat_completions',
    },
  });
  const input = toInput('[[words 30]] [[rate 200]]', { prompt: { customProviderId } });
  const events: ChatEvent[] = [];
  for await (const event of server.domain.playground.streamChat(input, new AbortController().signal)) {
    if (events.length === 0) await providers.delete(customProviderId);
    events.push(event);
  }

  assert.equal(errorOf(events), undefined);
  assert.equal(endpoint.calls.at(-1)?.headers.authorization, 'Bearer its-own-key');
  assert.equal((await readSpan(spanOf(events))).attributes['llm.provider'], 'own');
  await assert.rejects(chat('x', { prompt: { customProviderId } }), /not found/);
});
