import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { translated } from './translated.ts';

const USER = 'What is the capital of France?';
const ANSWER = 'Paris.';
/** Messages of a question and its answer, as they are stored. */
const CONVERSATION = {
  'llm.input_messages.0.message.role': 'user',
  'llm.input_messages.0.message.content': USER,
  'llm.output_messages.0.message.role': 'assistant',
  'llm.output_messages.0.message.content': ANSWER,
  'input.value': USER,
  'input.mime_type': 'text/plain',
  'output.value': ANSWER,
  'output.mime_type': 'text/plain',
};
const TOKENS = {
  'llm.token_count.prompt': 1200,
  'llm.token_count.completion': 60,
  'llm.token_count.total': 1260,
  'llm.token_count.prompt_details.cache_read': 800,
};
const REASONING = { 'llm.token_count.completion_details.reasoning': 20 };

describe('AI SDK', () => {
  test('names agent, model call, tool and embedding by the operation', () => {
    for (const [operation, kind] of [
      ['ai.generateText', 'AGENT'],
      ['ai.streamText', 'AGENT'],
      ['ai.generateText.doGenerate', 'LLM'],
      ['ai.streamObject.doStream', 'LLM'],
      ['ai.generateObject', 'CHAIN'],
      ['ai.toolCall', 'TOOL'],
      ['ai.embed', 'CHAIN'],
      ['ai.embedMany.doEmbed', 'EMBEDDING'],
      ['ai.rerank.doRerank', 'RERANKER'],
      ['other', 'CHAIN'],
    ]) {
      assert.equal(translated({ 'ai.operationId': operation as string })['openinference.span.kind'], kind, operation);
    }
  });

  test('has messages, tools, tokens, session, user and metadata of a model call', () => {
    const flat = translated({
      'ai.operationId': 'ai.streamText.doStream',
      'ai.model.id': 'gpt-4o',
      'ai.model.provider': 'openai.chat',
      'ai.prompt.messages': JSON.stringify([{ role: 'user', content: [{ type: 'text', text: USER }] }]),
      'ai.prompt.tools': ['{"type":"function","name":"look","inputSchema":{"type":"object"}}'],
      'ai.response.text': ANSWER,
      'ai.response.finishReason': 'stop',
      'ai.response.msToFirstChunk': 12.5,
      'ai.usage.inputTokens': 1200n,
      'ai.usage.outputTokens': 60n,
      'ai.usage.cachedInputTokens': 800n,
      'ai.usage.reasoningTokens': 20n,
      'ai.settings.temperature': 0.5,
      'ai.telemetry.metadata.sessionId': 's-1',
      'ai.telemetry.metadata.userId': 'u-1',
      'ai.telemetry.metadata.tier': 'gold',
      'gen_ai.system': 'openai.chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 1200n,
    });

    assert.deepEqual(flat, {
      ...CONVERSATION,
      ...TOKENS,
      ...REASONING,
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-4o',
      'llm.provider': 'openai',
      'llm.system': 'openai',
      'llm.invocation_parameters': '{"temperature":0.5}',
      'llm.finish_reason': 'stop',
      'llm.time_to_first_token_ms': 12.5,
      'llm.tools.0.tool.json_schema': '{"type":"function","function":{"name":"look","parameters":{"type":"object"}}}',
      'session.id': 's-1',
      'user.id': 'u-1',
      metadata: '{"sessionId":"s-1","userId":"u-1","tier":"gold"}',
    });
  });

  test('has the conversation of an agent as texts, and no tokens', () => {
    const flat = translated({
      'ai.operationId': 'ai.generateText',
      'ai.prompt': JSON.stringify({ system: 'Be brief.', messages: [{ role: 'user', content: USER }] }),
      'ai.response.text': ANSWER,
      'ai.usage.promptTokens': 2400n,
      'ai.telemetry.functionId': 'capitals',
    });

    assert.deepEqual(flat, {
      'openinference.span.kind': 'AGENT',
      'agent.name': 'capitals',
      'input.value': USER,
      'input.mime_type': 'text/plain',
      'output.value': ANSWER,
      'output.mime_type': 'text/plain',
    });
  });

  test('has tool calls of a response, and the arguments and result of a tool', () => {
    const call = translated({
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.response.toolCalls':
        '[{"toolCallType":"function","toolCallId":"t","toolName":"look","args":"{\\"city\\":\\"Paris\\"}"}]',
    });
    assert.equal(call['llm.output_messages.0.message.tool_calls.0.tool_call.id'], 't');
    assert.equal(call['llm.output_messages.0.message.tool_calls.0.tool_call.function.name'], 'look');
    assert.equal(call['llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments'], '{"city":"Paris"}');

    assert.deepEqual(
      translated({
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.name': 'look',
        'ai.toolCall.id': 't',
        'ai.toolCall.args': '{"city":"Paris"}',
        'ai.toolCall.result': '"found"',
      }),
      {
        'openinference.span.kind': 'TOOL',
        'tool.name': 'look',
        'tool.id': 't',
        'tool.parameters.city': 'Paris',
        'input.value': '{"city":"Paris"}',
        'input.mime_type': 'application/json',
        'output.value': 'found',
        'output.mime_type': 'text/plain',
      },
    );
  });
});

