import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SPAN_KINDS } from '../../../src/semconv/span-kinds.ts';
import { flattenAttributes } from '../../../src/model/spans/attributes.ts';
import { readNullableText, readText } from '../../../src/columns/read-text.ts';
import type { AttributeValue } from '../../fixtures/otlp-requests.ts';
import { decodeAttributes } from '../decode-one.ts';

/** What is stored beside the `gen_ai` attributes, flat; texts with columns of their own included. */
function derived(attributes: Readonly<Record<string, AttributeValue>>): Record<string, unknown> {
  const columns = decodeAttributes(attributes);
  const parts = [readText(columns.attributes, 0), readNullableText(columns.longAttributes, 0) ?? '{}'];
  const flat = Object.fromEntries([...flattenAttributes(parts)].map(([key, value]) => [key, JSON.parse(value)]));
  for (const [key, column] of [
    ['input.value', columns.inputValue],
    ['input.mime_type', columns.inputMimeType],
    ['output.value', columns.outputValue],
    ['output.mime_type', columns.outputMimeType],
    ['session.id', columns.sessionId],
    ['llm.model_name', columns.modelName],
    ['llm.provider', columns.provider],
  ] as const) {
    const text = readNullableText(column, 0);
    if (text !== null) flat[key] = text;
  }
  if (columns.spanKind[0] !== 0) flat['openinference.span.kind'] = SPAN_KINDS[columns.spanKind[0]!];
  for (const key of Object.keys(attributes)) {
    if (key.startsWith('gen_ai.'))
      assert.ok(
        Object.keys(flat).some((one) => one.startsWith(key)),
        `${key} is gone`,
      );
  }
  return Object.fromEntries(Object.entries(flat).filter(([key]) => !key.startsWith('gen_ai.')));
}

const kindOf = (attributes: Readonly<Record<string, AttributeValue>>) => derived(attributes)['openinference.span.kind'];

