import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExactJsonObject, ExactNumber } from '../../src/base/exact-json.ts';
import type { InvocationParameters } from '../../src/model/prompts/prompt-parameters.ts';
import type { ChatMessage, ChatRequest } from '../../src/llm/contract/chat-model.ts';
import {
  callOnce,
  EXACT_SCHEMA,
  exact,
  OWN_VENDORS,
  type OwnVendor,
  openVendorTest,
  requestOf,
} from './vendor-fixtures.ts';

const SCHEMA = exact(EXACT_SCHEMA) as ExactJsonObject;
const number = (text: string) => exact(text) as ExactNumber;
const ARGUMENTS = '{"zip":9007199254740993,"share":1.0}';

const MESSAGES: readonly ChatMessage[] = [
  { role: 'system', parts: [{ type: 'text', text: 'Be exact.' }] },
  { role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'What is “it”? \u0007 </script>' },
      { type: 'image', url: 'data:image/png;base64,aGVsbG8=' },
    ],
  },
  {
    role: 'assistant',
    parts: [
      { type: 'text', text: 'I look.' },
      { type: 'toolCall', toolCall: { id: 'c1', name: 'find', arguments: ARGUMENTS } },
      { type: 'toolCall', toolCall: { id: 'c2', name: 'count', arguments: '' } },
    ],
  },
  { role: 'tool', parts: [{ type: 'toolResult', toolCallId: 'c1', result: exact('{"n":1.0}') }] },
  { role: 'tool', parts: [{ type: 'toolResult', toolCallId: 'c2', result: 'seven' }] },
];

const PARAMETERS: Record<OwnVendor, InvocationParameters> = {
  anthropic: {
    type: 'anthropic',
    anthropic: {
      max_tokens: 2_000,
      temperature: number('1.0'),
      top_p: 0.5,
      stop_sequences: ['END'],
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      output_config: { effort: 'low' },
      extra_body: exact('{"top_k":5,"metadata":{"user_id":"u","weight":1.50}}') as ExactJsonObject,
    },
  },
  google: {
    type: 'google',
    google: {
      temperature: number('1.0'),
      max_output_tokens: 2_000,
      top_k: 5,
      stop_sequences: ['END'],
      thinking_config: { thinking_level: 'low' },
    },
  },
  bedrock: { type: 'aws', aws: { temperature: number('1.0'), max_tokens: 2_000, top_p: 0.5, stop_sequences: ['END'] } },
};

/** Written by hand from the documents of the vendors. */
const BODIES: Record<OwnVendor, string> = {
  anthropic: `{"model":"test-model","max_tokens":2000,"messages":[{"role":"user","content":[{"type":"text","text":"What is “it”? \\u0007 </script>"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGVsbG8="}}]},{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"find","input":${ARGUMENTS}},{"type":"tool_use","id":"c2","name":"count","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"{\\"n\\":1.0}"},{"type":"tool_result","tool_use_id":"c2","content":"seven"}]}],"system":"Be exact.\\nBe kind.\\n","temperature":1.0,"top_p":0.5,"stop_sequences":["END"],"thinking":{"type":"enabled","budget_tokens":1024},"output_config":{"effort":"low","format":{"type":"json_schema","schema":${EXACT_SCHEMA}}},"tools":[{"name":"find","description":"Finds.","input_schema":${EXACT_SCHEMA},"strict":true},{"type":"web_search_20250305","name":"web_search","max_uses":1.0}],"tool_choice":{"type":"tool","name":"find","disable_parallel_tool_use":true},"top_k":5,"metadata":{"user_id":"u","weight":1.50}}`,
  google: `{"contents":[{"role":"user","parts":[{"text":"What is “it”? \\u0007 </script>"},{"inlineData":{"mimeType":"image/png","data":"aGVsbG8="}}]},{"role":"model","parts":[{"text":"I look."},{"functionCall":{"id":"c1","name":"find","args":${ARGUMENTS}}},{"functionCall":{"id":"c2","name":"count","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"find","response":{"n":1.0}}},{"functionResponse":{"id":"c2","name":"count","response":{"result":"seven"}}}]}],"systemInstruction":{"parts":[{"text":"Be exact.\\nBe kind."}]},"tools":[{"functionDeclarations":[{"name":"find","description":"Finds.","parametersJsonSchema":${EXACT_SCHEMA}}]},{"type":"web_search_20250305","name":"web_search","max_uses":1.0}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["find"]}},"generationConfig":{"temperature":1.0,"maxOutputTokens":2000,"stopSequences":["END"],"topK":5,"thinkingConfig":{"thinkingLevel":"LOW","includeThoughts":true},"responseMimeType":"application/json","responseJsonSchema":${EXACT_SCHEMA}}}`,
  bedrock: `{"messages":[{"role":"user","content":[{"text":"What is “it”? \\u0007 </script>"},{"image":{"format":"png","source":{"bytes":"aGVsbG8="}}}]},{"role":"assistant","content":[{"text":"I look."},{"toolUse":{"toolUseId":"c1","name":"find","input":${ARGUMENTS}}},{"toolUse":{"toolUseId":"c2","name":"count","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":[{"json":{"n":1.0}}]}},{"toolResult":{"toolUseId":"c2","content":[{"text":"seven"}]}}]}],"system":[{"text":"Be exact.\\nBe kind."}],"inferenceConfig":{"maxTokens":2000,"temperature":1.0,"topP":0.5,"stopSequences":["END"]},"toolConfig":{"tools":[{"toolSpec":{"name":"find","description":"Finds.","inputSchema":{"json":${EXACT_SCHEMA}},"strict":true}},{"type":"web_search_20250305","name":"web_search","max_uses":1.0}],"toolChoice":{"tool":{"name":"find"}}},"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"schema":${JSON.stringify(EXACT_SCHEMA)},"name":"result"}}}}}`,
};

