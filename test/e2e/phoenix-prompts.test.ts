import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PromptVersionInput } from '@arizeai/phoenix-client/prompts';
import { cleanUpAfter, openTestPostgres } from '../metadata-store/fixtures.ts';
import { PHOENIX_CLIENTS } from './phoenix-clients.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

/** A vendor's version as the client builds it, and the parameters that OpenAI's and Anthropic's SDKs get of it. */
const VENDORS: readonly { readonly input: PromptVersionInput; readonly openai: object; readonly anthropic: object }[] =
  [
    ...(['OPENAI', 'AZURE_OPENAI', 'DEEPSEEK', 'XAI', 'OLLAMA'] as const).map((modelProvider) => ({
      input: {
        modelProvider,
        modelName: `model of ${modelProvider}`,
        template: template('system'),
        invocationParameters: { temperature: 0.25, max_completion_tokens: 50, seed: 7, reasoning_effort: 'low' },
      } as PromptVersionInput,
      openai: { temperature: 0.25, max_completion_tokens: 50, seed: 7, reasoning_effort: 'low' },
      anthropic: { max_tokens: 1_024 },
    })),
    {
      input: {
        modelProvider: 'ANTHROPIC',
        modelName: 'claude-sonnet-4-5',
        template: template('user'),
        templateFormat: 'F_STRING',
        invocationParameters: { max_tokens: 4_000, thinking: { type: 'enabled', budget_tokens: 2_000 }, top_p: 1 },
      },
      openai: {},
      anthropic: { max_tokens: 4_000, thinking: { type: 'enabled', budget_tokens: 2_000 }, top_p: 1 },
    },
    {
      input: {
        modelProvider: 'GOOGLE',
        modelName: 'gemini-3-pro',
        template: template('user'),
        invocationParameters: { max_output_tokens: 10, top_k: 3, stop_sequences: ['x'] },
      },
      openai: {},
      anthropic: { max_tokens: 1_024 },
    },
    {
      input: {
        modelProvider: 'AWS',
        modelName: 'nova-pro',
        template: template('user'),
        invocationParameters: { max_tokens: 10, temperature: 1 },
      },
      openai: {},
      anthropic: { max_tokens: 1_024 },
    },
  ];

function template(role: 'system' | 'user'): PromptVersionInput['template'] {
  return [
    { role, content: 'Answer in {{language}} or {language}.' },
    { role: 'user', content: [{ type: 'text', text: 'Why {{language}}?' }] },
  ];
}

const VARIANTS = [
  { version: 'newest', database: 'embedded' },
  { version: '6.5.5', database: 'external' },
  { version: '5.9.0', database: 'embedded' },
] as const;

for (const { version: clientVersion, database } of VARIANTS) {
  describe(`prompts of the TypeScript client, ${clientVersion}, on ${database} Postgres`, () => {
    const { createClient, prompts } = PHOENIX_CLIENTS[clientVersion];
    const { createPrompt, getPrompt, listPrompts, promptVersion, toSDK } = prompts;
    let server: ServerProcess;
    const client = () => createClient({ options: { baseUrl: server.url } });

    const cleanUp = cleanUpAfter(after);
    before(async () => {
      const env: Record<string, string> = {};
      if (database === 'external') env.SERVICE_SQL_DATABASE_URL = await (await openTestPostgres(cleanUp)).newDatabase();
      const dataDir = await makeDataDir();
      cleanUp(() => removeDataDir(dataDir));
      server = await startServer({ dataDir, env });
      cleanUp(async () => {
        await server.stop();
      });
    });

    for (const { input, openai, anthropic } of VENDORS) {
      test(`a version for ${input.modelProvider} is created, read back and turned into SDK calls`, async () => {
        const name = `for-${input.modelProvider.toLowerCase()}`;
        const version = promptVersion(input);

        const created = await createPrompt({ client: client(), name, description: 'vendor test', version });
        const prompt = await getPrompt({ client: client(), prompt: { name } });

        assert.deepEqual(prompt, created);
        assert.ok(prompt);
        const { type } = version.invocation_parameters;
        assert.deepEqual(
          Object.values(prompt.invocation_parameters)[1],
          Object.entries(version.invocation_parameters).find(([key]) => key === type)?.[1],
        );
        assert.deepEqual(prompt.template, version.template);
        const forOpenAi = toSDK({ sdk: 'openai', prompt, variables: { language: 'Latin' } });
        assert.ok(forOpenAi);
        const { messages, ...callParameters } = forOpenAi;
        const answer =
          input.templateFormat === 'F_STRING' ? 'Answer in {{language}} or Latin.' : 'Answer in Latin or {language}.';
        assert.equal(messages[0]?.content, answer);
        assert.deepEqual(defined(callParameters), { model: input.modelName, ...openai });
        const forAnthropic = toSDK({ sdk: 'anthropic', prompt, variables: { language: 'Latin' } });
        assert.ok(forAnthropic);
        const { messages: _, ...anthropicParameters } = forAnthropic;
        assert.deepEqual(defined(anthropicParameters), { model: input.modelName, ...anthropic });
      });
    }

    test('tools, tool choice and response format reach the SDK unchanged', async () => {
      const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
      const version = {
        ...promptVersion({ modelProvider: 'OPENAI', modelName: 'gpt-4o', template: template('user') }),
        tools: {
          type: 'tools' as const,
          tools: [{ type: 'function' as const, function: { name: 'weather', description: 'of a city', parameters } }],
          tool_choice: { type: 'one_or_more' as const },
        },
        response_format: {
          type: 'json_schema' as const,
          json_schema: { name: 'answer', description: 'the answer', schema: parameters },
        },
      };
      await createPrompt({ client: client(), name: 'with-tools', version });

      const prompt = await getPrompt({ client: client(), prompt: { name: 'with-tools' } });

      assert.ok(prompt);
      const call = toSDK({ sdk: 'openai', prompt });
      assert.deepEqual(call?.tools, [
        { type: 'function', function: { name: 'weather', description: 'of a city', parameters } },
      ]);
      assert.equal(call?.tool_choice, 'required');
      assert.deepEqual(call?.response_format, {
        type: 'json_schema',
        json_schema: { name: 'answer', description: 'the answer', schema: parameters },
      });
    });

    test('versions are found by name, by id and by tag, and the tag moves', async () => {
      const make = (modelName: string) =>
        createPrompt({
          client: client(),
          name: 'versioned',
          metadata: { team: 'ai' },
          version: promptVersion({ modelProvider: 'OPENAI', modelName, template: template('user') }),
        });
      const [first, second] = [await make('one'), await make('two')];
      const tag = (prompt_version_id: string) =>
        client().POST('/v1/prompt_versions/{prompt_version_id}/tags', {
          params: { path: { prompt_version_id } },
          body: { name: 'production', description: 'live' },
        });
      const found = async (prompt: Parameters<typeof getPrompt>[0]['prompt']) =>
        (await getPrompt({ client: client(), prompt }))?.id;

      await tag(first.id);
      assert.equal(await found({ name: 'versioned', tag: 'production' }), first.id);
      await tag(second.id);

      assert.equal(await found({ name: 'versioned', tag: 'production' }), second.id);
      assert.equal(await found({ name: 'versioned' }), second.id);
      assert.equal(await found({ versionId: first.id }), first.id);
      const listed = await listPrompts({ client: client() });
      const row = listed.find(({ name }) => name === 'versioned');
      assert.deepEqual(
        { ...row, id: '' },
        { id: '', name: 'versioned', description: null, metadata: { team: 'ai' }, source_prompt_id: null },
      );
    });
  });
}

const defined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
