import { type ExactJson, isJsonObject, newJsonObject } from '../../base/exact-json.ts';
import { INVOCATION_PARAMETERS, KIND_OF_OPERATION } from '../../semconv/gen-ai.ts';
import type { SpanKind } from '../../semconv/span-kinds.ts';
import type { Dialect, TokenCounts, Translation } from './dialect.ts';
import { messagesOfEvents } from './gen-ai-events.ts';
import { indexedCompletion, indexedPrompt } from './indexed-messages.ts';
import type { Message } from './message.ts';
import { providerOf } from './provider.ts';
import { readDocuments } from './read-documents.ts';
import { readMessages } from './read-messages.ts';
import { asText, parseIfJson, type SpanView, stringsOf, textIn, unquoted } from './span-view.ts';

/**
 * The `gen_ai` attributes of OpenTelemetry in all revisions, with the span events of revisions 1.28 to 1.36, the indexed attributes from
 * before, and the names that frameworks add.
 */
export const GEN_AI: Dialect = {
  name: 'gen_ai',
  prefixes: ['gen_ai.', 'llm.request.functions.', 'llm.usage.'],
  kindOf,
  translate(span, kind) {
    const messages = messagesOf(span, kind);
    const isTool = kind === 'TOOL';
    return {
      ...providerOf(span.text('gen_ai.provider.name') ?? span.text('gen_ai.system')),
      model: span.text('gen_ai.request.model', 'gen_ai.response.model'),
      parameters: parametersOf(span),
      ...(isTool ? undefined : messages),
      tools: toolsOf(span),
      ...(kind === 'LLM' || kind === 'EMBEDDING' ? { tokens: tokensOf(span) } : undefined),
      cost: span.number('gen_ai.usage.cost', 'gen_ai.cost.total_cost', 'operation.cost'),
      finishReason: finishReasonOf(span),
      firstTokenMs: firstTokenMsOf(span),
      sessionId: span.text('gen_ai.conversation.id'),
      agentName: kind === 'AGENT' ? span.text('gen_ai.agent.name') : undefined,
      promptName: span.text('gen_ai.prompt.name'),
      ...(isTool ? toolOf(span, messages) : undefined),
      ...(kind === 'RETRIEVER' ? retrievalOf(span) : undefined),
    };
  },
};

