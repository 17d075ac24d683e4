import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ExactJsonObject } from '../../../src/base/exact-json.ts';
import { toPromptVersionValue } from '../../../src/semconv/prompt-attributes.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { shareTestServer } from '../test-server.ts';

const openServer = shareTestServer();
let count = 0;

const REPLAY = `{content templateContent connection{baseUrl azureEndpoint openaiApiType} promptVersion{id} variables
  variablesSource output warnings{part message}}`;

/** Stores a span with these attributes, and replays it. */
async function replay(attributes: ExactJsonObject, { kind = 'LLM', version = null as string | null } = {}) {
  const server = await openServer();
  const spanId = `${++count}`.padStart(16, '0');
  const { domain, ingest } = server;
  await domain.spans.create({ name: 'default' }, [
    {
      ...{ name: 'call', traceId: 'a'.repeat(32), spanId, parentId: null, spanKind: kind, statusCode: 'OK' },
      ...{ statusMessage: '', startTimeUnixNano: 1n, endTimeUnixNano: 2n, attributes, events: [] },
    },
  ]);
  assert.ok(ingest);
  await server.settled();
  const { getSpanByOtelId } = await server.ask(
    `query($id: String!, $version: ID){getSpanByOtelId(spanId:$id){replay(promptVersionId:$version)${REPLAY}}}`,
    { id: spanId, version },
  );
  return getSpanByOtelId.replay;
}

const MESSAGES = {
  'llm.input_messages.0.message.role': 'system',
  'llm.input_messages.0.message.content': 'You are brief.',
  'llm.input_messages.1.message.role': 'user',
  'llm.input_messages.1.message.content': 'What is a span?',
};

const VERSION = `{modelProvider: OPENAI, modelName: "gpt-4o", templateFormat: MUSTACHE, invocationParameters: {openai: {}},
  template: {messages: [{role: SYSTEM, content: [{text: {text: "You are {{style}}."}}]},
    {role: USER, content: [{text: {text: "What is {{thing}}?"}}]}]}}`;

async function createVersion(name: string): Promise<string> {
  const server = await openServer();
  const { createChatPrompt } = await server.ask(
    `mutation{createChatPrompt(input:{name:"${name}",promptVersion:${VERSION}}){version{id}}}`,
  );
  return createChatPrompt.version.id;
}

