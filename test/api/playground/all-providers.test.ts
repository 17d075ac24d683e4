import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MODEL_VENDORS } from '../../../src/model/models/model-vendors.ts';
import { familyOf } from '../../../src/model/prompts/prompt-parameters.ts';
import { startVendorEndpoint, type VendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { ACCEPT, readPayloads, TRANSPORTS, type Transport } from '../graphql/subscriptions/stream-readers.ts';
import { shareTestServer, type TestServer } from '../test-server.ts';
import {
  type Connection,
  connectToEndpoint,
  connectToVendor,
  PROVIDER_CASES,
  type ProviderCase,
  TEST_KEY,
} from './provider-cases.ts';

/** `npm run try-vendors` sets it: then vendors are called whose keys are set, and not an endpoint of the test. */
const IS_REAL = process.env.TRY_VENDORS === '1';

const CHAT = `subscription ($input: ChatCompletionInput!) {
  chatCompletion(input: $input) {
    __typename
    ... on TextChunk { content }
    ... on ToolCallChunk { id function { name arguments } }
    ... on ChatCompletionSubscriptionError { message }
    ... on ChatCompletionSubscriptionResult { span { id statusCode tokenCountPrompt tokenCountCompletion attributes } }
  }
}`;

const CITY = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const PROMPT = IS_REAL ? 'Answer with the one word pong, in lower case.' : 'Answer. [[say pong]]';
const TOOL_PROMPT = IS_REAL ? 'What is the weather in Oslo?' : 'Weather? [[tool weather {"city":"Oslo"}]]';

const openServer = shareTestServer();

describe('chatCompletion', () => {
  let endpoint: VendorEndpoint;
  let server: TestServer;

  before(async () => {
    endpoint = await startVendorEndpoint();
    server = await openServer();
  });

  after(() => endpoint.close());

  const connect = (given: ProviderCase): Connection => {
    const connection = IS_REAL ? connectToVendor(given, process.env) : connectToEndpoint(given, endpoint.url);
    return 'missing' in connection ? assert.fail(`needs ${connection.missing.join(', ')}`) : connection;
  };

  async function run(given: ProviderCase, transport: Transport, isStreamed: boolean, prompt: string, changes = {}) {
    const { model, connectionConfig, credentials } = connect(given);
    const family = familyOf(given.provider);
    const promptVersion = {
      templateFormat: 'NONE',
      template: { messages: [{ role: 'USER', content: [{ text: { text: prompt } }] }] },
      invocationParameters: { [family]: family === 'anthropic' ? { maxTokens: 300 } : {} },
      modelProvider: given.provider,
      modelName: model,
      ...changes,
    };
    const input = { promptVersion, connectionConfig, credentials, repetitions: 1, streamModelOutput: isStreamed };
    const response = await fetch(`${server.address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: ACCEPT[transport] },
      body: JSON.stringify({ query: CHAT, variables: { input } }),
    });
    const payloads = await readPayloads(response);
    return payloads.map(({ data, errors }) => data?.chatCompletion ?? assert.fail(JSON.stringify(errors)));
  }

  for (const given of PROVIDER_CASES) {
    const skip = IS_REAL && missingFor(given);

    for (const transport of TRANSPORTS) {
      for (const isStreamed of [true, false]) {
        test(`${given.name}: ${isStreamed ? 'streams' : 'sends'} text over ${transport}`, { skip }, async () => {
          const cells = await run(given, transport, isStreamed, PROMPT);

          const texts = cells.filter(({ __typename }) => __typename === 'TextChunk').map(({ content }) => content);
          assert.match(texts.join(''), IS_REAL ? /pong/i : /^pong$/, JSON.stringify(cells));
          const { __typename, span } = cells.at(-1);
          assert.equal(__typename, 'ChatCompletionSubscriptionResult');
          assert.equal(span.statusCode, 'OK');
          assert.ok(span.tokenCountPrompt > 0 && span.tokenCountCompletion > 0);
          const { llm } = JSON.parse(span.attributes);
          const vendor = MODEL_VENDORS[given.provider];
          assert.deepEqual([llm.provider, llm.system], [vendor.providerWord, vendor.system]);
          assert.doesNotMatch(span.attributes, new RegExp(TEST_KEY));
          if (!IS_REAL) checkCall(given, isStreamed);
        });
      }
    }

    const noTools = given.hasTools ? skip : 'the vendor has no tools';
    test(`${given.name}: calls a function`, { skip: noTools }, async () => {
      const tools = {
        tools: [{ function: { name: 'weather', description: 'The weather in a city.', parameters: CITY } }],
        toolChoice: { oneOrMore: true },
      };
      for (const isStreamed of [true, false]) {
        const cells = await run(given, 'sse', isStreamed, TOOL_PROMPT, { tools });

        const calls = cells.filter(({ __typename }) => __typename === 'ToolCallChunk');
        assert.equal(new Set(calls.map(({ id }) => id)).size, 1, JSON.stringify(cells));
        assert.equal(calls[0].function.name, 'weather');
        const json = JSON.parse(calls.map((call) => call.function.arguments).join(''));
        assert.match(json.city, /Oslo/);
      }
    });
  }

  function checkCall(given: ProviderCase, isStreamed: boolean): void {
    const call = endpoint.calls.at(-1)!;
    assert.equal(call.protocol, given.protocol);
    assert.equal(call.prompt.isStreamed, isStreamed);
    assert.equal(call.prompt.model, 'test-model');
    const headers = JSON.stringify(call.headers);
    if (MODEL_VENDORS[given.provider].credentials.length > 0) assert.match(headers, new RegExp(TEST_KEY));
  }
});

function missingFor(given: ProviderCase): string | false {
  const connection = connectToVendor(given, process.env);
  return 'missing' in connection && `set ${connection.missing.join(' and ')}`;
}
