import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ExactJsonObject, ExactNumber } from '../../../src/base/exact-json.ts';
import type { OpenAiParameters } from '../../../src/model/prompts/prompt-parameters.ts';
import type { ChatMessage, ChatRequest, SentRequest } from '../../../src/llm/contract/chat-model.ts';
import type { ModelConnection, ModelTarget } from '../../../src/llm/contract/model-target.ts';
import { openChatModels } from '../../../src/llm/open-chat-models.ts';
import { NO_PROXIES } from '../../../src/llm/transport/proxy-settings.ts';
import { startVendorEndpoint, type VendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';

const models = openChatModels({ proxies: NO_PROXIES, allowsPrivate: true });
let endpoint: VendorEndpoint;
before(async () => {
  endpoint = await startVendorEndpoint({ answer: () => ({ text: 'ok' }) });
});
after(async () => {
  await models.close();
  await endpoint.close();
});

const MESSAGES: readonly ChatMessage[] = [
  { role: 'system', parts: [{ type: 'text', text: 'Be "brief".' }] },
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'a' },
      { type: 'image', url: 'https://example.org/b.png' },
    ],
  },
  {
    role: 'assistant',
    parts: [{ type: 'toolCall', toolCall: { id: 'c1', name: 'look_up', arguments: '{"n": 1.0}' } }],
  },
  { role: 'tool', parts: [{ type: 'toolResult', toolCallId: 'c1', result: { n: new ExactNumber('1.0') } }] },
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
  },
];
const STORED: Partial<ChatRequest> = {
  messages: MESSAGES,
  tools: {
    type: 'tools',
    tools: [
      { type: 'function', function: { name: 'look_up', parameters: { type: 'object' }, strict: true } },
      { type: 'raw', raw: { type: 'custom', custom: { name: 'shell' }, since: new ExactNumber('2.10') } },
    ],
    tool_choice: { type: 'specific_function', function_name: 'look_up' },
    disable_parallel_tool_calls: true,
  },
  responseFormat: { type: 'json_schema', json_schema: { name: 'place', schema: { type: 'object' }, strict: true } },
};
const PARAMETERS: OpenAiParameters = {
  temperature: new ExactNumber('1.0'),
  max_tokens: 9,
  seed: new ExactNumber('9007199254740993'),
  extra_body: { service_tier: 'flex', top_k: new ExactNumber('1e1'), temperature: new ExactNumber('0.30') },
};