function fullRequest(vendor: OwnVendor, isStreamed: boolean): ChatRequest {
  return requestOf(vendor, MESSAGES, {
    parameters: PARAMETERS[vendor],
    isStreamed,
    tools: {
      type: 'tools',
      tools: [
        { type: 'function', function: { name: 'find', description: 'Finds.', parameters: SCHEMA, strict: true } },
        {
          type: 'raw',
          raw: exact('{"type":"web_search_20250305","name":"web_search","max_uses":1.0}') as ExactJsonObject,
        },
      ],
      tool_choice: { type: 'specific_function', function_name: 'find' },
      disable_parallel_tool_calls: true,
    },
    responseFormat: { type: 'json_schema', json_schema: { name: 'result', schema: SCHEMA } },
  });
}

test('the vendor receives what the prompt stores, to the letter', async (t) => {
  const vendors = await openVendorTest(t, { answer: () => ({ text: 'fine' }) });
  for (const vendor of OWN_VENDORS) {
    for (const isStreamed of [false, true]) {
      const { sent, arrived } = await callOnce(vendors, vendors.open(vendor), fullRequest(vendor, isStreamed));

      const expected =
        isStreamed && vendor === 'anthropic' ? BODIES[vendor].replace(/}$/, ',"stream":true}') : BODIES[vendor];
      assert.equal(arrived.bodyText, expected, vendor);
      assert.equal(sent.bodyText, expected, vendor);
      assert.equal(arrived.prompt.isStreamed, isStreamed);
      assert.equal(arrived.prompt.model, 'test-model');
    }
  }
});

test('describes the request without its messages, and tools in the form of the vendor', async (t) => {
  const vendors = await openVendorTest(t, { answer: () => ({ text: 'fine' }) });
  const keys: Record<string, string[]> = {};
  for (const vendor of OWN_VENDORS) {
    const { sent } = await callOnce(vendors, vendors.open(vendor), fullRequest(vendor, false));
    keys[vendor] = Object.keys(sent.parameters);
    assert.deepEqual(sent.tools.length, 2);
    assert.deepEqual(
      sent.url,
      vendor === 'anthropic' ? { full: `${vendors.endpoint.url}/v1/messages`, path: '/v1/messages' } : undefined,
    );
  }

  assert.deepEqual(keys, {
    anthropic: [
      ...['max_tokens', 'temperature', 'top_p', 'stop_sequences', 'thinking', 'output_config', 'tool_choice'],
      ...['top_k', 'metadata'],
    ],
    google: ['toolConfig', 'generationConfig'],
    bedrock: ['inferenceConfig', 'outputConfig', 'toolConfig'],
  });
});

test('sends headers of the connection, and none of the process', async (t) => {
  process.env.ANTHROPIC_CUSTOM_HEADERS = 'x-of-process: secret\nauthorization: Bearer of-process';
  process.env.AWS_BEARER_TOKEN_BEDROCK = 'of-process';
  process.env.GOOGLE_GENAI_USE_VERTEXAI = 'true';
  t.after(() => {
    delete process.env.ANTHROPIC_CUSTOM_HEADERS;
    delete process.env.AWS_BEARER_TOKEN_BEDROCK;
    delete process.env.GOOGLE_GENAI_USE_VERTEXAI;
  });
  const vendors = await openVendorTest(t);
  for (const vendor of OWN_VENDORS) {
    const modelName = vendor === 'google' ? 'tunedModels/one' : 'a/model:0';
    const model = vendors.open(vendor, { headers: { 'X-Mine': 'yes' }, modelName });
    const { arrived } = await callOnce(vendors, model, requestOf(vendor, 'Hi'));

    assert.equal(arrived.headers['x-mine'], 'yes', vendor);
    assert.doesNotMatch(JSON.stringify(arrived.headers), /of-process/, vendor);
    assert.equal(arrived.headers['content-type'], 'application/json');
    assert.equal(arrived.prompt.model, modelName.replace('tunedModels/', ''));
  }
});

test('a choice "none" keeps the model from calling', async (t) => {
  const vendors = await openVendorTest(t);
  const tools = {
    type: 'tools',
    tools: [{ type: 'function', function: { name: 'find' } }],
    tool_choice: { type: 'none' },
  } as const;
  const choices: unknown[] = [];
  for (const vendor of OWN_VENDORS) {
    const { arrived } = await callOnce(vendors, vendors.open(vendor), requestOf(vendor, 'Hi', { tools }));
    const { tool_choice, toolConfig } = arrived.prompt.body;
    choices.push(tool_choice ?? toolConfig ?? 'no tools');
  }

  assert.deepEqual(choices, [{ type: 'none' }, { functionCallingConfig: { mode: 'NONE' } }, 'no tools']);
});
