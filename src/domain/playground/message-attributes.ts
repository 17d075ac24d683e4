import { type ExactJsonObject, newJsonObject, toExactJsonText } from '../../base/exact-json.ts';
import type { ChatMessage, ChatPart, ChatToolCall } from '../../llm/contract/chat-model.ts';

/**
 * Attributes of OpenInference for a list of messages: `llm.input_messages.0.message.role` and so on. Texts of a message
 * without images are joined by a line break; each result of a tool is a message.
 */
export function messageAttributes(list: string, messages: readonly ChatMessage[]): ExactJsonObject {
  const attributes = newJsonObject();
  messages.flatMap(splitResults).forEach(({ role, parts }, index) => {
    const at = `${list}.${index}.message`;
    attributes[`${at}.role`] = role;
    addContent(attributes, at, parts);
    parts
      .flatMap((part) => (part.type === 'toolCall' ? part.toolCall : []))
      .forEach((toolCall, position) => {
        addToolCall(attributes, `${at}.tool_calls.${position}.tool_call`, toolCall);
      });
  });
  return attributes;
}

/** A message has one `tool_call_id`. */
function splitResults(message: ChatMessage): readonly ChatMessage[] {
  const results = message.parts.filter(({ type }) => type === 'toolResult');
  if (results.length === 0) return [message];
  const others = message.parts.filter(({ type }) => type !== 'toolResult');
  return [
    ...results.map((part) => ({ role: 'tool' as const, parts: [part] })),
    ...(others.length > 0 ? [{ ...message, parts: others }] : []),
  ];
}

function addContent(attributes: ExactJsonObject, at: string, parts: readonly ChatPart[]): void {
  const result = parts.find((part) => part.type === 'toolResult');
  if (result?.type === 'toolResult') {
    attributes[`${at}.tool_call_id`] = result.toolCallId;
    attributes[`${at}.content`] = typeof result.result === 'string' ? result.result : toExactJsonText(result.result);
    return;
  }
  const contents = parts.filter((part) => part.type === 'text' || part.type === 'image');
  if (contents.length === 0) return;
  if (contents.every((part) => part.type === 'text')) {
    attributes[`${at}.content`] = contents.map(({ text }) => text).join('\n');
    return;
  }
  contents.forEach((part, position) => {
    const place = `${at}.contents.${position}.message_content`;
    attributes[`${place}.type`] = part.type;
    if (part.type === 'text') attributes[`${place}.text`] = part.text;
    else attributes[`${place}.image.image.url`] = part.url;
  });
}

function addToolCall(attributes: ExactJsonObject, at: string, { id, name, arguments: text }: ChatToolCall): void {
  attributes[`${at}.id`] = id;
  attributes[`${at}.function.name`] = name;
  attributes[`${at}.function.arguments`] = text;
}
