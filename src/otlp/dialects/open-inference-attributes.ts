import { type ExactJson, isJsonObject, toExactJsonText } from '../../base/exact-json.ts';
import type { SpanKind } from '../../semconv/span-kinds.ts';
import type { Translation } from './dialect.ts';
import { type Message, textOf } from './message.ts';
import { asText } from './span-view.ts';

/** A bigint is an int64, a number a double. */
export type DerivedValue = string | bigint | number | readonly string[];
export type Derived = Iterable<readonly [string, DerivedValue | undefined]>;

/** Lists of OpenInference. If a span has an element of one, nothing is added to it. */
const LISTS = ['llm.input_messages', 'llm.output_messages', 'llm.tools', 'retrieval.documents'] as const;

/**
 * OpenInference attributes of a translation, except those that the span has.
 *
 * @param has whether the span has this attribute
 * @param hasBelow whether the span has an attribute with this prefix
 */
export function* toOpenInference(
  kind: SpanKind | undefined,
  translation: Translation,
  has: (key: string) => boolean,
  hasBelow: (prefix: string) => boolean,
): Generator<readonly [string, DerivedValue]> {
  const present = new Set(LISTS.filter((list) => hasBelow(`${list}.`) || has(list)).map((list) => `${list}.`));
  const isPresent = (key: string) => {
    if (has(key)) return true;
    for (const list of present) if (key.startsWith(list)) return true;
    return false;
  };
  for (const [key, value] of attributesOf(kind, translation)) {
    if (value !== undefined && !isPresent(key)) yield [key, value];
  }
  if (!has('input.value')) yield* ioOf('input', translation.input ?? textOfInput(translation.inputMessages));
  if (!has('output.value')) yield* ioOf('output', translation.output ?? textOfOutput(translation.outputMessages));
}

function* attributesOf(kind: SpanKind | undefined, translation: Translation): Derived {
  const { model, tokens, tool, metadata, tags, parameters } = translation;
  const isEmbedding = kind === 'EMBEDDING';
  yield ['openinference.span.kind', kind];
  yield [isEmbedding ? 'embedding.model_name' : 'llm.model_name', model];
  // Costs are found by this name for every kind of span.
  if (isEmbedding) yield ['llm.model_name', model];
  yield ['llm.provider', translation.provider];
  yield ['llm.system', translation.system];
  if (parameters !== undefined && Object.keys(parameters).length > 0) {
    yield [`${isEmbedding ? 'embedding' : 'llm'}.invocation_parameters`, toExactJsonText(parameters)];
  }
  yield ['llm.token_count.prompt', tokens?.prompt];
  yield ['llm.token_count.completion', tokens?.completion];
  yield ['llm.token_count.total', tokens?.total];
  yield ['llm.token_count.prompt_details.cache_read', tokens?.cacheRead];
  yield ['llm.token_count.prompt_details.cache_write', tokens?.cacheWrite];
  yield ['llm.token_count.prompt_details.audio', tokens?.promptAudio];
  yield ['llm.token_count.completion_details.reasoning', tokens?.reasoning];
  yield ['llm.token_count.completion_details.audio', tokens?.completionAudio];
  // Libraries send zero for a model without a price.
  yield ['llm.cost.total', translation.cost === 0 ? undefined : translation.cost];
  yield ['llm.finish_reason', translation.finishReason];
  yield ['llm.time_to_first_token_ms', translation.firstTokenMs];
  yield ['session.id', translation.sessionId];
  yield ['user.id', translation.userId];
  yield ['agent.name', translation.agentName];
  yield ['llm.prompt_template.name', translation.promptName];
  if (metadata !== undefined && Object.keys(metadata).length > 0) yield ['metadata', toExactJsonText(metadata)];
  if (tags !== undefined && tags.length > 0) yield ['tag.tags', tags];
  yield ['tool.name', tool?.name];
  yield ['tool.description', tool?.description];
  yield ['tool.id', tool?.id];
  yield ['tool.parameters', tool?.parameters === undefined ? undefined : asText(tool.parameters)];
  yield* messagesOf('llm.input_messages', translation.inputMessages);
  yield* messagesOf('llm.output_messages', translation.outputMessages);
  for (const [i, schema] of (translation.tools ?? []).entries()) {
    yield [`llm.tools.${i}.tool.json_schema`, toExactJsonText(schema)];
  }
  for (const [i, { id, content, score, metadata: of }] of (translation.documents ?? []).entries()) {
    const prefix = `retrieval.documents.${i}.document`;
    yield [`${prefix}.id`, id];
    yield [`${prefix}.content`, content];
    yield [`${prefix}.score`, score];
    yield [`${prefix}.metadata`, of === undefined ? undefined : asText(of)];
  }
}

