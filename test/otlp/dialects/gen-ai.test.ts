import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Sent, stored, translated } from './translated.ts';

const kindOf = (sent: Sent) => stored(sent)['openinference.span.kind'];

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
    { operation: 'rerank', kind: 'RERANKER' },
    { operation: 'search_memory', kind: 'RETRIEVER' },
    { operation: 'invoke_workflow', kind: 'CHAIN' },
    { operation: 'constructor', kind: 'CHAIN' },
  ]) {
    test(`operation ${operation} makes ${kind}`, () => {
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
    { sent: { 'gen_ai.provider.name': 'openai.responses' }, provider: 'openai', system: 'openai' },
    { sent: { 'gen_ai.system': 'gemini' }, provider: 'google', system: undefined },
    { sent: { 'gen_ai.system': 'strands-agents' }, provider: undefined, system: undefined },
    { sent: { 'gen_ai.provider.name': 'microsoft.agent_framework' }, provider: undefined, system: undefined },
    { sent: { 'gen_ai.provider.name': 'constructor' }, provider: undefined, system: 'constructor' },
  ]) {
    test(`${JSON.stringify(sent)} names ${provider ?? 'no provider'} and ${system ?? 'no system'}`, () => {
      const flat = translated(sent);
      assert.equal(flat['llm.provider'], provider);
      assert.equal(flat['llm.system'], system);
    });
  }

  test('turn a chat into an LLM span', () => {
    const flat = translated({
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
      'input.value': 'Hi',
      'input.mime_type': 'text/plain',
      'output.value': '{"tool_calls":[{"id":"t2","name":"f","arguments":{"n":1}}]}',
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
      'llm.output_messages.0.message.contents.0.message_content.type': 'reasoning',
      'llm.output_messages.0.message.contents.0.message_content.text': 'hm',
      'llm.output_messages.0.message.tool_calls.0.tool_call.id': 't2',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'f',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"n":1}',
      'llm.tools.0.tool.json_schema': '{"type":"function","function":{"name":"f","parameters":{}}}',
    });
  });

  test('turn a tool call into a TOOL span', () => {
    assert.deepEqual(
      translated({
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
        'input.value': '{"q":"x"}',
        'input.mime_type': 'application/json',
        'output.value': '{"n":1}',
        'output.mime_type': 'application/json',
      },
    );
  });

  test('turn a retrieval into a RETRIEVER span', () => {
    assert.deepEqual(
      translated({
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
      translated({
        'gen_ai.operation.name': 'embeddings',
        'gen_ai.request.model': 'e',
        'gen_ai.request.encoding_formats': ['float'],
      }),
      {
        'openinference.span.kind': 'EMBEDDING',
        'embedding.model_name': 'e',
        'llm.model_name': 'e',
        'embedding.invocation_parameters': '{"encoding_format":"float"}',
      },
    );
  });

  test('never overwrite existing attributes', () => {
    const flat = translated({
      'openinference.span.kind': 'CHAIN',
      'llm.model_name': 'mine',
      'session.id': 's',
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'theirs',
      'gen_ai.conversation.id': 'c',
    });

    assert.deepEqual(flat, {});
  });

  test('keep a message that cannot be read as JSON beside the others', () => {
    const messages =
      '[{"role":"user","parts":[{"type":"text","content":"Hi"}]},{"odd":1},{"role":"user","parts":[5,{"type":"new","x":1}]}]';
    const flat = translated({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': messages });

    assert.deepEqual(flat, {
      'openinference.span.kind': 'LLM',
      'input.value': 'Hi',
      'input.mime_type': 'text/plain',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'Hi',
      'llm.input_messages.1.message.role': 'user',
      'llm.input_messages.1.message.contents.0.message_content.type': 'json',
      'llm.input_messages.1.message.contents.0.message_content.text': '{"odd":1}',
      'llm.input_messages.2.message.role': 'user',
      'llm.input_messages.2.message.contents.0.message_content.type': 'json',
      'llm.input_messages.2.message.contents.0.message_content.text': '5',
      'llm.input_messages.2.message.contents.1.message_content.type': 'new',
      'llm.input_messages.2.message.contents.1.message_content.text': '{"type":"new","x":1}',
    });
  });

  test('that are no messages set no message attributes', () => {
    for (const messages of ['no JSON', '{}', '[]', '[5]', '{"messages":"']) {
      const flat = translated({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': messages });
      assert.deepEqual(flat, { 'openinference.span.kind': 'LLM' }, messages);
    }
  });

  test('count tokens by each name that libraries have used', () => {
    for (const [name, derived] of [
      ['gen_ai.usage.input_tokens', 'prompt'],
      ['gen_ai.usage.prompt_tokens', 'prompt'],
      ['gen_ai.usage.output_tokens', 'completion'],
      ['gen_ai.usage.completion_tokens', 'completion'],
      ['gen_ai.usage.total_tokens', 'total'],
      ['llm.usage.total_tokens', 'total'],
      ['gen_ai.usage.cache_read.input_tokens', 'prompt_details.cache_read'],
      ['gen_ai.usage.cache_read_input_tokens', 'prompt_details.cache_read'],
      ['gen_ai.usage.details.cache_read_tokens', 'prompt_details.cache_read'],
      ['gen_ai.usage.cache_creation.input_tokens', 'prompt_details.cache_write'],
      ['gen_ai.usage.cache_write.input_tokens', 'prompt_details.cache_write'],
      ['gen_ai.usage.cache_creation_input_tokens', 'prompt_details.cache_write'],
      ['gen_ai.usage.cache_write_input_tokens', 'prompt_details.cache_write'],
      ['gen_ai.usage.audio.input_tokens', 'prompt_details.audio'],
      ['gen_ai.usage.audio.output_tokens', 'completion_details.audio'],
      ['gen_ai.usage.reasoning.output_tokens', 'completion_details.reasoning'],
      ['gen_ai.usage.reasoning_tokens', 'completion_details.reasoning'],
      ['gen_ai.usage.details.reasoning_tokens', 'completion_details.reasoning'],
      ['llm.usage.reasoning_tokens', 'completion_details.reasoning'],
    ] as const) {
      for (const value of [7n, 7, '7']) {
        const flat = translated({ 'gen_ai.operation.name': 'chat', [name]: value });
        assert.equal(flat[`llm.token_count.${derived}`], 7, `${name} as ${typeof value}`);
      }
    }
  });

  test('leave out counts that are negative, no numbers, or too large', () => {
    for (const count of [-1n, 'many', Number.NaN, 1e300, '99999999999999999999', true]) {
      const flat = translated({ 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': count });
      assert.equal(flat['llm.token_count.prompt'], undefined, String(count));
    }
  });

  test('name the model of the response when the request names none', () => {
    assert.equal(
      translated({ 'gen_ai.operation.name': 'chat', 'gen_ai.response.model': 'm-1' })['llm.model_name'],
      'm-1',
    );
  });

  test('read a finish reason as a list, JSON text, or a member of the output message', () => {
    const forms: Sent[] = [
      { 'gen_ai.response.finish_reasons': ['stop'] },
      { 'gen_ai.response.finish_reasons': '["stop"]' },
      { 'gen_ai.response.finish_reasons': 'stop' },
      { 'gen_ai.output.messages': '[{"role":"assistant","parts":[],"finish_reason":"stop"}]' },
    ];
    for (const sent of forms) {
      assert.equal(
        translated({ 'gen_ai.operation.name': 'chat', ...sent })['llm.finish_reason'],
        'stop',
        JSON.stringify(sent),
      );
    }
  });

  test('put system instructions first, once', () => {
    const instructions = '[{"type":"text","content":"Be brief."}]';
    for (const { messages, count } of [
      { messages: '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]', count: 2 },
      { messages: '[{"role":"system","parts":[{"type":"text","content":"Be brief."}]}]', count: 1 },
    ]) {
      const flat = translated({ 'gen_ai.system_instructions': instructions, 'gen_ai.input.messages': messages });
      assert.equal(flat['llm.input_messages.0.message.content'], 'Be brief.');
      assert.equal(Object.keys(flat).filter((key) => key.endsWith('.role')).length, count);
    }
  });

  test('give a tool result inside of an assistant message a message of its own', () => {
    const flat = translated({
      'gen_ai.output.messages':
        '[{"role":"assistant","parts":[{"type":"tool_call","id":"t","name":"f","arguments":"{}"},{"type":"tool_call_response","id":"t","response":"ok"},{"type":"text","content":"Done"}]}]',
    });

    assert.equal(flat['llm.output_messages.0.message.tool_calls.0.tool_call.function.name'], 'f');
    assert.equal(flat['llm.output_messages.0.message.content'], 'Done');
    assert.equal(flat['llm.output_messages.1.message.role'], 'tool');
    assert.equal(flat['llm.output_messages.1.message.tool_call_id'], 't');
    assert.equal(flat['llm.output_messages.1.message.content'], 'ok');
    assert.equal(flat['output.value'], 'Done');
  });

  test('keep media by their address, and leave out the bytes of files', () => {
    const bytes = 'QUJD'.repeat(1_000);
    const parts = [
      { type: 'blob', modality: 'audio', mime_type: 'audio/mp3', content: 'QUJD' },
      { type: 'uri', modality: 'image', uri: 'https://x/y.png' },
      { type: 'blob', modality: 'document', mime_type: 'application/pdf', content: bytes },
      { type: 'file', modality: 'document', file_id: 'f-1' },
    ];
    const flat = translated({ 'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts }]) });
    const at = (index: number, rest: string) =>
      flat[`llm.input_messages.0.message.contents.${index}.message_content.${rest}`];

    assert.equal(at(0, 'audio.audio.url'), 'data:audio/mp3;base64,QUJD');
    assert.equal(at(1, 'image.image.url'), 'https://x/y.png');
    assert.equal(at(2, 'type'), 'blob');
    assert.equal(
      at(2, 'text'),
      '{"type":"blob","modality":"document","mime_type":"application/pdf","base64_chars":4000}',
    );
    assert.equal(at(3, 'text'), '{"type":"file","modality":"document","file_id":"f-1"}');
  });

  test('name the derived attributes and their dialects', () => {
    const all = stored({ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'traceloop.span.kind': 'task' });

    assert.deepEqual(all['spandrel.dialects'], ['openllmetry', 'gen_ai']);
    assert.deepEqual(all['spandrel.derived'], ['openinference.span.kind', 'llm.model_name']);
    assert.equal(all['openinference.span.kind'], 'CHAIN');
  });

  test('add no element to lists that are there', () => {
    const flat = translated({
      'openinference.span.kind': 'LLM',
      'llm.input_messages.0.message.role': 'user',
      'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]',
    });

    assert.deepEqual(flat, { 'input.value': 'Hi', 'input.mime_type': 'text/plain' });
  });

  test('convert the time to the first token to milliseconds', () => {
    for (const [key, value, ms] of [
      ['gen_ai.response.time_to_first_chunk', 0.25, 250],
      ['gen_ai.server.time_to_first_token', 250, 250],
      ['ttft_ms', 250n, 250],
      ['ai.response.msToFirstChunk', 250.5, 250.5],
    ] as const) {
      assert.equal(
        translated({ 'gen_ai.operation.name': 'chat', [key]: value })['llm.time_to_first_token_ms'],
        ms,
        key,
      );
    }
  });
});

describe('events of gen_ai', () => {
  test('of revision 1.28 become messages', () => {
    const flat = translated({ 'gen_ai.operation.name': 'chat' }, [
      { name: 'gen_ai.system.message', attributes: { content: 'Be brief.' } },
      { name: 'gen_ai.user.message', attributes: { content: 'Hi' } },
      {
        name: 'gen_ai.assistant.message',
        attributes: { tool_calls: '[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]' },
      },
      { name: 'gen_ai.tool.message', attributes: { id: 't', content: '7' } },
      {
        name: 'gen_ai.choice',
        attributes: { index: 0n, finish_reason: 'stop', message: '{"role":"assistant","content":"Seven"}' },
      },
      { name: 'exception', attributes: { 'exception.message': 'x' } },
    ]);

    assert.deepEqual(flat, {
      'openinference.span.kind': 'LLM',
      'llm.finish_reason': 'stop',
      'input.value': 'Hi',
      'input.mime_type': 'text/plain',
      'output.value': 'Seven',
      'output.mime_type': 'text/plain',
      'llm.input_messages.0.message.role': 'system',
      'llm.input_messages.0.message.content': 'Be brief.',
      'llm.input_messages.1.message.role': 'user',
      'llm.input_messages.1.message.content': 'Hi',
      'llm.input_messages.2.message.role': 'assistant',
      'llm.input_messages.2.message.tool_calls.0.tool_call.id': 't',
      'llm.input_messages.2.message.tool_calls.0.tool_call.function.name': 'f',
      'llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments': '{}',
      'llm.input_messages.3.message.role': 'tool',
      'llm.input_messages.3.message.tool_call_id': 't',
      'llm.input_messages.3.message.content': '7',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'Seven',
    });
  });

  test('of Strands become messages of a model call, and input and output of a tool', () => {
    const call = translated({ 'gen_ai.operation.name': 'chat', 'gen_ai.system': 'strands-agents' }, [
      { name: 'gen_ai.user.message', attributes: { content: '[{"text":"What is 3+4?"}]' } },
      {
        name: 'gen_ai.choice',
        attributes: {
          finish_reason: 'tool_use',
          message: '[{"toolUse":{"toolUseId":"t","name":"add","input":{"a":3}}}]',
        },
      },
    ]);
    assert.equal(call['input.value'], 'What is 3+4?');
    assert.equal(call['llm.output_messages.0.message.tool_calls.0.tool_call.function.name'], 'add');

    const tool = translated({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'add' }, [
      { name: 'gen_ai.tool.message', attributes: { role: 'tool', content: '{"a":3}', id: 't' } },
      { name: 'gen_ai.choice', attributes: { message: '[{"text":"7"}]', id: 't' } },
    ]);
    assert.equal(tool['input.value'], '{"a":3}');
    assert.equal(tool['output.value'], '7');
  });

  test('with all details of a call become messages', () => {
    const flat = translated({ 'gen_ai.operation.name': 'chat' }, [
      {
        name: 'gen_ai.client.inference.operation.details',
        attributes: {
          'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }],
          'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"Hello"}]}]',
        },
      },
    ]);
    assert.equal(flat['input.value'], 'Hi');
    assert.equal(flat['output.value'], 'Hello');
  });
});
