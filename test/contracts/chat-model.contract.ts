import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ExactJsonObject, ExactNumber } from '../../src/base/exact-json.ts';
import type { InvocationParameters } from '../../src/model/prompts/prompt-parameters.ts';
import type { PromptTools } from '../../src/model/prompts/prompt-tools.ts';
import type {
  CallOptions,
  ChatMessage,
  ChatPart,
  ChatPiece,
  ChatRequest,
  ChatResponse,
  SentRequest,
} from '../../src/llm/contract/chat-model.ts';
import type { ChatModels } from '../../src/llm/contract/chat-models.ts';
import { ModelError, type ModelErrorKind } from '../../src/llm/contract/model-error.ts';
import type { ModelTarget } from '../../src/llm/contract/model-target.ts';
import { openChatModels } from '../../src/llm/open-chat-models.ts';
import { NO_PROXIES } from '../../src/llm/transport/proxy-settings.ts';
import type { TransportOptions } from '../../src/llm/transport/vendor-transport.ts';
import type { VendorAnswer, VendorFault } from '../vendor-endpoint/vendor-answer.ts';
import type { VendorCall, VendorProtocol } from '../vendor-endpoint/vendor-call.ts';
import { startVendorEndpoint, type VendorEndpoint } from '../vendor-endpoint/vendor-endpoint.ts';

/** What differs between the protocols. */
export interface ProtocolCase {
  readonly protocol: VendorProtocol;
  /** A model at an endpoint, with `KEY` or a wrong key. */
  target(endpointUrl: string, options: { readonly key: string; readonly modelName: string }): ModelTarget;
  /** Parameters with `TEMPERATURE`, and the parameters that are always needed. */
  readonly parameters: InvocationParameters;
  /** The vendor's words. */
  readonly finish: { readonly stop: string; readonly length: string; readonly toolCalls: string };
  /** Token counts of `USAGE` as far as the vendor states them. */
  readonly usage: ChatResponse['usage'];
  /** What the test of credentials calls with the right key. Default: the list of models. */
  readonly llmSystem: string;
  readonly llmProvider: string;
}

export const KEY = 'sk-0123456789abcdef-correct';
export const WRONG_KEY = 'sk-0123456789abcdef-wrong';
/** A number that `JSON.stringify` would print as `0.5`. */
export const TEMPERATURE = new ExactNumber('0.50');
export const USAGE = { prompt: 100, completion: 20, cacheRead: 30, cacheWrite: 10, reasoning: 5 };

const HUGE = new ExactNumber('9007199254740993');
const FORMS = [true, false] as const;

/** Every protocol passes this suite against an endpoint that speaks as its vendor does. */
export function testChatModel(given: ProtocolCase): void {
  describe(`${given.protocol}`, () => {
    const world = new World(given);
    before(() => world.open());
    after(() => world.close());
    testResponses(world);
    testRequests(world);
    testTools(world);
    testFailures(world);
    testStops(world);
    testTargets(world);
  });
}

function testResponses(world: World): void {
  test('a streamed response is the same as one that is not', async () => {
    const answer: VendorAnswer = { text: ['Héllo', ' wörld', ' 🙂', '\n'], reasoning: 'Some thoughts.', usage: USAGE };
    const [streamed, whole] = await Promise.all(FORMS.map((isStreamed) => world.call({ isStreamed }, answer)));

    for (const { response, text } of [streamed!, whole!]) {
      assert.equal(response.text, 'Héllo wörld 🙂\n');
      assert.equal(text, response.text);
      assert.equal(response.finishReason, world.given.finish.stop);
      assert.deepEqual(response.usage, world.given.usage);
      assert.deepEqual(response.toolCalls, []);
    }
    assert.equal(streamed!.response.reasoning, whole!.response.reasoning);
    assert.ok(streamed!.pieces.filter(({ type }) => type === 'text').length > 1);
    assert.equal(whole!.pieces.filter(({ type }) => type === 'text').length, 1);
  });

  test('the whole response is the output of one that is not streamed', async () => {
    const { response } = await world.call({ isStreamed: false }, { text: 'Hello' });

    const { text, isJson } = response.output;
    assert.ok(text.includes('Hello'));
    if (isJson) assert.equal(typeof JSON.parse(text), 'object');
    else assert.equal(text, response.text);
  });

  test('an empty response has no text', async () => {
    for (const isStreamed of FORMS) {
      const { response, pieces } = await world.call({ isStreamed }, { text: '' });

      assert.equal(response.text, '');
      assert.deepEqual(pieces, []);
    }
  });

  test('a response at the limit of its length is marked', async () => {
    for (const isStreamed of FORMS) {
      const { response } = await world.call({ isStreamed }, { text: 'cut', finish: 'length' });

      assert.equal(response.finishReason, world.given.finish.length);
    }
  });
}

