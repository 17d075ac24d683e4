import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { coerceInputValue, type GraphQLInputType } from 'graphql';
import { withCurrentParameters } from '../../../src/api/graphql/prompts/plain-parameters.ts';
import { createSchema } from '../../../src/api/graphql/schema.ts';

const parametersType = createSchema().getType('PromptInvocationParametersInput') as GraphQLInputType;

const convert = (modelProvider: string, invocationParameters: unknown): unknown =>
  withCurrentParameters({ modelProvider, invocationParameters }).invocationParameters;

describe('invocation parameters by the names of the vendor', () => {
  for (const [provider, plain, current] of [
    ['OPENAI', {}, { openai: {} }],
    ['GROQ', { temperature: 0.4, stop: ['a'] }, { openai: { temperature: 0.4, stop: ['a'] } }],
    [
      'OPENAI',
      { max_tokens: 5, seed: null, logit_bias: { 1: 2 }, extra_body: { user: 'u' } },
      { openai: { maxTokens: 5, extraBody: { user: 'u', logit_bias: { 1: 2 } } } },
    ],
    ['AZURE_OPENAI', { reasoning_effort: 'high' }, { openai: { reasoningEffort: 'HIGH' } }],
    ['ANTHROPIC', {}, { anthropic: { maxTokens: 1024 } }],
    [
      'ANTHROPIC',
      { max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 2048 }, top_k: 3 },
      { anthropic: { maxTokens: 4096, thinking: { enabled: { budgetTokens: 2048 } }, extraBody: { top_k: 3 } } },
    ],
    [
      'ANTHROPIC',
      { thinking: { type: 'disabled' } },
      { anthropic: { maxTokens: 1024, thinking: { disabled: { disabled: true } } } },
    ],
    [
      'ANTHROPIC',
      { output_config: { effort: 'low' } },
      { anthropic: { maxTokens: 1024, outputConfig: { effort: 'LOW' } } },
    ],
    [
      'GOOGLE',
      { top_k: 3, max_output_tokens: 9, thinking_level: 'low' },
      { google: { topK: 3, maxOutputTokens: 9, thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true } } },
    ],
    [
      'GOOGLE',
      { thinking_config: { thinking_budget: 5, include_thoughts: false } },
      { google: { thinkingConfig: { thinkingBudget: 5, includeThoughts: false } } },
    ],
    ['AWS', { max_tokens: 1, top_p: 0.5 }, { aws: { maxTokens: 1, topP: 0.5 } }],
  ] as const) {
    test(`become those of the schema: ${provider} ${JSON.stringify(plain)}`, () => {
      const converted = convert(provider, plain);

      assert.deepEqual(converted, current);
      // Throws where the schema rejects the value.
      coerceInputValue(converted, parametersType);
    });
  }

  test('stay as they are in the present form, and where they are no object', () => {
    for (const value of [
      { openai: { temperature: 1 } },
      { openai: {}, anthropic: { maxTokens: 1 } },
      { google: {}, temperature: 1 },
      [],
      'x',
      null,
    ]) {
      assert.deepEqual(convert('OPENAI', value), value);
    }
  });

  test('are rejected by the schema where the family does not know them', () => {
    for (const [provider, plain] of [
      ['AWS', { top_k: 3 }],
      ['GOOGLE', { seed: 3 }],
      ['OPENAI', { temperature: 'hot' }],
      ['ANTHROPIC', { thinking: { type: 'sometimes' } }],
    ] as const) {
      assert.throws(() => coerceInputValue(convert(provider, plain), parametersType), provider);
    }
  });

  test('reach no prototype', () => {
    const converted = convert('OPENAI', JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}'));

    assert.equal(({} as { polluted?: number }).polluted, undefined);
    assert.deepEqual(Object.keys((converted as { openai: { extraBody: object } }).openai.extraBody).sort(), [
      '__proto__',
      'constructor',
    ]);
  });
});
