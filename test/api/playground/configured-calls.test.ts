import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { VendorProtocol } from '../../vendor-endpoint/vendor-call.ts';
import { startVendorEndpoint, type VendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { ACCEPT, readPayloads, TRANSPORTS, type Transport } from '../graphql/subscriptions/stream-readers.ts';
import { shareTestServer, type TestServer } from '../test-server.ts';
import { connectToEndpoint, PROVIDER_CASES, type ProviderCase } from './provider-cases.ts';

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
  additionalProperties: false,
};
const ANSWER = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };

const TOOLS = {
  tools: [
    { function: { name: 'weather', description: 'The weather in a city.', parameters: SCHEMA, strict: true } },
    { raw: { type: 'web_search', max_uses: 2 } },
  ],
  toolChoice: { functionName: 'weather' },
  disableParallelToolCalls: true,
};
const RESPONSE_FORMAT = { type: 'json_schema', jsonSchema: { name: 'answer', schema: ANSWER, strict: true } };

const RAW_TOOL = { type: 'web_search', max_uses: 2 };
const FUNCTION = { name: 'weather', description: 'The weather in a city.', parameters: SCHEMA, strict: true };

/** What each protocol receives beside model, messages and stream, written by hand from the documents of the vendors. */
const ARRIVED: Readonly<Record<VendorProtocol, object>> = {
  'openai-chat': {
    temperature: 1,
    max_completion_tokens: 300,
    top_p: 0.5,
    stop: ['END'],
    tools: [{ type: 'function', function: FUNCTION }, RAW_TOOL],
    tool_choice: { type: 'function', function: { name: 'weather' } },
    parallel_tool_calls: false,
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: ANSWER, strict: true } },
  },
  'openai-responses': {
    temperature: 1,
    max_output_tokens: 300,
    top_p: 0.5,
    stop: ['END'],
    tools: [{ type: 'function', ...FUNCTION }, RAW_TOOL],
    tool_choice: { type: 'function', name: 'weather' },
    parallel_tool_calls: false,
    text: { format: { type: 'json_schema', name: 'answer', schema: ANSWER, strict: true } },
  },
  'anthropic-messages': {
    temperature: 1,
    max_tokens: 300,
    top_p: 0.5,
    stop_sequences: ['END'],
    tools: [{ name: 'weather', description: 'The weather in a city.', input_schema: SCHEMA, strict: true }, RAW_TOOL],
    tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
    output_config: { format: { type: 'json_schema', schema: ANSWER } },
  },
  'google-generate-content': {
    generationConfig: {
      temperature: 1,
      maxOutputTokens: 300,
      topP: 0.5,
      stopSequences: ['END'],
      responseMimeType: 'application/json',
      responseJsonSchema: ANSWER,
    },
    tools: [
      {
        functionDeclarations: [
          { name: 'weather', description: 'The weather in a city.', parametersJsonSchema: SCHEMA },
        ],
      },
      RAW_TOOL,
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
  },
  'bedrock-converse': {
    inferenceConfig: { temperature: 1, maxTokens: 300, topP: 0.5, stopSequences: ['END'] },
    toolConfig: {
      tools: [
        {
          toolSpec: {
            name: 'weather',
            description: 'The weather in a city.',
            inputSchema: { json: SCHEMA },
            strict: true,
          },
        },
        RAW_TOOL,
      ],
      toolChoice: { tool: { name: 'weather' } },
    },
    outputConfig: {
      textFormat: {
        type: 'json_schema',
        structure: { jsonSchema: { schema: JSON.stringify(ANSWER), name: 'answer' } },
      },
    },
  },
};

/** The same parameters in the form of a family, and in the older one by the names of the vendor. */
const PARAMETERS: Readonly<Record<VendorProtocol, Readonly<Record<'of a family' | 'plain', object>>>> = {
  'openai-chat': {
    'of a family': { openai: { temperature: 1, maxTokens: 300, topP: 0.5, stop: ['END'] } },
    plain: { temperature: 1, max_tokens: 300, top_p: 0.5, stop: ['END'] },
  },
  'openai-responses': {
    'of a family': { openai: { temperature: 1, maxCompletionTokens: 300, topP: 0.5, stop: ['END'] } },
    plain: { temperature: 1, max_completion_tokens: 300, top_p: 0.5, stop: ['END'] },
  },
  'anthropic-messages': {
    'of a family': { anthropic: { temperature: 1, maxTokens: 300, topP: 0.5, stopSequences: ['END'] } },
    plain: { temperature: 1, max_tokens: 300, top_p: 0.5, stop_sequences: ['END'] },
  },
  'google-generate-content': {
    'of a family': { google: { temperature: 1, maxOutputTokens: 300, topP: 0.5, stopSequences: ['END'] } },
    plain: { temperature: 1, max_output_tokens: 300, top_p: 0.5, stop_sequences: ['END'] },
  },
  'bedrock-converse': {
    'of a family': { aws: { temperature: 1, maxTokens: 300, topP: 0.5, stopSequences: ['END'] } },
    plain: { temperature: 1, max_tokens: 300, top_p: 0.5, stop_sequences: ['END'] },
  },
};

/** Fields of a body that are no configuration. */
const CONTENT: ReadonlySet<string> = new Set(['model', 'messages', 'input', 'contents', 'stream', 'stream_options']);