describe('the replay of a span', () => {
  test('has messages with images, tool calls and results, and its response', async () => {
    const { content, output, warnings } = await replay({
      'llm.model_name': 'gpt-4o',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.contents.0.message_content.type': 'text',
      'llm.input_messages.0.message.contents.0.message_content.text': 'Look',
      'llm.input_messages.0.message.contents.1.message_content.type': 'image',
      'llm.input_messages.0.message.contents.1.message_content.image.image.url': 'https://example.com/a.png',
      'llm.input_messages.1.message.role': 'assistant',
      'llm.input_messages.1.message.tool_calls.0.tool_call.id': 'c1',
      'llm.input_messages.1.message.tool_calls.0.tool_call.function.name': 'find',
      'llm.input_messages.1.message.tool_calls.0.tool_call.function.arguments': '{"q":1}',
      'llm.input_messages.2.message.role': 'tool',
      'llm.input_messages.2.message.tool_call_id': 'c1',
      'llm.input_messages.2.message.content': 'found',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'Nice.',
    });

    assert.deepEqual(content.template.messages, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', image: { url: 'https://example.com/a.png' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          {
            type: 'tool_call',
            tool_call_id: 'c1',
            tool_call: { type: 'function', name: 'find', arguments: '{"q":1}' },
          },
        ],
      },
      { role: 'tool', content: [{ type: 'tool_result', tool_call_id: 'c1', tool_result: 'found' }] },
    ]);
    assert.equal(content.template_format, 'NONE');
    assert.deepEqual(output, [{ role: 'assistant', content: 'Nice.' }]);
    assert.deepEqual(warnings, []);
  });

  test('finds provider and address', async () => {
    const cases: readonly (readonly [ExactJsonObject, string, object | null])[] = [
      [{ 'llm.provider': 'groq', 'llm.model_name': 'x' }, 'GROQ', null],
      [{ 'llm.provider': 'azure', 'llm.model_name': 'x' }, 'AZURE_OPENAI', null],
      [{ 'llm.model_name': 'accounts/fireworks/models/llama' }, 'FIREWORKS', null],
      [{ 'llm.model_name': 'claude-x', 'llm.provider': 'acme' }, 'ANTHROPIC', null],
      [{ 'llm.model_name': 'qwen3' }, 'OLLAMA', null],
      [{ 'llm.model_name': 'us.amazon.nova-pro' }, 'AWS', null],
      [
        { 'llm.provider': 'openai', 'url.full': 'http://gw:8080/v1/chat/completions', 'url.path': 'chat/completions' },
        'OPENAI',
        { baseUrl: 'http://gw:8080/v1', azureEndpoint: null, openaiApiType: 'CHAT_COMPLETIONS' },
      ],
      [
        { 'llm.provider': 'openai', 'url.full': 'https://api.openai.com/v1/responses', 'url.path': '/responses' },
        'OPENAI',
        { baseUrl: null, azureEndpoint: null, openaiApiType: 'RESPONSES' },
      ],
      [
        {
          'llm.provider': 'azure',
          'url.full': 'https://a.openai.azure.com/openai/deployments/d1/chat/completions',
          'url.path': 'chat/completions',
        },
        'AZURE_OPENAI',
        { baseUrl: null, azureEndpoint: 'https://a.openai.azure.com', openaiApiType: 'CHAT_COMPLETIONS' },
      ],
    ];
    for (const [attributes, provider, connection] of cases) {
      const { content, connection: found } = await replay({ ...MESSAGES, ...attributes });
      assert.equal(content.model_provider, provider);
      assert.deepEqual(found, connection);
      if (provider === 'AZURE_OPENAI' && connection) assert.equal(content.model_name, 'd1');
    }
  });

  test('reads parameters, tools, choice and format of every vendor', async () => {
    const schema = { type: 'object' };
    const tool = { type: 'function', function: { name: 'find', description: 'd', parameters: schema } };
    const format = { type: 'json_schema', json_schema: { name: 'response', schema } };
    const cases: readonly (readonly [string, object, object, object])[] = [
      [
        'openai',
        {
          temperature: 0.5,
          max_tokens: 9,
          tool_choice: 'required',
          response_format: format,
          parallel_tool_calls: false,
        },
        tool,
        { temperature: 0.5, max_tokens: 9 },
      ],
      [
        'openai',
        {
          ...{
            max_output_tokens: 9,
            reasoning: { effort: 'low' },
            tool_choice: 'required',
            parallel_tool_calls: false,
          },
          text: { format: { type: 'json_schema', name: 'response', schema } },
        },
        { type: 'function', name: 'find', description: 'd', parameters: schema },
        { max_completion_tokens: 9, reasoning_effort: 'low' },
      ],
      [
        'anthropic',
        {
          ...{ max_tokens: 9, thinking: { type: 'enabled', budget_tokens: 5 } },
          ...{ tool_choice: { type: 'any', disable_parallel_tool_use: true }, output_config: { format: { schema } } },
        },
        { name: 'find', description: 'd', input_schema: schema },
        { max_tokens: 9, thinking: { type: 'enabled', budget_tokens: 5 } },
      ],
      [
        'google',
        {
          generationConfig: { topP: 0.5, maxOutputTokens: 9, responseMimeType: 'a', responseJsonSchema: schema },
          toolConfig: { functionCallingConfig: { mode: 'ANY' } },
        },
        { functionDeclarations: [{ name: 'find', description: 'd', parametersJsonSchema: schema }] },
        { top_p: 0.5, max_output_tokens: 9 },
      ],
      [
        'aws',
        {
          ...{ inferenceConfig: { maxTokens: 9 }, toolConfig: { toolChoice: { any: {} } } },
          response_format: format,
        },
        { toolSpec: { name: 'find', description: 'd', inputSchema: { json: schema } } },
        { max_tokens: 9 },
      ],
    ];
    for (const [provider, invocation, vendorTool, parameters] of cases) {
      const { content, warnings } = await replay({
        ...MESSAGES,
        'llm.provider': provider,
        'llm.model_name': 'm',
        'llm.invocation_parameters': JSON.stringify(invocation),
        'llm.tools.0.tool.json_schema': JSON.stringify(vendorTool),
      });
      const { type } = content.invocation_parameters;
      assert.deepEqual(content.invocation_parameters[type], parameters, provider);
      assert.deepEqual(content.tools.tools, [tool], provider);
      assert.deepEqual(content.tools.tool_choice, { type: 'one_or_more' }, provider);
      assert.deepEqual(content.response_format, format, provider);
      assert.deepEqual(warnings, [], provider);
    }
  });

  test('has the variables and the template that the span contains', async () => {
    const template = '[{"role":"user","content":"What is {{thing}}?"}]';
    const { variables, variablesSource, templateContent } = await replay({
      ...{ ...MESSAGES, 'llm.model_name': 'gpt-4o', 'llm.prompt_template.template': template },
      'llm.prompt_template.variables': '{"thing":"a span","n":9007199254740993}',
    });

    assert.equal(variablesSource, 'RECORDED');
    assert.equal(variables.thing, 'a span');
    assert.deepEqual(templateContent.template.messages, [{ role: 'user', content: 'What is {{thing}}?' }]);
    assert.equal(templateContent.template_format, 'MUSTACHE');
  });

  test('recovers the variables by the version that the span names, or that the caller names', async () => {
    const version = await createVersion('named-by-span');
    const expected = { style: 'brief', thing: 'a span' };
    const value = toPromptVersionValue(Number(atob(version).split(':')[1]));
    assert.equal(value, version);

    const named = await replay({
      ...{ ...MESSAGES, 'llm.model_name': 'gpt-4o', 'llm.prompt_template.version': version },
    });
    const asked = await replay({ ...MESSAGES, 'llm.model_name': 'gpt-4o' }, { version });

    for (const found of [named, asked]) {
      assert.deepEqual(found.variables, expected);
      assert.equal(found.variablesSource, 'RECOVERED');
      assert.equal(found.promptVersion.id, version);
      assert.equal(found.templateContent.template.messages[0].content[0].text, 'You are {{style}}.');
    }
  });

  test('has a warning for each part that cannot be read, and keeps the rest', async () => {
    const { warnings, content } = await replay({
      'llm.input_messages': 'no list',
      'llm.output_messages': 'no list',
      'output.value': '{broken',
      'output.mime_type': 'application/json',
      'llm.invocation_parameters': '{"response_format":"x","vendor_word":1}',
      'llm.tools.0.tool.json_schema': '[]',
      'llm.prompt_template.variables': '[]',
    });

    assert.deepEqual(warnings.map(({ part }: { part: string }) => part).sort(), [
      ...['INPUT_MESSAGES', 'MODEL', 'OUTPUT_MESSAGES', 'OUTPUT_VALUE', 'PARAMETERS', 'RESPONSE_FORMAT', 'TOOLS'],
      'VARIABLES',
    ]);
    assert.equal(content.model_provider, 'OPENAI');
  });

  test('is absent for spans that call no model, and rejects an unknown version', async () => {
    assert.equal(await replay({ ...MESSAGES }, { kind: 'CHAIN' }), null);
    await assert.rejects(replay({ ...MESSAGES }, { version: toGlobalId('PromptVersion', 999) }), /could not be found/);
  });
});
