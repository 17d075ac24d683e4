import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openTestServer, type Reply, type TestServer } from '../test-server.ts';

const OPENAI = { type: 'openai', openai: {} };
const version = (over: object = {}) => ({
  model_provider: 'OPENAI',
  model_name: 'gpt-4o',
  template: { type: 'chat', messages: [{ role: 'user', content: 'Hi {{name}}' }] },
  template_type: 'CHAT',
  template_format: 'MUSTACHE',
  invocation_parameters: OPENAI,
  ...over,
});
const messages = (content: unknown) => ({ template: { type: 'chat', messages: [{ role: 'user', content }] } });

interface Detail {
  readonly detail: readonly { readonly type: string; readonly loc: readonly unknown[]; readonly msg: string }[];
}
interface Version {
  readonly data: { readonly id: string; readonly [field: string]: unknown };
}

describe('the routes of prompts', () => {
  let rest: TestServer;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    rest = await openTestServer({ after: cleanUp });
  });

  let nameCount = 0;
  const newName = () => `prompt-${++nameCount}`;
  const post = (name: string, over: object = {}, prompt: object = {}) =>
    rest.call('POST', '/v1/prompts', { json: { prompt: { name, ...prompt }, version: version(over) } });
  const make = async (name: string, over: object = {}, prompt: object = {}): Promise<Version['data']> => {
    const reply = await post(name, over, prompt);
    assert.equal(reply.status, 200, reply.text);
    return (reply.json as Version).data;
  };

  test('numbers and order survive exactly, through metadata, schemas, results and parameters', async () => {
    const name = newName();
    const metadata = '{"z":1.0,"a":9007199254740993,"__proto__":{"x":1e5},"nul":"\\u0000"}';
    const parts = `[{"type":"tool_result","tool_call_id":"c","tool_result":${metadata}}]`;
    const parameters = `{"temperature":1.0,"seed":9007199254740993,"extra_body":{"b":-0.0,"a":[1E+2,{"constructor":null}]}}`;
    const tools = '{"type":"tools","tools":[{"type":"raw","raw":{"type":"web_search","x":0.10,"a":1}}]}';
    const head = '{"model_provider":"XAI","model_name":"grok","template_type":"CHAT","template_format":"NONE"';
    const template = `{"type":"chat","messages":[{"role":"tool","content":${parts}}]}`;
    const body =
      `{"prompt":{"name":"${name}","metadata":${metadata}},"version":${head},"template":${template},` +
      `"invocation_parameters":{"type":"xai","xai":${parameters}},"tools":${tools}}}`;

    const made = await rest.call('POST', '/v1/prompts', { body, type: 'application/json' });
    const latest = await rest.call('GET', `/v1/prompts/${name}/latest`);

    assert.equal(made.status, 200, made.text);
    assert.equal(latest.text, made.text);
    for (const part of [template, `{"type":"openai","openai":${parameters}}`, tools]) {
      assert.ok(made.text.includes(part), `${part} in ${made.text}`);
    }
    assert.ok((await rest.call('GET', '/v1/prompts?limit=1')).text.includes(`"metadata":${metadata}`));
  });

  test('text that is not valid Unicode survives inside JSON', async () => {
    const { template } = messages('lone \ud800 and \u0000, \u2028');
    assert.deepEqual((await make(newName(), { template })).template, template);
  });

  test('every kind of part, tool and choice comes back as it was sent', async () => {
    const content = [
      { type: 'text', text: '' },
      { type: 'image', image: { url: 'data:image/png;base64,AAAA' } },
      { type: 'tool_call', tool_call_id: '', tool_call: { type: 'function', name: 'f', arguments: 'no { JSON' } },
      { type: 'tool_result', tool_call_id: 'c', tool_result: null },
    ];
    const tools = {
      type: 'tools',
      tools: [
        { type: 'raw', raw: {} },
        { type: 'function', function: { name: 'f', strict: false } },
      ],
      tool_choice: { type: 'specific_function', function_name: 'f' },
      disable_parallel_tool_calls: false,
    };

    const made = await make(newName(), { ...messages(content), tools });

    assert.deepEqual(made.template, messages(content).template);
    assert.deepEqual(made.tools, tools);
  });

  const PARAMETERS: readonly { readonly type: string; readonly fields: object }[] = [
    { type: 'openai', fields: { stop: ['a', ''], reasoning_effort: 'xhigh', extra_body: { vendor: { deep: [1] } } } },
    {
      type: 'anthropic',
      fields: {
        max_tokens: 9_000,
        output_config: { effort: 'max' },
        thinking: { type: 'adaptive', display: 'omitted' },
      },
    },
    {
      type: 'anthropic',
      fields: { max_tokens: 1_025, thinking: { type: 'enabled', budget_tokens: 1_024, display: 'summarized' } },
    },
    { type: 'anthropic', fields: { max_tokens: 1, output_config: {}, extra_body: {} } },
    {
      type: 'google',
      fields: { thinking_config: { thinking_budget: -1, thinking_level: 'minimal', include_thoughts: true } },
    },
    { type: 'aws', fields: { stop_sequences: [] } },
  ];
  for (const { type, fields } of PARAMETERS) {
    test(`parameters of ${type} with ${Object.keys(fields)} come back as they were sent`, async () => {
      const sent = { type, [type]: fields };
      assert.deepEqual((await make(newName(), { invocation_parameters: sent })).invocation_parameters, sent);
    });
  }

  const at = (...place: unknown[]) => ['body', 'version', ...place];
  const parameters = (sent: object) => ({ invocation_parameters: sent });
  const FAULTS: readonly {
    readonly what: string;
    over: object;
    type: string;
    loc: readonly unknown[];
    msg?: string;
  }[] = [
    {
      what: 'an unknown kind of parameters',
      over: parameters({ type: 'acme', acme: {} }),
      type: 'union_tag_invalid',
      loc: at('invocation_parameters'),
    },
    {
      what: 'parameters without a kind',
      over: parameters({ openai: {} }),
      type: 'union_tag_not_found',
      loc: at('invocation_parameters'),
      msg: "Unable to extract tag using discriminator 'type'",
    },
    {
      what: 'a kind without its parameters',
      over: parameters({ type: 'xai' }),
      type: 'missing',
      loc: at('invocation_parameters', 'xai', 'xai'),
    },
    {
      what: 'a thinking budget as large as all tokens',
      over: parameters({
        type: 'anthropic',
        anthropic: { max_tokens: 1_024, thinking: { type: 'enabled', budget_tokens: 1_024 } },
      }),
      type: 'value_error',
      loc: at('invocation_parameters', 'anthropic', 'anthropic'),
      msg: 'Value error, The thinking budget must be less than max tokens.',
    },
    {
      what: 'a thinking budget that is too small',
      over: parameters({
        type: 'anthropic',
        anthropic: { max_tokens: 9_000, thinking: { type: 'enabled', budget_tokens: 1_023 } },
      }),
      type: 'greater_than_equal',
      loc: at('invocation_parameters', 'anthropic', 'anthropic', 'thinking', 'enabled', 'budget_tokens'),
      msg: 'Input should be greater than or equal to 1024',
    },
    {
      what: 'a temperature that is text',
      over: parameters({ type: 'aws', aws: { temperature: 'hot' } }),
      type: 'float_parsing',
      loc: at('invocation_parameters', 'aws', 'aws', 'temperature'),
    },
    {
      what: 'a null where a field may be left out',
      over: parameters({ type: 'google', google: { top_k: null } }),
      type: 'int_type',
      loc: at('invocation_parameters', 'google', 'google', 'top_k'),
    },
    {
      what: 'a list of no parts',
      over: messages([]),
      type: 'too_short',
      loc: at('template', 'chat', 'messages', 0, 'content'),
    },
    {
      what: 'an image without its address',
      over: messages([{ type: 'image', image: { url: 'x', detail: 'high' } }]),
      type: 'extra_forbidden',
      loc: at('template', 'chat', 'messages', 0, 'content', 0, 'image', 'image', 'detail'),
      msg: 'Extra inputs are not permitted',
    },
    {
      what: 'a key of every object in a template',
      over: { template: { type: 'chat', messages: [], constructor: 1 } },
      type: 'extra_forbidden',
      loc: at('template', 'chat', 'constructor'),
    },
    {
      what: 'no tools in tools',
      over: { tools: { type: 'tools', tools: [] } },
      type: 'too_short',
      loc: at('tools', 'tools'),
    },
    {
      what: 'another response format',
      over: { response_format: { type: 'xml', json_schema: { name: 'x' } } },
      type: 'literal_error',
      loc: at('response_format', 'type'),
      msg: "Input should be 'json_schema'",
    },
    { what: 'an unknown provider', over: { model_provider: 'ACME' }, type: 'enum', loc: at('model_provider') },
    {
      what: 'a template type that disagrees',
      over: { template_type: 'STR' },
      type: 'value_error',
      loc: at(),
      msg: 'Value error, Template type does not match template',
    },
  ];
  for (const { what, over, type, loc, msg } of FAULTS) {
    test(`${what} is rejected with its path`, async () => {
      const reply = await post(newName(), over);
      assert.equal(reply.status, 422, reply.text);
      const [fault, ...others] = (reply.json as Detail).detail;
      assert.deepEqual([fault?.type, fault?.loc, others], [type, loc, []]);
      if (msg !== undefined) assert.equal(fault?.msg, msg);
    });
  }

  test('a name longer than an index entry is rejected', async () => {
    const reply = await post('a'.repeat(3_000));
    assert.deepEqual([reply.status, (reply.json as Detail).detail[0]?.type], [422, 'string_too_long']);
  });

  test('a rejected version leaves no prompt behind', async () => {
    const name = newName();
    await post(name, { template_type: 'STR', template: { type: 'string', template: 'x' } });
    assert.equal((await rest.call('GET', `/v1/prompts/${name}/latest`)).status, 404);
  });

  test('a prompt that is there keeps its description, metadata and tags when a version comes', async () => {
    const name = newName();
    const first = await make(name, {}, { description: 'about\0', metadata: { k: 1 } });
    await rest.call('POST', `/v1/prompt_versions/${first.id}/tags`, { json: { name: 'production' } });

    const second = await make(name, { model_name: 'other' }, { description: 'ignored', metadata: {} });

    const { data } = (await rest.call('GET', '/v1/prompts?limit=1')).json as { data: object[] };
    assert.deepEqual(
      { ...data[0], id: '' },
      { name, description: 'about\uFFFD', source_prompt_id: null, metadata: { k: 1 }, id: '' },
    );
    assert.equal(((await rest.call('GET', `/v1/prompts/${name}/latest`)).json as Version).data.id, second.id);
    const tagged = await rest.call('GET', `/v1/prompts/${name}/tags/production`);
    assert.equal((tagged.json as Version).data.id, first.id);
  });

  test('versions that come at once to a new name all land, in the order of their ids', async () => {
    const name = newName();
    const replies = await Promise.all(Array.from({ length: 12 }, (_, i) => make(name, { model_name: `m${i}` })));

    const { data } = (await rest.call('GET', `/v1/prompts/${name}/versions`)).json as { data: { id: string }[] };
    assert.deepEqual(new Set(data.map(({ id }) => id)), new Set(replies.map(({ id }) => id)));
    assert.equal(data.length, 12);
  });

  test('a prompt changes by PATCH, and fields that are null are left out', async () => {
    const name = newName();
    await make(name, {}, { description: 'old', metadata: { k: 1 } });
    const path = `/v1/prompts/${name}`;
    const patch = async (json: object) => {
      const reply: Reply = await rest.call('PATCH', path, { json });
      assert.equal(reply.status, 200, reply.text);
      const { id: _, ...rest_ } = (reply.json as { data: { id: string } }).data;
      return rest_;
    };

    assert.deepEqual(await patch({ description: ' new ' }), { name, description: 'new', metadata: { k: 1 } });
    assert.deepEqual(await patch({ description: null, metadata: { j: [] } }), { name, metadata: { j: [] } });
  });

  for (const { json, type, loc, msg } of [
    { json: {}, type: 'value_error', loc: ['body'], msg: 'Value error, at least one field must be provided' },
    { json: { other: 1 }, type: 'value_error', loc: ['body'], msg: 'Value error, at least one field must be provided' },
    {
      json: { metadata: null },
      type: 'dict_type',
      loc: ['body', 'metadata'],
      msg: 'Input should be a valid dictionary',
    },
  ]) {
    test(`PATCH rejects ${JSON.stringify(json)}`, async () => {
      const reply = await rest.call('PATCH', '/v1/prompts/some', { json });
      const [fault] = (reply.json as Detail).detail;
      assert.deepEqual([reply.status, fault?.type, fault?.loc, fault?.msg], [422, type, loc, msg]);
    });
  }

  const unknown = toGlobalId('Prompt', 987654321);
  for (const { method, path, json, status, text } of [
    { method: 'PATCH', path: `prompts/${unknown}`, json: { metadata: {} }, status: 404, text: 'Prompt not found' },
    { method: 'PATCH', path: 'prompts/UPPER', json: { metadata: {} }, status: 422, text: 'Invalid prompt name' },
    { method: 'DELETE', path: `prompts/${toGlobalId('PromptVersion', 1)}`, status: 422, text: 'Invalid prompt name' },
    { method: 'GET', path: `prompt_versions/${unknown}`, status: 422, text: 'Invalid prompt version ID' },
    {
      method: 'GET',
      path: `prompt_versions/${toGlobalId('PromptVersion', Number.MAX_SAFE_INTEGER)}/tags`,
      status: 404,
      text: 'Prompt version not found',
    },
  ]) {
    test(`${method} ${path} returns ${status} ${text}`, async () => {
      const reply = await rest.call(method, `/v1/${path}`, { ...(json && { json }) });
      assert.deepEqual([reply.status, reply.text], [status, text]);
    });
  }

  test('a deleted prompt takes its versions and tags along, and no row id comes again', async () => {
    const name = newName();
    const before = await make(name);
    await rest.call('POST', `/v1/prompt_versions/${before.id}/tags`, { json: { name: 'production' } });

    assert.equal((await rest.call('DELETE', `/v1/prompts/${name}`)).status, 204);

    assert.equal((await rest.call('GET', `/v1/prompt_versions/${before.id}`)).status, 404);
    assert.equal(
      (await rest.call('POST', `/v1/prompt_versions/${before.id}/tags`, { json: { name: 'a' } })).status,
      404,
    );
    const after_ = await make(name);
    assert.notEqual(after_.id, before.id);
    assert.equal((await rest.call('GET', `/v1/prompts/${name}/tags/production`)).status, 404);
  });
});