describe('the body of chat completions', () => {
  test('has what a prompt stores to the letter', async () => {
    const { bodyText } = await call({ ...STORED, parameters: { type: 'openai', openai: PARAMETERS } });

    assert.equal(
      bodyText,
      '{"model":"gpt-4o","messages":[{"role":"system","content":"Be \\"brief\\"."},' +
        '{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"https://example.org/b.png"}}]},' +
        '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look_up","arguments":"{\\"n\\": 1.0}"}}]},' +
        '{"role":"tool","tool_call_id":"c1","content":"{\\"n\\":1.0}"},{"role":"user","content":"a\\nb"}],' +
        '"temperature":0.30,"seed":9007199254740993,"max_completion_tokens":9,' +
        '"tools":[{"type":"function","function":{"name":"look_up","parameters":{"type":"object"},"strict":true}},' +
        '{"type":"custom","custom":{"name":"shell"},"since":2.10}],' +
        '"tool_choice":{"type":"function","function":{"name":"look_up"}},"parallel_tool_calls":false,' +
        '"response_format":{"type":"json_schema","json_schema":{"name":"place","schema":{"type":"object"},"strict":true}},' +
        '"stream":true,"stream_options":{"include_usage":true},"service_tier":"flex","top_k":1e1}',
    );
  });

  test('asks reasoning models of OpenAI as a developer, and sends their effort', async () => {
    const parameters = { type: 'openai', openai: { reasoning_effort: 'low', max_tokens: 5 } } as const;
    const bodyOf = async (target: Partial<ModelTarget>) =>
      JSON.parse((await call({ messages: MESSAGES.slice(0, 1), parameters }, target)).bodyText);

    const reasoning = await bodyOf({ modelName: 'gpt-5-mini' });
    assert.equal(reasoning.messages[0].role, 'developer');
    assert.deepEqual([reasoning.reasoning_effort, reasoning.max_completion_tokens], ['low', 5]);
    assert.equal((await bodyOf({ modelName: 'gpt-4o' })).messages[0].role, 'system');
    assert.equal((await bodyOf({ modelName: 'o3', modelProvider: 'GROQ' })).messages[0].role, 'system');
  });

  test('keeps the name of the token limit for vendors that know only the older one', async () => {
    const parameters = { type: 'openai', openai: { max_tokens: 5 } } as const;

    assert.match((await call({ parameters }, { modelProvider: 'OLLAMA' })).bodyText, /"max_tokens":5[,}]/);
    assert.match((await call({ parameters }, { modelProvider: 'XAI' })).bodyText, /"max_completion_tokens":5[,}]/);
  });

  test('cannot be turned into another kind of response by additional fields', async () => {
    const extra_body: ExactJsonObject = { stream: false, user: 'me' };
    const { bodyText } = await call({ parameters: { type: 'openai', openai: { extra_body } } });

    assert.match(bodyText, /"stream":true.*"user":"me"/);
  });

  test('needs the call of a tool result', async () => {
    for (const api of ['chat_completions', 'responses'] as const) {
      const messages: ChatMessage[] = [{ role: 'tool', parts: [{ type: 'text', text: 'It rains.' }] }];

      await assert.rejects(call({ messages }, {}, { api }), {
        kind: 'rejected',
        message: 'tool_call_id is required for tool messages',
      });
    }
  });

  test('accepts no parameters of another family', async () => {
    await assert.rejects(call({ parameters: { type: 'google', google: {} } }), { kind: 'rejected' });
  });
});

describe('the body of responses', () => {
  test('has what a prompt stores to the letter', async () => {
    const openai: OpenAiParameters = { ...PARAMETERS, reasoning_effort: 'high' };
    const { bodyText } = await call({ ...STORED, parameters: { type: 'openai', openai } }, {}, { api: 'responses' });

    assert.equal(
      bodyText,
      '{"model":"gpt-4o","input":[{"role":"system","content":"Be \\"brief\\"."},' +
        '{"role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"https://example.org/b.png"}]},' +
        '{"type":"function_call","call_id":"c1","name":"look_up","arguments":"{\\"n\\": 1.0}"},' +
        '{"type":"function_call_output","call_id":"c1","output":"{\\"n\\":1.0}"},{"role":"user","content":"a\\nb"}],' +
        '"temperature":0.30,"seed":9007199254740993,"max_output_tokens":9,"reasoning":{"effort":"high"},' +
        '"tools":[{"type":"function","name":"look_up","parameters":{"type":"object"},"strict":true},' +
        '{"type":"custom","custom":{"name":"shell"},"since":2.10}],' +
        '"tool_choice":{"type":"function","name":"look_up"},"parallel_tool_calls":false,' +
        '"text":{"format":{"type":"json_schema","name":"place","schema":{"type":"object"},"strict":true}},' +
        '"stream":true,"service_tier":"flex","top_k":1e1}',
    );
  });

  test('says that a tool without `strict` has the default of the API', async () => {
    const tools = { type: 'tools', tools: [{ type: 'function', function: { name: 'look_up' } }] } as const;

    const [responses, chat] = [await call({ tools }, {}, { api: 'responses' }), await call({ tools })];

    assert.match(responses.bodyText, /"tools":\[\{"type":"function","name":"look_up","strict":null\}\]/);
    assert.match(chat.bodyText, /"tools":\[\{"type":"function","function":\{"name":"look_up"\}\}\]/);
  });
});