function kindOf(span: SpanView): SpanKind | undefined {
  const operation = span.text('gen_ai.operation.name');
  if (operation !== undefined) {
    return Object.hasOwn(KIND_OF_OPERATION, operation) ? KIND_OF_OPERATION[operation] : 'CHAIN';
  }
  if (span.has('gen_ai.tool.call.id', 'gen_ai.tool.name')) return 'TOOL';
  if (span.has('gen_ai.retrieval.documents', 'gen_ai.retrieval.query.text')) return 'RETRIEVER';
  if (span.has('gen_ai.embeddings.dimension.count')) return 'EMBEDDING';
  const isModelCall =
    span.has('gen_ai.input.messages', 'gen_ai.output.messages', 'gen_ai.request.model', 'gen_ai.response.model') ||
    span.has('gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'gen_ai.prompt.0.content');
  return isModelCall ? 'LLM' : undefined;
}

function parametersOf(span: SpanView): Translation['parameters'] {
  const parameters = newJsonObject();
  for (const [name, parameter] of Object.entries(INVOCATION_PARAMETERS)) {
    const value = span.value(`gen_ai.request.${name}`);
    if (value !== undefined) parameters[parameter] = value;
  }
  const formats = span.value('gen_ai.request.encoding_formats');
  const [onlyFormat, ...otherFormats] = Array.isArray(formats) ? formats : [];
  if (onlyFormat !== undefined && otherFormats.length === 0) parameters.encoding_format = onlyFormat;
  else if (formats !== undefined) parameters.encoding_formats = formats;
  const outputType = span.text('gen_ai.output.type');
  if (outputType === 'json') parameters.response_format = { type: 'json_object' };
  if (outputType === 'text') parameters.response_format = { type: 'text' };
  return parameters;
}

/** Counts by all names that the conventions and libraries have used. */
export function tokensOf(span: SpanView): TokenCounts {
  const usage = (...names: string[]) => span.count(...names.map((name) => `gen_ai.usage.${name}`));
  const prompt = usage('input_tokens', 'prompt_tokens');
  const completion = usage('output_tokens', 'completion_tokens');
  const sum = prompt !== undefined && completion !== undefined ? prompt + completion : undefined;
  return {
    prompt,
    completion,
    total: sum ?? usage('total_tokens') ?? span.count('llm.usage.total_tokens'),
    cacheRead: usage(
      'cache_read.input_tokens',
      'cache_read_input_tokens',
      'details.cache_read_tokens',
      'cached_input_tokens',
    ),
    cacheWrite: usage(
      'cache_creation.input_tokens',
      'cache_write.input_tokens',
      'cache_creation_input_tokens',
      'cache_write_input_tokens',
      'details.cache_write_tokens',
    ),
    promptAudio: usage('audio.input_tokens', 'details.input_audio_tokens', 'input_audio_tokens'),
    completionAudio: usage('audio.output_tokens', 'details.output_audio_tokens', 'output_audio_tokens'),
    reasoning:
      usage('reasoning.output_tokens', 'reasoning_tokens', 'details.reasoning_tokens', 'output_reasoning_tokens') ??
      span.count('llm.usage.reasoning_tokens'),
  };
}

function messagesOf(
  span: SpanView,
  kind: SpanKind | undefined,
): { inputMessages: Message[] | undefined; outputMessages: Message[] | undefined } {
  const events = messagesOfEvents(span);
  const input =
    readMessages(span.value('gen_ai.input.messages'), 'user') ??
    indexedPrompt(span) ??
    events.input ??
    readJson(span, kind, 'gen_ai.prompt', 'user');
  const sent = readMessages(span.value('gen_ai.output.messages'), 'assistant');
  // litellm has no parts for a tool call, and the call in indexed attributes.
  const isEmpty = sent?.every(({ contents, toolCalls }) => contents.length === 0 && toolCalls.length === 0);
  const output =
    (isEmpty === true ? undefined : sent) ??
    indexedCompletion(span) ??
    events.output ??
    sent ??
    readJson(span, kind, 'gen_ai.completion', 'assistant');
  return { inputMessages: withInstructions(span, input), outputMessages: output };
}

/** Text or JSON that older instrumentations and LangSmith send in one attribute. Of chains, LangSmith sends their states in it. */
function readJson(
  span: SpanView,
  kind: SpanKind | undefined,
  key: string,
  role: 'user' | 'assistant',
): Message[] | undefined {
  if (kind === 'CHAIN') return undefined;
  const value = span.json(key);
  const isText = typeof value === 'string' && value !== '';
  return isText ? [{ role, contents: [{ type: 'text', text: value }], toolCalls: [] }] : readMessages(value, role);
}

/** Puts the system instructions first, unless the messages contain the same text already. */
function withInstructions(span: SpanView, messages: Message[] | undefined): Message[] | undefined {
  const instructions = span.json('gen_ai.system_instructions');
  if (instructions === undefined) return messages;
  const parts = Array.isArray(instructions) ? instructions : [instructions];
  const [system] = readMessages([{ role: 'system', parts }], 'user') ?? [];
  if (system === undefined || system.contents.length === 0) return messages;
  const text = JSON.stringify(system.contents.map(contentText));
  const isRepeated = messages?.some(
    ({ role, contents }) => role === 'system' && JSON.stringify(contents.map(contentText)) === text,
  );
  return isRepeated ? messages : [system, ...(messages ?? [])];
}

const contentText = (content: Message['contents'][number]): string => ('text' in content ? content.text : content.type);

function toolsOf(span: SpanView): ExactJson[] | undefined {
  const definitions = span.json('gen_ai.tool.definitions');
  const functions = span.indexed('llm.request.functions.');
  if (functions.length > 0) {
    return functions.map((item) => {
      const parameters = item.get('parameters');
      return toolSchema(
        Object.assign(newJsonObject(), Object.fromEntries(item), parameters && { parameters: parseIfJson(parameters) }),
      );
    });
  }
  return Array.isArray(definitions) ? definitions.map(toolSchema) : undefined;
}

/** The definition of a tool in the form of OpenAI. Other forms of tools stay. */
export function toolSchema(definition: ExactJson): ExactJson {
  const value = parseIfJson(definition);
  if (typeof value === 'string') return { type: 'function', function: { name: value } };
  if (!isJsonObject(value) || isJsonObject(value.function)) return value;
  // The names of the AI SDK and of Anthropic for the parameters.
  const { type, inputSchema, input_schema, ...fields } = value;
  const schema = inputSchema ?? input_schema;
  return { type: type ?? 'function', function: { ...fields, ...(schema === undefined ? {} : { parameters: schema }) } };
}

function finishReasonOf(span: SpanView): Translation['finishReason'] {
  const sent = stringsOf(span.value('gen_ai.response.finish_reasons', 'gen_ai.response.finish_reason'));
  const reasons = sent ?? stringsOf(span.value('gen_ai.completion.0.finish_reason')) ?? reasonOfMessages(span);
  // Semantic Kernel sends the name of a constant.
  const [only, ...others] = (reasons ?? []).map((reason) => reason.replace(/^FinishReason\..*/, enumValue));
  return others.length === 0 ? only : [only ?? '', ...others];
}

const enumValue = (constant: string): string => constant.slice(constant.indexOf('.') + 1).toLowerCase();

/** Where older revisions put it: in the output messages, or in an event. */
function reasonOfMessages(span: SpanView): string[] | undefined {
  const messages = span.json('gen_ai.output.messages');
  if (Array.isArray(messages)) return messages.flatMap((message) => textIn(message, 'finish_reason') ?? []);
  return span.events.flatMap(({ name, attributes }) =>
    name === 'gen_ai.choice' ? (stringsOf(attributes.get('finish_reason')) ?? []) : [],
  );
}

/** Attributes in seconds by the conventions, in milliseconds by others. */
function firstTokenMsOf(span: SpanView): number | undefined {
  const ms = span.number('ttft_ms', 'ai.response.msToFirstChunk');
  if (ms !== undefined && ms >= 0) return ms;
  // Strands sends whole milliseconds, OpenLIT a fraction of seconds.
  const ofServer = span.number('gen_ai.server.time_to_first_token');
  if (ofServer !== undefined && Number.isInteger(ofServer)) return ofServer >= 0 ? ofServer : undefined;
  const seconds =
    ofServer ??
    span.number(
      'gen_ai.response.time_to_first_chunk',
      'gen_ai.client.operation.time_to_first_chunk',
      'gen_ai.server.ttft',
      'gen_ai.response.time_to_first_token',
    );
  return seconds === undefined || seconds < 0 ? undefined : 1_000 * seconds;
}

function toolOf(span: SpanView, { inputMessages, outputMessages }: ReturnType<typeof messagesOf>): Translation {
  const given = span.value('gen_ai.tool.call.arguments', 'gen_ai.tool.arguments');
  const result = span.value('gen_ai.tool.call.result', 'gen_ai.tool.result');
  const input = given ?? textOfTool(inputMessages);
  const output = result ?? textOfTool(outputMessages);
  return {
    tool: {
      name: span.text('gen_ai.tool.name'),
      description: span.text('gen_ai.tool.description'),
      id: span.text('gen_ai.tool.call.id'),
      parameters: given ?? (input === undefined || !isJsonObject(parseIfJson(input)) ? undefined : input),
    },
    input,
    output: output === undefined ? undefined : unquoted(output),
  };
}

/** A tool's input or output that was sent as a message. */
function textOfTool(messages: readonly Message[] | undefined): string | undefined {
  const contents = messages?.flatMap((message) => message.contents) ?? [];
  const texts = contents.flatMap((content) =>
    content.type === 'other' ? [asText(content.json)] : 'text' in content ? [content.text] : [],
  );
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

function retrievalOf(span: SpanView): Translation {
  const query = span.text('gen_ai.retrieval.query.text', 'gen_ai.memory.query.text');
  const documents = span.json('gen_ai.retrieval.documents', 'gen_ai.memory.records');
  const topK = span.value('gen_ai.retrieval.top_k', 'gen_ai.request.top_k');
  return {
    input: query,
    documents: readDocuments(documents),
    ...(topK === undefined ? {} : { parameters: { top_k: topK } }),
  };
}
