import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { jsonSchema, Output, streamText } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import OpenAI from 'openai';
import type { InstalledEvals } from '../installed-evals.ts';
import { EXACT, judgeOf, openFake, rowsOf, withServer } from './judge.ts';

const PROVIDERS = ['openai', 'openai-compatible', 'anthropic', 'google'] as const;
const SCHEMA = {
  type: 'object',
  properties: { explanation: { type: 'string' }, label: { type: 'string', enum: ['good', 'bad'] } },
  required: ['explanation', 'label'],
  additionalProperties: false,
};

export function testModels(installed: () => InstalledEvals): void {
  describe('models', () => {
    test('of all vendors respond by schema, by tool and in words, with tokens and cost', async () => {
      for (const provider of PROVIDERS) {
        for (const supports of [['schema', 'tool'], ['tool'], []] as const) {
          await withServer(installed(), { ...EXACT, supports }, async (server) => {
            const judge = judgeOf(installed(), openFake(installed(), server, provider));

            const good = await judge.evaluate({ input: 'truth=1' });
            const bad = await judge.evaluate({ input: 'truth=0' });

            assert.deepEqual([good.label, bad.label], ['good', 'bad'], `${provider} ${supports.join()}`);
            assert.ok(Number(good.metadata?.inputTokens) > 5);
            assert.equal(typeof good.metadata?.cost, provider === 'openai-compatible' ? 'undefined' : 'number');
          });
        }
      }
    });

    test('take the address from the variable of the vendor, unless it is given', async (t) => {
      const { openModel } = installed().core;
      const variables = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1/', ANTHROPIC_BASE_URL: 'http://127.0.0.1:8' };
      const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
      t.after(() => {
        for (const [name, value] of before) {
          if (value === undefined) delete process.env[name];
          else process.env[name] = value;
        }
      });
      Object.assign(process.env, variables);
      const addressOf = (provider: (typeof PROVIDERS)[number], more: { readonly baseUrl?: string } = {}) =>
        openModel({ provider, model: 'm', apiKey: 'key', ...more }).address;

      assert.equal(addressOf('openai'), 'http://127.0.0.1:9/v1');
      assert.equal(addressOf('openai-compatible'), 'http://127.0.0.1:9/v1');
      assert.equal(addressOf('anthropic'), 'http://127.0.0.1:8');
      assert.equal(addressOf('google'), 'https://generativelanguage.googleapis.com');
      assert.equal(addressOf('openai', { baseUrl: 'https://gateway.example/v1' }), 'https://gateway.example/v1');
      process.env.OPENAI_BASE_URL = 'gateway.example/v1';
      assert.throws(() => addressOf('openai'), /OPENAI_BASE_URL is an address of HTTP, and not "gateway.example\/v1"/);
      process.env.OPENAI_BASE_URL = ' ';
      assert.equal(addressOf('openai'), 'https://api.openai.com/v1');
    });

    test('give log-probabilities where the vendor has them', async () => {
      await withServer(installed(), { judge: { sensitivity: 0.9, specificity: 0.6 } }, async (server) => {
        for (const provider of ['openai', 'google'] as const) {
          const judge = judgeOf(installed(), openFake(installed(), server, provider), { gradeByLogprobs: true });
          const { score = 0 } = await judge.evaluate({ input: 'truth=0' });
          assert.ok(Math.abs(score - 0.4) < 1e-6, `${provider}: ${score}`);
        }
      });
    });

    test('send images and files in the form of each vendor', async () => {
      const bodies = new Map<string, string>();
      for (const provider of ['openai', 'anthropic', 'google'] as const) {
        const model = openFakeWith(installed(), provider, (body) => bodies.set(provider, body));
        const judge = judgeOf(installed(), model, {
          promptTemplate: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'Look at {{input}}' },
                { type: 'image', url: 'data:image/png;base64,{{image}}' },
                { type: 'file', url: 'data:application/pdf;base64,{{file}}', name: 'a.pdf' },
              ],
            },
          ],
        });
        await judge.evaluate({ input: 'it', image: 'iVBOR', file: 'JVBER' }).catch(() => undefined);
      }

      for (const provider of ['anthropic', 'google'] as const) {
        const model = openFakeWith(installed(), provider, (body) => bodies.set(`${provider} alone`, body));
        const promptTemplate = [{ role: 'system', content: 'Judge {{input}}' }];
        await judgeOf(installed(), model, { promptTemplate })
          .evaluate({ input: 'it' })
          .catch(() => undefined);
      }

      // These vendors reject a prompt without a message of the user.
      assert.match(bodies.get('anthropic alone') ?? '', /"messages":\[\{"role":"user","content":"Judge it/);
      assert.match(bodies.get('google alone') ?? '', /"contents":\[\{"role":"user","parts":\[\{"text":"Judge it/);
      assert.match(
        bodies.get('openai') ?? '',
        /"image_url":\{"url":"data:image\/png;base64,iVBOR"\}.*"file_data":"data:application\/pdf;base64,JVBER"/,
      );
      assert.match(
        bodies.get('anthropic') ?? '',
        /"media_type":"image\/png","data":"iVBOR".*"type":"document".*"data":"JVBER"/,
      );
      assert.match(
        bodies.get('google') ?? '',
        /"inlineData":\{"mimeType":"image\/png","data":"iVBOR"\}.*"mimeType":"application\/pdf"/,
      );
    });

    test('of the AI SDK are accepted by their interface', async () => {
      let asked: { responseFormat?: { type: string } } | undefined;
      const model = new MockLanguageModelV3({
        provider: 'mock',
        modelId: 'gpt-5',
        doGenerate: async (options) => {
          asked = options as never;
          return {
            content: [{ type: 'text', text: '{"explanation":"why","label":"good"}' }],
            finishReason: { unified: 'stop', raw: 'stop' },
            usage: {
              inputTokens: { total: 1_000_000, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
              outputTokens: { total: 0, text: undefined, reasoning: undefined },
            },
            warnings: [],
          };
        },
      });

      const result = await judgeOf(installed(), model).evaluate({ input: 'x' });

      assert.equal(asked?.responseFormat?.type, 'json');
      assert.deepEqual(result.metadata, { model: 'gpt-5', inputTokens: 1_000_000, outputTokens: 0, cost: 1.25 });
    });

    test('of the AI SDK are the packages of its vendors, for judges and for streams', async () => {
      const prompt = [{ role: 'user' as const, content: 'Say something.' }];
      await withServer(installed(), EXACT, async ({ url }) => {
        for (const model of openVendors(url)) {
          const judge = judgeOf(installed(), model);
          const [good, bad] = [await judge.evaluate({ input: 'truth=1' }), await judge.evaluate({ input: 'truth=0' })];
          assert.deepEqual([good.label, bad.label], ['good', 'bad'], model.provider);
          assert.ok(Number(good.metadata?.inputTokens) > 5 && !good.metadata?.repaired, JSON.stringify(good));
          assert.equal(typeof good.metadata?.cost, 'number', model.provider);

          const { textStream, totalUsage } = streamText({ model, messages: prompt });
          let text = '';
          for await (const piece of textStream) text += piece;
          assert.equal(text, 'A fake answer.', model.provider);
          assert.ok(((await totalUsage).outputTokens ?? 0) > 0, model.provider);
          const schema = jsonSchema<{ label: string }>(SCHEMA as never);
          const { output } = streamText({ model, prompt: 'truth=0', output: Output.object({ schema }) });
          assert.equal((await output).label, 'bad', model.provider);
        }
      });
      await withServer(
        installed(),
        { answers: [{ explanation: '', label: 'gut' }], apiKey: 'right' },
        async (server) => {
          for (const model of openVendors(server.url)) {
            const { summary } = await installed().core.evaluate({
              data: rowsOf(1),
              evaluators: [judgeOf(installed(), model)],
            });
            assert.equal(summary.evaluators.quality?.labelErrorCount, 1, model.provider);
          }
          const before = server.model.counts.requests;
          for (const model of openVendors(server.url, 'wrong')) {
            const run = installed().core.evaluate({ data: rowsOf(50), evaluators: [judgeOf(installed(), model)] });
            await assert.rejects(async () => run, /status 40[13]/, model.provider);
          }
          assert.equal(server.model.counts.requests, before + 4);
        },
      );
    });

    test('may be functions', async () => {
      const judge = judgeOf(installed(), ({ messages }: { messages: readonly { content: unknown }[] }) =>
        JSON.stringify({ explanation: String(messages.length), label: 'bad' }),
      );

      assert.deepEqual(await judge.evaluate({ input: 'x' }), {
        score: 0,
        label: 'bad',
        explanation: '2',
        metadata: { model: 'function' },
      });
    });

    test('are not opened with wrong arguments, and report what is missing', () => {
      const { openModel, createClassificationEvaluator } = installed().core;
      assert.throws(
        () => openModel({ provider: 'cohere' as never, model: 'm' }),
        /openai, azure, openai-compatible, anthropic, google/,
      );
      assert.throws(() => openModel({ provider: 'openai-compatible', model: 'm' }), /baseUrl/);
      assert.throws(() => openModel({ provider: 'openai', model: 'm', apiKey: 'k', baseUrl: 'ftp://x' }), /baseUrl/);
      assert.throws(() => openModel({ provider: 'openai', model: ' ', apiKey: 'k' }), /name of a model/);
      assert.throws(
        () => openModel({ provider: 'openai', model: 'm', apiKey: 'k', prices: { input: -1, output: 1 } }),
        /prices\.input/,
      );
      const make = (model: unknown) =>
        createClassificationEvaluator({ name: 'n', model: model as never, choices: ['a', 'b'], promptTemplate: '' });
      assert.throws(() => make('gpt-5'), /the text "gpt-5"/);
      assert.throws(() => make(undefined), /nothing/);
    });

    test('the fake server speaks as vendors do, to their own packages', async () => {
      await withServer(installed(), { ...EXACT, apiKey: 'right' }, async ({ url, model }) => {
        const prompt = 'Judge: truth=1';
        const openai = new OpenAI({ apiKey: 'right', baseURL: `${url}/v1`, maxRetries: 0 });
        const completion = await openai.chat.completions.create({
          model: 'gpt-5',
          messages: [{ role: 'user', content: prompt }],
          response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA, strict: true } },
        });
        const anthropic = new Anthropic({ apiKey: 'right', baseURL: url, maxRetries: 0 });
        const message = await anthropic.messages.create({
          model: 'claude-haiku-4-5',
          max_tokens: 100,
          messages: [{ role: 'user', content: prompt }],
          tools: [{ name: 'answer', input_schema: SCHEMA as never }],
          tool_choice: { type: 'tool', name: 'answer' },
        });
        const google = new GoogleGenAI({ apiKey: 'right', httpOptions: { baseUrl: url } });
        const content = await google.models.generateContent({
          model: 'gemini-2.5-flash',
          contents: prompt,
          config: { responseMimeType: 'application/json', responseJsonSchema: SCHEMA },
        });
        const wrong = new OpenAI({ apiKey: 'wrong', baseURL: `${url}/v1`, maxRetries: 0 });

        assert.equal(JSON.parse(completion.choices[0]?.message.content ?? '').label, 'good');
        assert.equal(completion.usage?.completion_tokens, 14);
        assert.deepEqual(message.content[0]?.type === 'tool_use' && message.content[0].input, {
          explanation: 'The fake judge says so.',
          label: 'good',
        });
        assert.equal(JSON.parse(content.text ?? '').label, 'good');
        await assert.rejects(
          wrong.chat.completions.create({ model: 'gpt-5', messages: [] }),
          OpenAI.AuthenticationError,
        );
        assert.deepEqual([model.counts.requests, model.counts.answered, model.counts.unauthorized], [4, 3, 1]);
      });
    });

    test('the fake judge has the sensitivity and specificity that it was given', async () => {
      const { core, fakeModel } = installed();
      const model = fakeModel.createFakeModel({ judge: { sensitivity: 0.8, specificity: 0.6 }, seed: 7 });

      const { rows } = await core.evaluate({ data: rowsOf(1_000), evaluators: [judgeOf(installed(), model)] });

      const shareOfGood = (truth: number) => {
        const own = rows.filter(({ index }) => index % 2 === truth);
        return own.filter(({ scores }) => scores.quality?.label === 'good').length / own.length;
      };
      // Four standard errors of 500 draws.
      assert.ok(Math.abs(shareOfGood(1) - 0.8) < 0.072, String(shareOfGood(1)));
      assert.ok(Math.abs(shareOfGood(0) - 0.4) < 0.088, String(shareOfGood(0)));
    });
  });
}

const openVendors = (url: string, apiKey = 'right') => [
  createOpenAI({ apiKey, baseURL: `${url}/v1` }).chat('gpt-5-mini'),
  createOpenAI({ apiKey, baseURL: `${url}/v1` }).responses('gpt-5-mini'),
  createAnthropic({ apiKey, baseURL: `${url}/v1` })('claude-haiku-4-5'),
  createGoogleGenerativeAI({ apiKey, baseURL: `${url}/v1beta` })('gemini-2.5-flash'),
];

/** A model whose requests are only looked at. */
function openFakeWith(
  { core }: InstalledEvals,
  provider: 'openai' | 'anthropic' | 'google',
  look: (body: string) => void,
) {
  return core.openModel({
    provider,
    model: 'm',
    apiKey: 'a key of tests',
    fetch: async (_, init) => {
      look(String(init?.body));
      return new Response('{}', { status: 400 });
    },
  });
}
