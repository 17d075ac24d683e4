import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DIALECTS } from '../../../src/otlp/dialects/dialects.ts';
import type { AttributeValue } from '../../fixtures/otlp-requests.ts';
import { type Sent, stored } from './translated.ts';

/** Names that dialects read, and members of the values that they parse. */
const KEYS = [
  ...[
    'gen_ai.operation.name',
    'gen_ai.input.messages',
    'gen_ai.output.messages',
    'gen_ai.system_instructions',
    'gen_ai.prompt',
  ],
  ...[
    'gen_ai.prompt.0.role',
    'gen_ai.prompt.0.content',
    'gen_ai.completion.0.tool_calls.0.name',
    'gen_ai.tool.definitions',
  ],
  ...[
    'gen_ai.tool.call.arguments',
    'gen_ai.tool.call.result',
    'gen_ai.retrieval.documents',
    'gen_ai.usage.input_tokens',
  ],
  ...[
    'gen_ai.response.finish_reasons',
    'gen_ai.provider.name',
    'llm.request.functions.0.parameters',
    'ai.operationId',
    'ai.prompt',
  ],
  ...[
    'ai.prompt.messages',
    'ai.prompt.tools',
    'ai.response.toolCalls',
    'ai.response.object',
    'ai.telemetry.metadata.x',
    'ai.values',
  ],
  ...['traceloop.span.kind', 'traceloop.entity.input', 'traceloop.entity.output', 'traceloop.association.properties.x'],
  ...[
    'langfuse.observation.type',
    'langfuse.observation.input',
    'langfuse.observation.output',
    'langfuse.observation.usage_details',
  ],
  ...['langfuse.observation.model.parameters', 'langfuse.trace.tags', 'langsmith.span.kind', 'gen_ai.completion'],
  ...[
    'langsmith.metadata.usage_metadata',
    'mlflow.spanType',
    'mlflow.spanInputs',
    'mlflow.spanOutputs',
    'mlflow.chat.tools',
  ],
  ...[
    'mlflow.chat.tokenUsage',
    'logfire.msg',
    'pydantic_ai.all_messages',
    'request_data',
    'response_data',
    'events',
    'tool_response',
  ],
  ...[
    'mastra.span.type',
    'gcp.vertex.agent.llm_request',
    'gcp.vertex.agent.llm_response',
    'mcp.method.name',
    'openinference.span.kind',
  ],
];
const MEMBERS = [
  ...[
    'role',
    'type',
    'content',
    'parts',
    'text',
    'id',
    'name',
    'message',
    'messages',
    'choices',
    'output',
    'candidates',
    'kwargs',
  ],
  ...[
    'data',
    'tool_calls',
    'function',
    'arguments',
    'args',
    'input',
    'usage',
    'total',
    'image_url',
    'source',
    'url',
    '__proto__',
  ],
  ...[
    'constructor',
    'toString',
    'tool_use',
    'generations',
    'event.name',
    'documents',
    'page_content',
    'metadata',
    'functionCall',
  ],
];
const WORDS = [
  'user',
  'ai',
  'LLM',
  'chat',
  'tool',
  'generation',
  'text',
  'image',
  'tool_call',
  'ai.toolCall',
  'gen_ai.choice',
  '"LLM"',
  '',
  '[',
  '{"a":',
];

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    fc.oneof(
      fc.constantFrom(...WORDS),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...MEMBERS), tie('value'), { maxKeys: 5 }),
    tie('value').map((inner) => JSON.stringify(inner) ?? ''),
  ),
}));

describe('translation of values that no library sends', () => {
  test('never fails, and keeps what was sent', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...KEYS), value, { minKeys: 1, maxKeys: 8 }), (attributes) => {
        const sent = wellFormed(attributes);
        const all = stored(sent, [{ name: 'gen_ai.choice', attributes: sent }]);
        assert.equal(all['spandrel.translation_error'], undefined);
        for (const [key, text] of Object.entries(sent)) {
          if (
            typeof text === 'string' &&
            text !== '' &&
            !/\.\d+\.|metadata/.test(key) &&
            key !== 'openinference.span.kind'
          ) {
            assert.equal(all[key], text, key);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('reads no further than the limits of nesting, size and count', () => {
    const deep = `${'{"kwargs":'.repeat(90)}{"role":"user","content":"x"}${'}'.repeat(90)}`;
    assert.equal(stored({ 'gen_ai.input.messages': deep })['input.value'], undefined);

    const nested = [1, 2, 3, 4, 5].reduce((json) => JSON.stringify(json), '[{"role":"user","content":"x"}]');
    assert.equal(
      stored({ 'langfuse.observation.type': 'span', 'langfuse.observation.input': nested })[
        'spandrel.translation_error'
      ],
      undefined,
    );

    const messages = JSON.stringify(Array.from({ length: 3_000 }, (_, i) => ({ role: 'user', content: `m${i}` })));
    const many = stored({ 'gen_ai.input.messages': messages });
    assert.equal(many['llm.input_messages.1999.message.content'], 'm2999');
    assert.equal(many['llm.input_messages.2000.message.content'], undefined);

    const large = JSON.stringify([{ role: 'user', content: 'x'.repeat(17 * 1024 * 1024) }]);
    assert.equal(stored({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': large })['input.value'], undefined);
  });

  test('has a session ID of a megabyte as it was sent', () => {
    const id = 's'.repeat(1024 * 1024);
    assert.equal(stored({ 'gen_ai.conversation.id': id })['session.id'], id);
  });

  test('is not tried for attributes of a similar name', () => {
    assert.equal(
      DIALECTS.some(({ prefixes }) => prefixes.some((prefix) => prefix === 'ai.' || prefix === '')),
      false,
    );
    assert.deepEqual(stored({ 'ai.mine': 'x', gen_ai: 'y', 'general.ai': 'z' }), {
      'ai.mine': 'x',
      gen_ai: 'y',
      'general.ai': 'z',
    });
  });
});

/** The values with well-formed Unicode, which OTLP requires, and without nulls. */
function wellFormed(attributes: Record<string, unknown>): Sent {
  const clean = (item: unknown): AttributeValue =>
    typeof item === 'string'
      ? Buffer.from(item).toString()
      : Array.isArray(item)
        ? item.map(clean)
        : typeof item === 'object' && item !== null
          ? Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, clean(inner)]))
          : (item as AttributeValue);
  return Object.fromEntries(Object.entries(attributes).map(([key, item]) => [key, clean(item)]));
}