describe('OpenLLMetry', () => {
  test('has kind, input, output, session and metadata of a workflow', () => {
    assert.deepEqual(
      translated({
        'traceloop.span.kind': 'workflow',
        'traceloop.entity.name': 'answer',
        'traceloop.entity.input': '{"args":["Hi"],"kwargs":{}}',
        'traceloop.entity.output': '"Hello"',
        'traceloop.association.properties.session_id': 's-1',
        'traceloop.association.properties.user_id': 'u-1',
      }),
      {
        'openinference.span.kind': 'CHAIN',
        'input.value': 'Hi',
        'input.mime_type': 'text/plain',
        'output.value': 'Hello',
        'output.mime_type': 'text/plain',
        'session.id': 's-1',
        'user.id': 'u-1',
        metadata: '{"session_id":"s-1","user_id":"u-1"}',
      },
    );
  });

  test('has messages, tools and tokens of indexed attributes', () => {
    assert.deepEqual(
      translated({
        'llm.request.type': 'chat',
        'gen_ai.system': 'OpenAI',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.prompt.0.role': 'user',
        'gen_ai.prompt.0.content': USER,
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.content': ANSWER,
        'gen_ai.completion.0.finish_reason': 'stop',
        'gen_ai.completion.0.tool_calls.0.id': 't',
        'gen_ai.completion.0.tool_calls.0.name': 'look',
        'gen_ai.completion.0.tool_calls.0.arguments': '{}',
        'llm.request.functions.0.name': 'look',
        'llm.request.functions.0.parameters': '{"type":"object"}',
        'gen_ai.usage.prompt_tokens': 1200n,
        'gen_ai.usage.completion_tokens': 60n,
        'gen_ai.usage.cache_read_input_tokens': 800n,
        'llm.usage.reasoning_tokens': 20n,
      }),
      {
        ...CONVERSATION,
        ...TOKENS,
        ...REASONING,
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'gpt-4o',
        'llm.provider': 'openai',
        'llm.system': 'openai',
        'llm.finish_reason': 'stop',
        'llm.output_messages.0.message.tool_calls.0.tool_call.id': 't',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'look',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{}',
        'llm.tools.0.tool.json_schema': '{"type":"function","function":{"name":"look","parameters":{"type":"object"}}}',
      },
    );
  });

  test('has indexed messages in the order of their indexes, with holes closed', () => {
    const flat = translated({
      'gen_ai.operation.name': 'chat',
      'gen_ai.prompt.10.content': 'c',
      'gen_ai.prompt.2.content': 'b',
      'gen_ai.prompt.0.content': 'a',
    });
    const contents = [0, 1, 2, 3].map((index) => flat[`llm.input_messages.${index}.message.content`]);
    assert.deepEqual(contents, ['a', 'b', 'c', undefined]);
  });
});