function testRequests(world: World): void {
  test('a request is reported as it was sent, once', async () => {
    for (const isStreamed of FORMS) {
      const { sent, call } = await world.call({ isStreamed }, {});

      assert.equal(sent.length, 1);
      assert.equal(sent[0]!.bodyText, call.bodyText);
      assert.deepEqual(JSON.parse(call.bodyText), JSON.parse(JSON.stringify(plain(sent[0]!.body))));
      if (sent[0]!.url) assert.ok(sent[0]!.url.full.endsWith(sent[0]!.url.path));
      assert.ok(!JSON.stringify(plain({ ...sent[0]! })).includes(KEY));
    }
  });

  test('numbers go out to the letter', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'number', maximum: HUGE, multipleOf: new ExactNumber('1.0') } },
    };
    for (const isStreamed of FORMS) {
      const { call } = await world.call(
        { isStreamed, tools: tools({ schema }), parameters: world.given.parameters },
        { text: 'ok' },
      );

      assert.match(call.bodyText, /"[tT]emperature":0\.50[,}]/);
      assert.match(call.bodyText, /9007199254740993/);
      assert.match(call.bodyText, /"multipleOf":1\.0[,}]/);
    }
  });

  test('messages of all roles reach the vendor', async () => {
    const id = 'call_1';
    const messages: ChatMessage[] = [
      message('system', text('Be brief.')),
      message('user', text('First part'), text('second part')),
      message('assistant', text('Looking up.'), {
        type: 'toolCall',
        toolCall: { id, name: 'look_up', arguments: '{"city":"Köln"}' },
      }),
      message('tool', { type: 'toolResult', toolCallId: id, result: 'It rains.' }),
      message('user', text('And now?')),
    ];
    for (const isStreamed of FORMS) {
      const { call } = await world.call({ isStreamed, messages, tools: tools({}) }, { text: 'ok' });

      for (const part of [
        'Be brief.',
        'First part',
        'second part',
        'Looking up.',
        'look_up',
        'Köln',
        'It rains.',
        'And now?',
      ]) {
        assert.ok(call.bodyText.includes(part), `${part} in ${call.bodyText}`);
      }
    }
  });

  test('results of tools that are no text arrive as JSON', async () => {
    const messages = [
      message('user', text('Hi')),
      message('assistant', { type: 'toolCall', toolCall: { id: 'a', name: 'look_up', arguments: '{}' } }),
      message('tool', { type: 'toolResult', toolCallId: 'a', result: { degrees: HUGE } }),
    ];
    const { call } = await world.call({ messages, tools: tools({}) }, { text: 'ok' });

    assert.match(call.bodyText, /degrees\\*":\s*9007199254740993/);
  });

  test('images arrive with their bytes and type', async () => {
    const image: ChatPart = { type: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' };
    const { call } = await world.call({ messages: [message('user', text('What is this?'), image)] }, { text: 'ok' });

    assert.ok(call.bodyText.includes('iVBORw0KGgo='));
    assert.match(call.bodyText, /png/);
    assert.ok(call.bodyText.includes('What is this?'));
  });

  test('a response format arrives with its schema', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const { call, response } = await world.call(
      { responseFormat: { type: 'json_schema', json_schema: { name: 'place', schema } } },
      { text: '{"city":"Köln"}' },
    );

    assert.deepEqual(call.prompt.format, schema);
    assert.equal(response.text, '{"city":"Köln"}');
  });

  test('keys that objects inherit are ordinary data', async () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}');
    const { call } = await world.call({ tools: tools({ schema }) }, { text: 'ok' });

    assert.match(call.bodyText, /"__proto__":\{"type":"string"\}/);
    assert.equal(({} as Record<string, unknown>).type, undefined);
  });
}