function* messagesOf(prefix: string, messages: readonly Message[] | undefined): Derived {
  for (const [i, message] of (messages ?? []).entries()) {
    const at = `${prefix}.${i}.message`;
    yield [`${at}.role`, message.role];
    yield [`${at}.name`, message.name];
    yield [`${at}.tool_call_id`, message.toolCallId];
    const [only, ...others] = message.contents;
    if (only?.type === 'text' && others.length === 0) yield [`${at}.content`, only.text];
    else
      for (const [k, content] of message.contents.entries())
        yield* contentOf(`${at}.contents.${k}.message_content`, content);
    for (const [k, call] of message.toolCalls.entries()) {
      yield [`${at}.tool_calls.${k}.tool_call.id`, call.id];
      yield [`${at}.tool_calls.${k}.tool_call.function.name`, call.name];
      const given = call.arguments;
      yield [`${at}.tool_calls.${k}.tool_call.function.arguments`, given === undefined ? undefined : asText(given)];
    }
  }
}

function* contentOf(prefix: string, content: Message['contents'][number]): Derived {
  if (content.type === 'other') {
    yield [`${prefix}.type`, content.name];
    yield [`${prefix}.text`, asText(content.json)];
    return;
  }
  yield [`${prefix}.type`, content.type];
  if (content.type === 'image') yield [`${prefix}.image.image.url`, content.url];
  else if (content.type === 'audio') {
    yield [`${prefix}.audio.audio.url`, content.url];
    yield [`${prefix}.audio.audio.mime_type`, content.mimeType];
  } else yield [`${prefix}.text`, content.text];
}

function* ioOf(side: 'input' | 'output', value: ExactJson | undefined): Generator<readonly [string, DerivedValue]> {
  if (value === undefined) return;
  yield [`${side}.value`, asText(value)];
  const isJson = typeof value === 'string' ? isJsonText(value) : isJsonObject(value) || Array.isArray(value);
  yield [`${side}.mime_type`, isJson ? 'application/json' : 'text/plain'];
}

function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text of the last message of the user, else of the last message with a text. */
function textOfInput(messages: readonly Message[] | undefined): string | undefined {
  const ofUser = messages?.findLast((message) => message.role === 'user' && textOf(message) !== undefined);
  const last = ofUser ?? messages?.findLast((message) => textOf(message) !== undefined);
  return last && textOf(last);
}

/** The text of the last message that is no tool's, if there is one, or its tool calls as JSON. */
function textOfOutput(messages: readonly Message[] | undefined): ExactJson | undefined {
  const spoken = messages?.filter((message) => textOf(message) !== undefined || message.toolCalls.length > 0);
  const last = spoken?.findLast(({ role }) => role !== 'tool') ?? spoken?.at(-1);
  if (last === undefined) return undefined;
  return (
    textOf(last) ?? {
      tool_calls: last.toolCalls.map(({ id, name, arguments: given }) => ({
        ...(id === undefined ? {} : { id }),
        ...(name === undefined ? {} : { name }),
        ...(given === undefined ? {} : { arguments: given }),
      })),
    }
  );
}
