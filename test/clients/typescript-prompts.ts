import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Anthropic from '@anthropic-ai/sdk';
import type { ConverseCommandInput } from '@aws-sdk/client-bedrock-runtime';
import type { GenerateContentParameters } from '@google/genai';
import type OpenAI from 'openai';
import type { ExperimentWorld } from './typescript-experiments.ts';

const IMAGE = 'data:image/png;base64,AA==';

/** A conversation with every kind of part, as the chat completions of OpenAI take it. */
const CHAT = {
  model: 'small',
  messages: [
    { role: 'system', content: 'Answer in {{ language }}.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '{{question}}' },
        { type: 'image_url', image_url: { url: IMAGE } },
      ],
    },
    {
      role: 'assistant',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'a cat' },
  ],
  temperature: 0.5,
  max_tokens: 9,
  tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } }],
  tool_choice: 'required',
} satisfies OpenAI.ChatCompletionCreateParamsNonStreaming;

/** Tests of prompts, on the server and the client of the calling file. */
export function testPrompts({ client: clientOf, installed }: Pick<ExperimentWorld, 'client' | 'installed'>): void {
  describe('prompts', () => {
    const variables = { language: 'French', question: 'Why {{language}}?' };

    /** Stores the conversation and reads it back. */
    const store = async (name: string) => {
      const prompts = await installed().load('./prompts');
      const client = clientOf();
      await prompts.createPrompt({ client, name, version: prompts.promptVersionFromOpenAI(CHAT) });
      return { prompts, prompt: await prompts.getPrompt({ client, prompt: { name } }) };
    };

    test('go from the arguments of a library to the server and back', async () => {
      const { prompts, prompt } = await store('round-trip');

      const chat: OpenAI.ChatCompletionCreateParamsNonStreaming = prompts.toSDK({
        ...{ sdk: 'openai', prompt, missingVariables: 'keep' },
      });

      assert.deepEqual(JSON.parse(JSON.stringify(chat)), CHAT);
    });

    test('become arguments of other libraries, whose types they have', async () => {
      const { prompts, prompt } = await store('other-libraries');
      const request = { prompt, variables };
      const responses: OpenAI.Responses.ResponseCreateParamsNonStreaming = prompts.toSDK({
        ...{ sdk: 'openai-responses', ...request },
      });
      const anthropic: Anthropic.MessageCreateParamsNonStreaming = prompts.toSDK({ sdk: 'anthropic', ...request });
      const google: GenerateContentParameters = prompts.toSDK({ sdk: 'google', ...request });
      const bedrock: ConverseCommandInput = prompts.toSDK({ sdk: 'bedrock', ...request });
      const ai = prompts.toSDK({ sdk: 'ai', ...request });

      assert.equal(responses.max_output_tokens, 9);
      assert.deepEqual(
        (responses.input as { type: string }[]).map(({ type }) => type),
        ['message', 'message', 'function_call', 'function_call_output'],
      );
      assert.equal(anthropic.system, 'Answer in French.');
      assert.deepEqual(anthropic.tool_choice, { type: 'any' });
      assert.deepEqual(anthropic.messages[1]?.content, [
        { type: 'tool_use', id: 'c1', name: 'look', input: { at: 1 } },
      ]);
      assert.deepEqual(prompts.promptVersionFromAnthropic(anthropic as never).tools?.tool_choice, {
        type: 'one_or_more',
      });
      assert.equal(google.config?.systemInstruction, 'Answer in French.');
      assert.equal(google.config?.maxOutputTokens, 9);
      assert.deepEqual(
        (google.contents as { role: string }[]).map(({ role }) => role),
        ['user', 'model', 'user'],
      );
      assert.deepEqual(bedrock.inferenceConfig, { temperature: 0.5, maxTokens: 9 });
      assert.deepEqual(bedrock.toolConfig?.toolChoice, { any: {} });
      assert.equal(ai.maxOutputTokens, 9);
      // A value is never read as a template.
      assert.match(JSON.stringify(ai.messages), /Why \{\{language\}\}\?/);
    });

    test('say what has no value, and what a library has no place for', async () => {
      const { prompts, prompt } = await store('no-place');
      const format = { ...prompt, response_format: { type: 'json_schema' as const, json_schema: { name: 'x' } } };

      assert.throws(
        () => prompts.toSDK({ sdk: 'ai', prompt, variables: { language: 'x' } }),
        prompts.MissingVariableError,
      );
      assert.throws(
        () => prompts.toSDK({ sdk: 'anthropic', prompt: format, variables }),
        /Anthropic has no place for a response format/,
      );
      assert.throws(() => prompts.promptVersionFromOpenAI({ ...CHAT, logprobs: true }), /does not store logprobs/);
      const audio = [{ role: 'user', content: [{ type: 'input_audio' }] }];
      assert.throws(
        () => prompts.promptVersionFromOpenAI({ ...CHAT, messages: audio }),
        /cannot hold a part input_audio/,
      );
      await assert.rejects(
        prompts.getPrompt({ client: clientOf(), prompt: { name: 'nowhere' } }),
        /404 Not Found: there is no prompt "nowhere".* Check the name or ID/,
      );
    });
  });
}