function testTools(world: World): void {
  test('parallel calls are distinguished, with any arguments', async () => {
    const toolCalls = [
      { id: 'call_a', name: 'look_up', arguments: { city: 'Köln "am Rhein"', days: [1, 2, 3] } },
      { id: 'call_b', name: 'look_up', arguments: { city: 'Berlin, the capital of the country' } },
      { id: 'call_c', name: 'other', arguments: {} },
    ];
    for (const isStreamed of FORMS) {
      const { response, pieces } = await world.call(
        { isStreamed, tools: tools({}) },
        { text: 'Just a moment.', toolCalls },
      );

      assert.deepEqual(
        response.toolCalls.map(({ name, arguments: args }) => [name, JSON.parse(args)]),
        toolCalls.map(({ name, arguments: args }) => [name, args]),
      );
      assert.equal(new Set(response.toolCalls.map(({ id }) => id)).size, 3);
      assert.equal(response.text, 'Just a moment.');
      assert.deepEqual(joinCalls(pieces), response.toolCalls);
      assert.ok(response.output.isJson);
      assert.match(response.output.text, /look_up/);
    }
  });

  test('a response with only tool calls has no text', async () => {
    for (const isStreamed of FORMS) {
      const { response } = await world.call(
        { isStreamed, tools: tools({}) },
        { text: '', toolCalls: [{ name: 'look_up', arguments: { city: 'Rom' } }] },
      );

      assert.equal(response.text, '');
      assert.equal(response.finishReason, world.given.finish.toolCalls);
      assert.notEqual(response.toolCalls[0]!.id, '');
    }
  });

  test('tools arrive with their schema, and each choice in the form of the vendor', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } };
    const choices = [
      [{ type: 'zero_or_more' }, 'auto'],
      [{ type: 'one_or_more' }, 'some'],
      [{ type: 'specific_function', function_name: 'other' }, { name: 'other' }],
    ] as const;
    for (const [tool_choice, expected] of choices) {
      const { call, sent } = await world.call({ tools: { ...tools({ schema }), tool_choice } }, { text: 'ok' });

      assert.deepEqual(call.prompt.choice, expected);
      assert.deepEqual(
        call.prompt.tools.map(({ name }) => name),
        ['look_up', 'other'],
      );
      assert.deepEqual(call.prompt.tools[0]!.schema, schema);
      assert.ok(sent[0]!.tools.length > 0);
    }
  });
}

const FAULTS: readonly (readonly [VendorFault, readonly ModelErrorKind[]])[] = [
  [{ type: 'rateLimited' }, ['rateLimited']],
  [{ type: 'status', status: 400, message: 'The temperature is too high.' }, ['rejected']],
  [{ type: 'status', status: 500 }, ['unavailable']],
  [{ type: 'status', status: 503 }, ['unavailable']],
  [{ type: 'reset', when: 'before' }, ['unreachable']],
  [{ type: 'reset', when: 'middle' }, ['unreachable']],
  [{ type: 'halfEvent' }, ['unreachable', 'unreadable']],
  [{ type: 'garbage' }, ['unreadable']],
  [{ type: 'wrongShape' }, ['unreadable']],
  [{ type: 'contentType' }, ['unreadable']],
  [{ type: 'endless', bytes: 100_000_000 }, ['unreadable']],
  [{ type: 'redirect', to: 'http://169.254.169.254/latest' }, ['rejected']],
  [{ type: 'errorEvent' }, ['unavailable', 'rateLimited']],
  [{ type: 'silence', when: 'before' }, ['timedOut']],
  [{ type: 'silence', when: 'middle' }, ['timedOut']],
];

