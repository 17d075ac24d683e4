import { type ExactJson, type ExactJsonObject, newJsonObject } from '../../base/exact-json.ts';
import { isJsonObject } from '../../model/spans/nested-attributes.ts';
import { decoded } from './json-object.ts';

/**
 * Messages of a model (`llm.input_messages`, `llm.output_messages`) as examples hold them: `{role, content?, name?,
 * tool_calls?: [{function: {name, arguments}}]}`, arguments decoded where they are JSON.
 */
export function toExampleMessages(list: ExactJson | undefined): ExactJsonObject[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => (isJsonObject(item) && isJsonObject(item.message) ? [toMessage(item.message)] : []));
}

/** Merges consecutive messages of an assistant into one. */
export function mergeReplies(messages: readonly ExactJsonObject[]): ExactJsonObject[] {
  const merged: ExactJsonObject[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== ASSISTANT || message.role !== ASSISTANT) {
      merged.push(message);
      continue;
    }
    const content = [last.content, message.content].filter((text) => typeof text === 'string');
    if (content.length > 0) last.content = content.join('\n\n');
    const calls = [last.tool_calls, message.tool_calls].flatMap((list) => (Array.isArray(list) ? list : []));
    if (calls.length > 0) last.tool_calls = calls;
  }
  return merged;
}

const ASSISTANT = 'assistant';

function toMessage(from: ExactJsonObject): ExactJsonObject {
  const message = newJsonObject();
  message.role = typeof from.role === 'string' ? from.role : ASSISTANT;
  const content = typeof from.content === 'string' ? from.content : joinTexts(from.contents);
  if (content !== undefined) message.content = content;
  if (typeof from.name === 'string') message.name = from.name;
  const calls = toCalls(from);
  if (calls.length > 0) message.tool_calls = calls;
  return message;
}

function joinTexts(contents: ExactJson | undefined): string | undefined {
  if (!Array.isArray(contents)) return undefined;
  const texts = contents.flatMap((item) => {
    const part = isJsonObject(item) && isJsonObject(item.message_content) ? item.message_content.text : undefined;
    return typeof part === 'string' ? [part] : [];
  });
  return texts.length > 0 ? texts.join('\n\n') : undefined;
}

function toCalls(message: ExactJsonObject): ExactJsonObject[] {
  const list = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const calls = list.flatMap((item) => {
    const call = isJsonObject(item) && isJsonObject(item.tool_call) ? item.tool_call.function : undefined;
    return isJsonObject(call) ? [toCall(call.name, call.arguments)] : [];
  });
  // Function calls of models before they had tools.
  if (typeof message.function_call_name === 'string') {
    calls.push(toCall(message.function_call_name, message.function_call_arguments_json));
  }
  return calls;
}

function toCall(name: ExactJson | undefined, given: ExactJson | undefined): ExactJsonObject {
  const call = newJsonObject();
  if (name !== undefined) call.name = name;
  if (given !== undefined) call.arguments = decoded(given);
  return { function: call };
}