const PROTOCOL_CASES = Object.keys(ARRIVED).map(
  (protocol) => PROVIDER_CASES.find((one) => one.protocol === protocol) ?? assert.fail(protocol),
);

const SELECTION = `{ __typename
  ... on ToolCallChunk { id function { name arguments } }
  ... on ChatCompletionSubscriptionError { message }
  ... on ChatCompletionSubscriptionResult { span { attributes } } }`;

const openServer = shareTestServer();

describe('what a call is configured with arrives at the vendor', () => {
  let endpoint: VendorEndpoint;
  let server: TestServer;

  before(async () => {
    endpoint = await startVendorEndpoint();
    server = await openServer();
  });

  after(() => endpoint.close());

  const inputOf = (given: ProviderCase, isStreamed: boolean, invocationParameters: object) => {
    const { model, connectionConfig, credentials } = connectToEndpoint(given, endpoint.url);
    const promptVersion = {
      templateFormat: 'NONE',
      template: { messages: [{ role: 'USER', content: [{ text: { text: 'Weather in Oslo?' } }] }] },
      ...{ invocationParameters, tools: TOOLS, responseFormat: RESPONSE_FORMAT },
      modelProvider: given.provider,
      modelName: model,
    };
    return { promptVersion, connectionConfig, credentials, repetitions: 1, streamModelOutput: isStreamed };
  };

  async function run(transport: Transport, query: string, variables: object) {
    const response = await fetch(`${server.address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: ACCEPT[transport] },
      body: JSON.stringify({ query, variables }),
    });
    if (response.headers.get('content-type') === 'application/json') assert.fail(await response.text());
    const payloads = await readPayloads(response);
    return payloads.map(({ data, errors }) => data?.chatCompletion ?? assert.fail(JSON.stringify(errors)));
  }

  // biome-ignore lint/suspicious/noExplicitAny: the operation determines the shape
  function check(cells: readonly any[], { protocol }: ProviderCase, isStreamed: boolean): void {
    const calls = cells.filter(({ __typename }) => __typename === 'ToolCallChunk');
    assert.equal(calls[0]?.function.name, 'weather', JSON.stringify(cells));
    const call = endpoint.calls.at(-1) ?? assert.fail('no call has arrived');
    assert.equal(call.prompt.isStreamed, isStreamed);
    const configured = Object.entries(call.prompt.body as Record<string, unknown>).filter(
      ([name]) => !CONTENT.has(name),
    );
    assert.deepEqual(Object.fromEntries(configured), ARRIVED[protocol]);
    // The record says what was sent.
    const { llm } = JSON.parse(cells.at(-1).span.attributes);
    const tools = llm.tools.map(({ tool }: { tool: { json_schema: string } }) => tool.json_schema).join();
    assert.match(tools, /"weather"[\s\S]*"web_search"/);
  }

  for (const given of PROTOCOL_CASES) {
    for (const isStreamed of [true, false]) {
      const how = isStreamed ? 'streamed' : 'whole';
      for (const form of ['of a family', 'plain'] as const) {
        const parameters = PARAMETERS[given.protocol][form];
        for (const transport of TRANSPORTS) {
          test(`${given.protocol}, ${how}, over ${transport}, parameters ${form} in variables`, async () => {
            const query = `subscription ($input: ChatCompletionInput!) { chatCompletion(input: $input) ${SELECTION} }`;
            check(await run(transport, query, { input: inputOf(given, isStreamed, parameters) }), given, isStreamed);
          });
        }

        test(`${given.protocol}, ${how}, parameters ${form} in the text of the document`, async () => {
          const literal = toLiteral(inputOf(given, isStreamed, parameters));
          const query = `subscription { chatCompletion(input: ${literal}) ${SELECTION} }`;
          check(await run('multipart', query, {}), given, isStreamed);
        });
      }

      test(`${given.protocol}, ${how}, variables among plain parameters in the text of the document`, async () => {
        const { temperature: _, ...plain } = PARAMETERS[given.protocol].plain as Record<string, unknown>;
        const literal = toLiteral(inputOf(given, isStreamed, plain)).replace(
          'invocationParameters:{',
          'invocationParameters:{temperature:$t,',
        );
        const query = `subscription ($t: Float = 1) { chatCompletion(input: ${literal}) ${SELECTION} }`;
        check(await run('multipart', query, {}), given, isStreamed);
      });
    }
  }

  test('a name that a family does not know is an error in the text of a document, too', async () => {
    const given = PROTOCOL_CASES.find(({ provider }) => provider === 'AWS')!;
    endpoint.clear();
    const query = `subscription { chatCompletion(input: ${toLiteral(inputOf(given, true, { top_k: 3 }))}) { __typename } }`;
    const { errors = [] } = await server.post(query);

    assert.match(errors.join(), /"top_k" is not defined by type "PromptAwsInvocationParametersInput"/);
    assert.equal(endpoint.calls.length, 0);
  });
});

/** Fields whose values are names of enumerations. */
const ENUM_FIELDS: ReadonlySet<string> = new Set(['templateFormat', 'role', 'modelProvider', 'openaiApiType']);

function toLiteral(value: unknown, field = ''): string {
  if (Array.isArray(value)) return `[${value.map((item) => toLiteral(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null)
    return ENUM_FIELDS.has(field) ? String(value) : JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, one]) => `${name}:${toLiteral(one, name)}`)
    .join(',')}}`;
}