describe('gen_ai attributes', () => {
  for (const { operation, kind } of [
    { operation: 'chat', kind: 'LLM' },
    { operation: 'text_completion', kind: 'LLM' },
    { operation: 'generate_content', kind: 'LLM' },
    { operation: 'embeddings', kind: 'EMBEDDING' },
    { operation: 'execute_tool', kind: 'TOOL' },
    { operation: 'retrieval', kind: 'RETRIEVER' },
    { operation: 'invoke_agent', kind: 'AGENT' },
    { operation: 'create_agent', kind: 'AGENT' },
    { operation: 'constructor', kind: undefined },
  ]) {
    test(`operation ${operation} makes ${kind ?? 'no kind'}`, () => {
      assert.equal(kindOf({ 'gen_ai.operation.name': operation }), kind);
    });
  }
  for (const { key, kind } of [
    { key: 'gen_ai.tool.name', kind: 'TOOL' },
    { key: 'gen_ai.retrieval.query.text', kind: 'RETRIEVER' },
    { key: 'gen_ai.embeddings.dimension.count', kind: 'EMBEDDING' },
    { key: 'gen_ai.request.model', kind: 'LLM' },
    { key: 'gen_ai.other', kind: undefined },
  ]) {
    test(`${key} without an operation makes ${kind ?? 'no kind'}`, () => {
      assert.equal(kindOf({ [key]: 'x' }), kind);
    });
  }

  for (const { sent, provider, system } of [
    { sent: { 'gen_ai.provider.name': 'openai' }, provider: 'openai', system: 'openai' },
    { sent: { 'gen_ai.provider.name': 'gcp.vertex_ai' }, provider: 'google', system: 'vertexai' },
    { sent: { 'gen_ai.provider.name': 'groq' }, provider: 'groq', system: undefined },
    { sent: { 'gen_ai.provider.name': 'mine' }, provider: undefined, system: 'mine' },
    { sent: { 'gen_ai.system': 'OpenAI' }, provider: 'openai', system: 'openai' },
  ]) {
    test(`${JSON.stringify(sent)} names ${provider ?? 'no provider'} and ${system ?? 'no system'}`, () => {
      const flat = derived(sent);
      assert.equal(flat['llm.provider'], provider);
      assert.equal(flat['llm.system'], system);
    });
  }

  test('turn a chat into an LLM span', () => {
    const flat = derived({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.max_tokens': 100n,
      'gen_ai.request.stop_sequences': ['a', 'b'],
      'gen_ai.request.choice.count': 2n,
      'gen_ai.output.type': 'json',
      'gen_ai.conversation.id': 'c-1',
      'gen_ai.usage.input_tokens': 7n,
      'gen_ai.usage.output_tokens': 5n,
      'gen_ai.usage.cache_read.input_tokens': 3n,
      'gen_ai.response.id': 'r-1',
      'gen_ai.response.model': 'gpt-4o-mini',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.system_instructions': '[{"type":"text","content":"Be brief."}]',
      'gen_ai.input.messages':
        '[{"role":"user","parts":[{"type":"text","content":"Hi"},{"type":"uri","modality":"image","uri":"https://x/y.png"}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"t1","response":{"ok":true}}]}]',
      'gen_ai.output.messages':
        '[{"role":"assistant","parts":[{"type":"reasoning","content":"hm"},{"type":"tool_call","id":"t2","name":"f","arguments":{"n":1}}],"finish_reason":"stop"}]',
      'gen_ai.tool.definitions': '[{"type":"function","name":"f","parameters":{}}]',
    });

    assert.deepEqual(flat, {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-4o',
      'llm.invocation_parameters':
        '{"temperature":0.5,"max_tokens":100,"n":2,"stop":["a","b"],"response_format":{"type":"json_object"}}',
      'session.id': 'c-1',
      'llm.token_count.prompt': 7,
      'llm.token_count.completion': 5,
      'llm.token_count.total': 12,
      'llm.token_count.prompt_details.cache_read': 3,
      'output.value': '{"id":"r-1","model":"gpt-4o-mini"}',
      'output.mime_type': 'application/json',
      'llm.finish_reason': 'stop',
      'llm.input_messages.0.message.role': 'system',
      'llm.input_messages.0.message.content': 'Be brief.',
      'llm.input_messages.1.message.role': 'user',
      'llm.input_messages.1.message.contents.0.message_content.type': 'text',
      'llm.input_messages.1.message.contents.0.message_content.text': 'Hi',
      'llm.input_messages.1.message.contents.1.message_content.type': 'image',
      'llm.input_messages.1.message.contents.1.message_content.image.image.url': 'https://x/y.png',
      'llm.input_messages.2.message.role': 'tool',
      'llm.input_messages.2.message.tool_call_id': 't1',
      'llm.input_messages.2.message.content': '{"ok":true}',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'hm',
      'llm.output_messages.0.message.tool_calls.0.tool_call.id': 't2',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'f',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"n":1}',
      'llm.tools.0.tool.json_schema': '{"type":"function","function":{"name":"f","parameters":{}}}',
    });
  });

  test('turn a tool call into a TOOL span', () => {
    assert.deepEqual(
      derived({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'search',
        'gen_ai.tool.call.id': 't1',
        'gen_ai.tool.call.arguments': '{"q":"x"}',
        'gen_ai.tool.call.result': '{"n":1}',
      }),
      {
        'openinference.span.kind': 'TOOL',
        'tool.name': 'search',
        'tool.id': 't1',
        'tool.parameters.q': 'x',
        'output.value': '{"n":1}',
        'output.mime_type': 'application/json',
      },
    );
  });

  test('turn a retrieval into a RETRIEVER span', () => {
    assert.deepEqual(
      derived({
        'gen_ai.retrieval.query.text': 'q',
        'gen_ai.retrieval.documents': '[{"id":"d1","score":0.5,"content":"c","metadata":{"k":1}},{"id":2}]',
      }),
      {
        'openinference.span.kind': 'RETRIEVER',
        'input.value': 'q',
        'input.mime_type': 'text/plain',
        'retrieval.documents.0.document.id': 'd1',
        'retrieval.documents.0.document.score': 0.5,
        'retrieval.documents.0.document.content': 'c',
        'retrieval.documents.0.document.metadata.k': 1,
        'retrieval.documents.1.document.id': '2',
      },
    );
  });

  test('set the embedding model of an embedding', () => {
    assert.deepEqual(
      derived({
        'gen_ai.operation.name': 'embeddings',
        'gen_ai.request.model': 'e',
        'gen_ai.request.encoding_formats': ['float'],
      }),
      {
        'openinference.span.kind': 'EMBEDDING',
        'embedding.model_name': 'e',
        'embedding.invocation_parameters': '{"encoding_format":"float"}',
      },
    );
  });

  test('never overwrite existing attributes', () => {
    const flat = derived({
      'openinference.span.kind': 'CHAIN',
      'llm.model_name': 'mine',
      'session.id': 's',
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'theirs',
      'gen_ai.conversation.id': 'c',
    });

    assert.deepEqual(flat, { 'openinference.span.kind': 'CHAIN', 'llm.model_name': 'mine', 'session.id': 's' });
  });

  test('with a malformed message set no message attributes', () => {
    for (const messages of [
      'no JSON',
      '{}',
      '[{"role":"user","parts":[]},{"parts":[]}]',
      '[{"role":"user","parts":[5]}]',
    ]) {
      const flat = derived({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': messages });
      assert.deepEqual(flat, { 'openinference.span.kind': 'LLM' });
    }
  });
});