describe('Langfuse', () => {
  test('has messages, model, tokens, cost, tags and metadata of a generation', () => {
    assert.deepEqual(
      translated({
        'langfuse.observation.type': 'generation',
        'langfuse.observation.model.name': 'gpt-4o',
        'langfuse.observation.model.parameters': '{"temperature":0.5}',
        'langfuse.observation.input': JSON.stringify([{ role: 'user', content: USER }]),
        'langfuse.observation.output': JSON.stringify({ role: 'assistant', content: ANSWER }),
        'langfuse.observation.usage_details':
          '{"prompt_tokens":1200,"completion_tokens":60,"total_tokens":1260,"prompt_tokens_details":{"cached_tokens":800},"completion_tokens_details":{"reasoning_tokens":20}}',
        'langfuse.observation.cost_details': '{"input":0.001,"output":0.0016,"total":0.0026}',
        'langfuse.observation.metadata.tier': 'gold',
        'langfuse.trace.tags': ['a', 'b'],
        'langfuse.trace.metadata.region': 'eu',
      }),
      {
        ...CONVERSATION,
        ...TOKENS,
        ...REASONING,
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'gpt-4o',
        'llm.invocation_parameters': '{"temperature":0.5}',
        'llm.cost.total': 0.0026,
        'tag.tags': ['a', 'b'],
        metadata: '{"region":"eu","tier":"gold"}',
      },
    );
  });

  test('adds cached tokens that are counted beside the input', () => {
    const flat = translated({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.usage_details':
        '{"input":400,"output":40,"total":1260,"input_cache_read":800,"output_reasoning":20}',
    });
    assert.equal(flat['llm.token_count.prompt'], 1200);
    assert.equal(flat['llm.token_count.completion'], 60);
  });

  test('has input and output of a span as texts', () => {
    assert.deepEqual(
      translated({
        'langfuse.observation.type': 'span',
        'langfuse.observation.input': '"Hi"',
        'langfuse.observation.output': '{"ok":true}',
      }),
      {
        'openinference.span.kind': 'CHAIN',
        'input.value': 'Hi',
        'input.mime_type': 'text/plain',
        'output.value': '{"ok":true}',
        'output.mime_type': 'application/json',
      },
    );
  });
});

describe('LangSmith', () => {
  test('has messages, tokens, session and user of a model call of LangChain', () => {
    const message = (type: string, content: string) => ({
      lc: 1,
      type: 'constructor',
      id: ['langchain', 'schema', 'messages', type],
      kwargs: { content, additional_kwargs: {} },
    });
    const flat = translated({
      'langsmith.span.kind': 'llm',
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'langchain',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.prompt': JSON.stringify({ messages: [[message('HumanMessage', USER)]] }),
      'gen_ai.completion': JSON.stringify({
        generations: [[{ text: ANSWER, type: 'ChatGeneration', message: message('AIMessage', ANSWER) }]],
      }),
      'gen_ai.usage.input_tokens': 1200n,
      'gen_ai.usage.output_tokens': 60n,
      'gen_ai.usage.total_tokens': 1260n,
      'langsmith.metadata.usage_metadata':
        '{"input_tokens":1200,"output_tokens":60,"total_tokens":1260,"input_token_details":{"cache_read":800},"output_token_details":{"reasoning":20}}',
      'langsmith.metadata.ls_provider': 'openai',
      'langsmith.metadata.session_id': 's-1',
      'langsmith.metadata.user_id': 'u-1',
    });
    const { metadata: _metadata, ...rest } = flat;

    assert.deepEqual(rest, {
      ...CONVERSATION,
      ...TOKENS,
      ...REASONING,
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-4o',
      'llm.provider': 'openai',
      'llm.system': 'openai',
      'session.id': 's-1',
      'user.id': 'u-1',
    });
  });

  test('has the documents of a retriever, whose operation is embedding', () => {
    const flat = translated({
      'langsmith.span.kind': 'retriever',
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.prompt': '{"query":"capital"}',
      'gen_ai.completion': '{"documents":[{"page_content":"Paris","metadata":{"page":1}}]}',
    });

    assert.equal(flat['openinference.span.kind'], 'RETRIEVER');
    assert.equal(flat['retrieval.documents.0.document.content'], 'Paris');
    assert.equal(flat['retrieval.documents.0.document.metadata.page'], 1);
  });
});