describe('the address', () => {
  test('of Azure is below its endpoint, with and without the suffix', async () => {
    for (const suffix of ['', '/', '/openai/v1', '/openai/v1/']) {
      const connection: ModelConnection = {
        ...{ type: 'azure_openai', api: 'chat_completions', endpoint: endpoint.url + suffix, headers: {} },
        credential: { type: 'key', apiKey: 'azure-key' },
      };
      const target: Partial<ModelTarget> = { modelProvider: 'AZURE_OPENAI', providerWord: 'azure', connection };
      const { path, headers, sent } = await call({}, target);

      assert.equal(path, '/openai/v1/chat/completions');
      assert.equal(headers.authorization, 'Bearer azure-key');
      assert.deepEqual(sent.url, { full: `${endpoint.url}/openai/v1/chat/completions`, path: '/chat/completions' });
    }
  });

  test('of Azure is not called without a token, and the error has no secret', async () => {
    const clientSecret = 'azure-secret-0123456789';
    const connection: ModelConnection = {
      ...{ type: 'azure_openai', api: 'chat_completions', endpoint: endpoint.url, headers: {} },
      credential: { type: 'client', tenantId: 'no tenant', clientId: 'client', clientSecret, scope: '' },
    };
    endpoint.clear();
    const calling = call({}, { modelProvider: 'AZURE_OPENAI', connection });

    await assert.rejects(calling, { kind: 'rejected', message: /^Azure gives no token for this model/ });
    await assert.rejects(calling, (error) => !String((error as Error).stack).includes(clientSecret));
    assert.equal(endpoint.calls.length, 0);
  });

  test('keeps the query of the base URL behind the path, and out of the span', async () => {
    const { path, sent } = await call({}, {}, { baseUrl: `${endpoint.url}/v1/?key=secret&v=1` });

    assert.equal(path, '/v1/chat/completions?key=secret&v=1');
    assert.equal(sent.url?.full, `${endpoint.url}/v1/chat/completions`);
  });

  test('may contain no credentials', async () => {
    const baseUrl = endpoint.url.replace('//', '//user:password@');

    await assert.rejects(call({}, {}, { baseUrl }), { kind: 'rejected', message: /must not contain credentials/ });
  });
});

describe('headers', () => {
  test('are those of the connection, without any of the environment', async (t) => {
    const variables = {
      OPENAI_CUSTOM_HEADERS: 'x-environment: secret',
      OPENAI_ORG_ID: 'org-environment',
      OPENAI_PROJECT_ID: 'project-environment',
      OPENAI_BASE_URL: 'http://127.0.0.1:1',
      OPENAI_ADMIN_KEY: 'admin-key',
    };
    Object.assign(process.env, variables);
    t.after(() => {
      for (const name of Object.keys(variables)) delete process.env[name];
    });

    const { headers } = await call({}, {}, { project: 'project-own', headers: { 'X-Own': 'yes' } });

    assert.equal(headers['x-own'], 'yes');
    assert.equal(headers.authorization, 'Bearer key');
    assert.equal(headers['openai-project'], 'project-own');
    assert.equal(headers['openai-organization'], undefined);
    assert.equal(headers['x-environment'], undefined);
    assert.equal(headers.cookie, undefined);
  });

  test('may replace the key', async () => {
    const { headers } = await call({}, {}, { headers: { Authorization: 'Bearer other' } });

    assert.equal(headers.authorization, 'Bearer other');
  });
});

type OpenAiConnection = Extract<ModelConnection, { type: 'openai' }>;

/** Makes a call and returns what arrived. */
async function call(
  request: Partial<ChatRequest>,
  target: Partial<ModelTarget> = {},
  connection: Partial<OpenAiConnection> = {},
) {
  const sent: SentRequest[] = [];
  endpoint.clear();
  const model = models.open({
    ...{ modelName: 'gpt-4o', modelProvider: 'OPENAI', providerWord: 'openai' },
    connection: {
      ...{ type: 'openai', api: 'chat_completions', baseUrl: `${endpoint.url}/v1`, apiKey: 'key', headers: {} },
      ...{ organization: undefined, project: undefined },
      ...connection,
    },
    ...target,
  });
  await model.call(
    {
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      ...{ tools: null, responseFormat: null, isStreamed: true },
      parameters: { type: 'openai', openai: {} },
      ...request,
    },
    { signal: new AbortController().signal, onPiece: () => {}, onSend: (one) => sent.push(one) },
  );
  const { bodyText, path, headers } = endpoint.calls[0]!;
  return { bodyText, path, headers, sent: sent[0]! };
}
