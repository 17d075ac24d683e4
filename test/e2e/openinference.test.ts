import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { createClient } from '@arizeai/phoenix-client';
import { getSessionTurns } from '@arizeai/phoenix-client/sessions';
import { getSpans } from '@arizeai/phoenix-client/spans';
import { register, setSession, traceAgent, traceTool } from '@arizeai/phoenix-otel';
import { context } from '@opentelemetry/api';
import OpenAI from 'openai';
import { ANSWER, type OpenAiEndpoint, openOpenAiEndpoint, STREAMED, TOOL_CALL, USAGE } from './openai-endpoint.ts';
import { eventually } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

const PROJECT = 'openai app';
const SESSION = 'conversation 7';
const MESSAGES = [
  { role: 'system' as const, content: 'You are brief.' },
  { role: 'user' as const, content: 'Capital of France? 🇫🇷' },
];
const TOOLS = [
  {
    type: 'function' as const,
    function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  },
];

describe('an application traced with register() and the OpenAI instrumentation', () => {
  let server: ServerProcess;
  let endpoint: OpenAiEndpoint;
  let dataDir: string;
  const project = { projectName: PROJECT };
  const client = () => createClient({ options: { baseUrl: server.url } });
  const spansOf = (count: number, query: object = {}) =>
    eventually(async () => {
      const { spans } = await getSpans({ client: client(), project, limit: 1_000, ...query });
      assert.equal(spans.length, count);
      return spans;
    });

  before(async () => {
    dataDir = await makeDataDir();
    [server, endpoint] = await Promise.all([startServer({ dataDir }), openOpenAiEndpoint()]);
    const provider = register({ projectName: PROJECT, url: server.url, batch: true });
    const instrumentation = new OpenAIInstrumentation({ tracerProvider: provider });
    instrumentation.manuallyInstrument(OpenAI);
    await runApplication(new OpenAI({ apiKey: 'none', baseURL: endpoint.baseUrl, maxRetries: 0 }));
    await provider.forceFlush();
    await provider.shutdown();
  });

  after(async () => {
    await server.stop();
    await endpoint.close();
    await removeDataDir(dataDir);
  });

  test('produces one tree: the agent with three model calls and a tool below it', async () => {
    const spans = await spansOf(5);

    const roots = spans.filter((span) => span.parent_id === null);
    assert.deepEqual(
      roots.map((span) => [span.name, span.span_kind]),
      [['answer', 'AGENT']],
    );
    const children = spans.filter((span) => span.parent_id === roots[0]?.context.span_id);
    assert.deepEqual(children.map((span) => span.span_kind).sort(), ['LLM', 'LLM', 'LLM', 'TOOL']);
    assert.equal(new Set(spans.map((span) => span.context.trace_id)).size, 1);
  });

  test('keeps messages, model, parameters and token counts of a plain call', async () => {
    const [plain] = await spansOf(1, { spanKind: 'LLM', attributes: { 'llm.model_name': 'plain-model' } });

    const attributes = plain?.attributes ?? {};
    assert.equal(attributes['llm.input_messages.0.message.role'], 'system');
    assert.equal(attributes['llm.input_messages.0.message.content'], 'You are brief.');
    assert.equal(attributes['llm.input_messages.1.message.content'], 'Capital of France? 🇫🇷');
    assert.equal(attributes['llm.output_messages.0.message.content'], ANSWER);
    assert.equal(attributes['llm.token_count.prompt'], USAGE.prompt_tokens);
    assert.equal(attributes['llm.token_count.completion'], USAGE.completion_tokens);
    assert.equal(attributes['llm.token_count.total'], USAGE.total_tokens);
    assert.deepEqual(JSON.parse(String(attributes['llm.invocation_parameters'])), {
      model: 'plain-model',
      temperature: 0.5,
    });
    assert.equal(attributes['session.id'], SESSION);
    assert.deepEqual(JSON.parse(String(attributes['input.value'])).messages, MESSAGES);
  });

  test('keeps the text of a streamed response', async () => {
    const [streamed] = await spansOf(1, { attributes: { 'llm.model_name': 'streaming-model' } });

    assert.equal(streamed?.attributes?.['llm.output_messages.0.message.content'], STREAMED.join(''));
  });

  test('keeps a tool call with its arguments, and the tool that ran', async () => {
    const [called] = await spansOf(1, { attributes: { 'llm.model_name': 'tool-model' } });
    const [tool] = await spansOf(1, { spanKind: 'TOOL' });

    const prefix = 'llm.output_messages.0.message.tool_calls.0.tool_call';
    assert.equal(called?.attributes?.[`${prefix}.function.name`], TOOL_CALL.function.name);
    assert.equal(called?.attributes?.[`${prefix}.function.arguments`], TOOL_CALL.function.arguments);
    assert.ok(called?.attributes?.['llm.tools.0.tool.json_schema'], 'the tools that were offered');
    assert.equal(tool?.name, 'get_weather');
    assert.equal(tool?.attributes?.['output.value'], 'sunny');
  });

  test('is one turn of its session', async () => {
    await spansOf(5);

    const turns = await getSessionTurns({ client: client(), sessionId: SESSION });

    assert.equal(turns.length, 1);
    assert.equal(turns[0]?.input?.value, 'weather in Paris?');
    assert.equal(turns[0]?.output?.value, 'It is sunny.');
  });
});

/** What a small agent does: ask, ask in a stream, ask with a tool, run the tool. */
async function runApplication(openai: OpenAI): Promise<void> {
  const getWeather = traceTool(async (_city: string) => 'sunny', { name: 'get_weather' });
  const answer = traceAgent(
    async (_question: string) => {
      await openai.chat.completions.create({ model: 'plain-model', temperature: 0.5, messages: MESSAGES });
      const stream = await openai.chat.completions.create({
        model: 'streaming-model',
        stream: true,
        messages: MESSAGES,
      });
      for await (const _chunk of stream) {
        // The instrumentation records the answer while it is read.
      }
      await openai.chat.completions.create({ model: 'tool-model', messages: MESSAGES, tools: TOOLS });
      await getWeather('Paris');
      return 'It is sunny.';
    },
    { name: 'answer' },
  );
  await context.with(setSession(context.active(), { sessionId: SESSION }), () => answer('weather in Paris?'));
}