describe('MLflow', () => {
  test('has messages, tools, model and tokens of JSON in JSON', () => {
    assert.deepEqual(
      translated({
        'mlflow.spanType': '"CHAT_MODEL"',
        'mlflow.spanInputs': JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: USER }] }),
        'mlflow.spanOutputs': JSON.stringify({
          model: 'gpt-4o',
          choices: [{ message: { role: 'assistant', content: ANSWER } }],
          usage: { prompt_tokens: 1200, completion_tokens: 60, prompt_tokens_details: { cached_tokens: 800 } },
        }),
        'mlflow.chat.tokenUsage': '{"input_tokens":1200,"output_tokens":60,"total_tokens":1260}',
        'mlflow.chat.tools': '[{"type":"function","function":{"name":"look"}}]',
      }),
      {
        ...CONVERSATION,
        ...TOKENS,
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'gpt-4o',
        'llm.tools.0.tool.json_schema': '{"type":"function","function":{"name":"look"}}',
      },
    );
  });

  test('has the documents of a retriever', () => {
    const flat = translated({
      'mlflow.spanType': '"RETRIEVER"',
      'mlflow.spanInputs': '"capital"',
      'mlflow.spanOutputs': '[{"page_content":"Paris","metadata":{},"id":"d1"}]',
    });
    assert.equal(flat['input.value'], 'capital');
    assert.equal(flat['retrieval.documents.0.document.id'], 'd1');
    assert.equal(flat['retrieval.documents.0.document.content'], 'Paris');
  });
});