function testFailures(world: World): void {
  for (const [fault, kinds] of FAULTS) {
    const what = JSON.stringify(fault);
    test(`${what} is ${kinds.join(' or ')}`, async () => {
      for (const isStreamed of FORMS) {
        const times = fault.type === 'silence' ? SHORT_TIMES : {};
        const { error, sent } = await world.fail({ isStreamed }, { text: ['One', ' two', ' three'], fault }, { times });

        assert.ok(kinds.includes(error.kind), `${error.kind}: ${error.message}`);
        assert.ok(error.message.length > 0 && error.message.length <= 2_000);
        assert.ok(!`${error.message} ${error.stack}`.includes(KEY));
        assert.equal(sent.length, 1);
        if (fault.type === 'status') assert.equal(error.status, fault.status);
        if (fault.type === 'status' && fault.message) assert.ok(error.message.includes(fault.message));
        if (fault.type === 'rateLimited') assert.equal(error.retryAfterMs, undefined);
      }
    });
  }

  test('no call is made again by itself', async () => {
    world.endpoint.clear();
    await world.fail({}, { fault: { type: 'status', status: 503 } });

    assert.equal(world.endpoint.calls.length, 1);
  });

  test('the wait that the vendor requests is known', async () => {
    for (const isStreamed of FORMS) {
      const { error } = await world.fail({ isStreamed }, { fault: { type: 'rateLimited', retryAfter: 7 } });
      assert.equal(error.retryAfterMs, 7_000);

      const fault = { type: 'rateLimited', retryAfter: { dateInMs: 60_000 } } as const;
      const { error: dated } = await world.fail({ isStreamed }, { fault });
      assert.ok(dated.retryAfterMs! > 50_000 && dated.retryAfterMs! <= 60_000, String(dated.retryAfterMs));
    }
  });

  test('a wrong key is rejected in the words of the vendor, without the key', async () => {
    const { error } = await world.fail({}, {}, { key: WRONG_KEY });

    assert.equal(error.kind, 'rejected');
    assert.ok(error.message.length > 10);
    assert.ok(!error.message.includes(WRONG_KEY), error.message);
  });
}

function testStops(world: World): void {
  const words = Array.from({ length: 1_000 }, () => 'word ');
  for (const [when, isStreamed, answer] of [
    ['before a stream', true, { fault: { type: 'silence', when: 'before' } }],
    ['within a stream', true, { text: words, chunksPerSecond: 50 }],
    ['before a whole response', false, { fault: { type: 'silence', when: 'before' } }],
    ['within a whole response', false, { text: words, fault: { type: 'silence', when: 'middle' } }],
  ] as const) {
    test(`an abort ${when} closes the connection`, async () => {
      const abort = new AbortController();
      const arrived = world.endpoint.nextCall();
      const failing = world.fail({ isStreamed }, answer, { signal: abort.signal });
      const call = await arrived;
      await new Promise((resolve) => setTimeout(resolve, 30));
      abort.abort();

      assert.equal((await failing).error.kind, 'stopped');
      await world.endpoint.idle();
      assert.equal(call.state, 'aborted');
    });
  }

  test('a call that was stopped before it began sends nothing', async () => {
    world.endpoint.clear();
    const { error } = await world.fail({}, {}, { signal: AbortSignal.abort() });

    assert.equal(error.kind, 'stopped');
    assert.equal(world.endpoint.calls.length, 0);
  });
}

function testTargets(world: World): void {
  test('no model is called at an address of metadata', async () => {
    for (const url of ['http://169.254.169.254', 'http://[::ffff:a9fe:a9fe]']) {
      const { error } = await world.fail({}, {}, { url });

      assert.equal(error.kind, 'blocked');
    }
  });

  test('an endpoint that cannot be reached is reported', async () => {
    const { error } = await world.fail({}, {}, { url: 'http://127.0.0.1:1' });

    assert.equal(error.kind, 'unreachable');
  });

  test('credentials are tested without a call that costs', async () => {
    const models = world.models();

    assert.equal(await models.test(world.target({})), null);
    const reason = await models.test(world.target({ key: WRONG_KEY }));
    assert.ok(reason !== null && !reason.includes(WRONG_KEY), String(reason));
    assert.ok((await models.test(world.target({ url: 'http://127.0.0.1:1' }))) !== null);
  });

  test('models name themselves, and share a rate limit by key and address', () => {
    const models = world.models();
    const model = models.open(world.target({}));
    const keyOf = (options: TargetOptions) => models.open(world.target(options)).rateLimitKey;

    assert.equal(model.modelName, 'test-model');
    assert.equal(model.system, world.given.llmSystem);
    assert.equal(model.provider, world.given.llmProvider);
    assert.equal(model.rateLimitKey, keyOf({}));
    assert.notEqual(model.rateLimitKey, keyOf({ key: WRONG_KEY }));
    assert.notEqual(model.rateLimitKey, keyOf({ url: 'http://127.0.0.1:1' }));
    assert.ok(!model.rateLimitKey.includes(KEY));
  });
}

interface TargetOptions {
  readonly url?: string;
  readonly key?: string;
  readonly modelName?: string;
}

interface RunOptions extends TargetOptions {
  readonly signal?: AbortSignal;
  readonly times?: TransportOptions['times'];
}

interface Run {
  readonly sent: readonly SentRequest[];
  readonly pieces: readonly ChatPiece[];
  /** Texts of the pieces. */
  readonly text: string;
}

/** Times for tests that wait until they have passed. */
const SHORT_TIMES: TransportOptions['times'] = { firstByteMs: 150, idleMs: 150 };

class World {
  readonly given: ProtocolCase;
  endpoint!: VendorEndpoint;
  readonly #answers = new Map<string, VendorAnswer>();
  readonly #models: ChatModels[] = [];
  #callCount = 0;

  constructor(given: ProtocolCase) {
    this.given = given;
  }

  async open(): Promise<void> {
    this.endpoint = await startVendorEndpoint({ answer: (call) => this.#answers.get(markOf(call)) });
  }

  async close(): Promise<void> {
    await Promise.all(this.#models.map((models) => models.close()));
    await this.endpoint.close();
  }

  models(times: TransportOptions['times'] = {}): ChatModels {
    const models = openChatModels({ proxies: NO_PROXIES, allowsPrivate: true, times });
    this.#models.push(models);
    return models;
  }

  target({ url = this.endpoint.url, key = KEY, modelName = 'test-model' }: TargetOptions): ModelTarget {
    return this.given.target(url, { key, modelName });
  }

  /** Makes a call that the endpoint answers with `answer`. */
  async call(
    request: Partial<ChatRequest>,
    answer: VendorAnswer,
  ): Promise<Run & { response: ChatResponse; call: VendorCall }> {
    const { run, calling, mark } = this.#begin(request, answer, {});
    const response = await calling;
    const call = this.endpoint.calls.find((one) => markOf(one) === mark);
    assert.ok(call, 'the call has arrived');
    return { ...run(), response, call };
  }

  async fail(
    request: Partial<ChatRequest>,
    answer: VendorAnswer,
    options: RunOptions = {},
  ): Promise<Run & { error: ModelError }> {
    const { run, calling } = this.#begin(request, answer, options);
    try {
      const { text } = await calling;
      assert.fail(`the call succeeded with ${text.slice(0, 200)}`);
    } catch (error) {
      assert.ok(error instanceof ModelError, String(error));
      return { ...run(), error };
    }
  }

  #begin(request: Partial<ChatRequest>, answer: VendorAnswer, { times, signal, ...target }: RunOptions) {
    const mark = `mark-${++this.#callCount}-`;
    this.#answers.set(mark, { text: 'ok', ...answer });
    const messages = request.messages ?? [message('user', text('Hello'))];
    const sent: SentRequest[] = [];
    const pieces: ChatPiece[] = [];
    const options: CallOptions = {
      signal: signal ?? new AbortController().signal,
      onPiece: (piece) => pieces.push(piece),
      onSend: (one) => sent.push(one),
    };
    const calling = this.models(times)
      .open(this.target(target))
      .call(
        {
          ...{ tools: null, responseFormat: null, parameters: this.given.parameters, isStreamed: true },
          ...request,
          messages: [...messages, message('user', text(mark))],
        },
        options,
      );
    const run = () => ({
      sent,
      pieces,
      text: pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join(''),
    });
    return { mark, calling, run };
  }
}

/** The text with which a test finds its call. */
const markOf = ({ bodyText }: VendorCall): string => /mark-\d+-/.exec(bodyText)?.[0] ?? '';

const text = (content: string): ChatPart => ({ type: 'text', text: content });

const message = (role: ChatMessage['role'], ...parts: readonly ChatPart[]): ChatMessage => ({ role, parts });

const tools = ({ schema = { type: 'object', properties: {} } }: { readonly schema?: object }): PromptTools => ({
  type: 'tools',
  tools: [
    {
      type: 'function',
      function: { name: 'look_up', description: 'Finds a city.', parameters: schema as ExactJsonObject },
    },
    { type: 'function', function: { name: 'other', parameters: { type: 'object', properties: {} } } },
  ],
});

/** Tool calls of the pieces, joined by index. */
function joinCalls(pieces: readonly ChatPiece[]): ChatResponse['toolCalls'] {
  const calls: { id: string; name: string; arguments: string }[] = [];
  for (const piece of pieces) {
    if (piece.type !== 'toolCall') continue;
    const { index, id, name, arguments: args } = piece;
    calls[index] ??= { id, name, arguments: '' };
    assert.equal(calls[index].id, id);
    calls[index].arguments += args;
  }
  return calls;
}

/** A value whose exact numbers are doubles. */
function plain(value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}