describe('Logfire and Pydantic AI', () => {
  test('have the name of the message, the conversation of an agent and the session', () => {
    assert.deepEqual(
      translated({
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'capitals',
        'pydantic_ai.all_messages': JSON.stringify([
          { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
          { role: 'user', parts: [{ type: 'text', content: USER }] },
          { role: 'assistant', parts: [{ type: 'text', content: ANSWER }] },
        ]),
        final_result: ANSWER,
        'logfire.msg': 'capitals run',
        group_id: 'g-1',
        'operation.cost': 0.0026,
      }),
      {
        name: 'capitals run',
        'openinference.span.kind': 'AGENT',
        'agent.name': 'capitals',
        'input.value': USER,
        'input.mime_type': 'text/plain',
        'output.value': ANSWER,
        'output.mime_type': 'text/plain',
        'llm.cost.total': 0.0026,
        'session.id': 'g-1',
      },
    );
  });

  test('have the messages of events in an attribute', () => {
    const flat = translated({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'logfire.msg': 'chat gpt-4o',
      events: JSON.stringify([
        { 'event.name': 'gen_ai.user.message', role: 'user', content: USER },
        { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', content: ANSWER } },
      ]),
    });
    for (const [key, value] of Object.entries(CONVERSATION)) assert.equal(flat[key], value, key);
  });
});

describe('Mastra', () => {
  test('has kind, input, output, session and user by the type of the span', () => {
    const flat = translated({
      'mastra.span.type': 'agent_run',
      'mastra.agent_run.input': USER,
      'mastra.agent_run.output': JSON.stringify({ text: ANSWER }),
      'mastra.metadata.sessionId': 's-1',
      'mastra.metadata.userId': 'u-1',
    });
    assert.equal(flat['openinference.span.kind'], 'AGENT');
    assert.equal(flat['input.value'], USER);
    assert.equal(flat['output.value'], ANSWER);
    assert.equal(flat['session.id'], 's-1');
    assert.equal(flat['user.id'], 'u-1');
  });
});

describe('Agent Development Kit', () => {
  test('has the request and response of Gemini as messages', () => {
    const flat = translated({
      'gen_ai.system': 'gcp.vertex.agent',
      'gcp.vertex.agent.llm_request': JSON.stringify({
        model: 'gemini-2.5-pro',
        config: { system_instruction: 'Be brief.' },
        contents: [{ role: 'user', parts: [{ text: USER }] }],
      }),
      'gcp.vertex.agent.llm_response': JSON.stringify({
        content: { role: 'model', parts: [{ text: 'Hm', thought: true }, { text: ANSWER }] },
        usage_metadata: {
          prompt_token_count: 1200,
          candidates_token_count: 40,
          thoughts_token_count: 20,
          total_token_count: 1260,
          cached_content_token_count: 800,
        },
      }),
      'gcp.vertex.agent.session_id': 's-1',
    });

    assert.equal(flat['llm.input_messages.0.message.content'], 'Be brief.');
    assert.equal(flat['llm.input_messages.1.message.content'], USER);
    assert.equal(flat['llm.output_messages.0.message.contents.0.message_content.type'], 'reasoning');
    assert.equal(flat['output.value'], ANSWER);
    assert.equal(flat['session.id'], 's-1');
    for (const [key, value] of Object.entries({ ...TOKENS, ...REASONING })) assert.equal(flat[key], value, key);
  });
});

describe('Model Context Protocol', () => {
  test('has the tool of a call, and a chain for other methods', () => {
    assert.deepEqual(translated({ 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'look' }), {
      'openinference.span.kind': 'TOOL',
      'tool.name': 'look',
    });
    assert.deepEqual(translated({ 'mcp.method.name': 'tools/list' }), { 'openinference.span.kind': 'CHAIN' });
  });
});

describe('bodies of vendors', () => {
  const read = (output: unknown) =>
    translated({ 'langfuse.observation.type': 'generation', 'langfuse.observation.output': JSON.stringify(output) });

  for (const [vendor, body] of Object.entries({
    'OpenAI chat': { choices: [{ index: 0, message: { role: 'assistant', content: ANSWER } }] },
    'OpenAI responses': {
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: ANSWER }] },
      ],
    },
    Anthropic: {
      role: 'assistant',
      type: 'message',
      content: [
        { type: 'thinking', thinking: 'Hm' },
        { type: 'text', text: ANSWER },
      ],
    },
    Google: { candidates: [{ content: { role: 'model', parts: [{ text: ANSWER }] } }] },
    Bedrock: { output: { message: { role: 'assistant', content: [{ text: ANSWER }] } } },
    Ollama: { model: 'm', message: { role: 'assistant', content: ANSWER } },
    LangChain: { type: 'ai', data: { content: ANSWER } },
  })) {
    test(`of ${vendor} are read as messages`, () => {
      assert.equal(read(body)['output.value'], ANSWER);
    });
  }

  test('with tool calls are read as messages', () => {
    for (const body of [
      {
        choices: [
          {
            message: {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: 't', function: { name: 'f', arguments: '{}' } }],
            },
          },
        ],
      },
      { output: [{ type: 'function_call', call_id: 't', name: 'f', arguments: '{}' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
      { candidates: [{ content: { parts: [{ functionCall: { id: 't', name: 'f', args: {} } }] } }] },
      { output: { message: { role: 'assistant', content: [{ toolUse: { toolUseId: 't', name: 'f', input: {} } }] } } },
    ]) {
      const flat = read(body);
      const call = 'llm.output_messages.0.message.tool_calls.0.tool_call';
      assert.equal(flat[`${call}.id`], 't', JSON.stringify(body));
      assert.equal(flat[`${call}.function.name`], 'f');
      assert.equal(flat[`${call}.function.arguments`], '{}');
    }
  });
});
