import { type ExactJson, type ExactJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import type { ChatMessage, ChatPart } from '../../contract/chat-model.ts';
import { ModelError } from '../../contract/model-error.ts';

type PartOf<Type extends ChatPart['type']> = Extract<ChatPart, { type: Type }>;

/** Parts of a message of one type. */
export const partsOf = <Type extends ChatPart['type']>({ parts }: ChatMessage, type: Type): PartOf<Type>[] =>
  parts.filter((part): part is PartOf<Type> => part.type === type);

export const resultText = (result: ExactJson): string =>
  typeof result === 'string' ? result : toExactJsonText(result);

/**
 * Converts a message to messages of chat completions. Each tool result is a message of its own.
 *
 * @throws {ModelError} for a tool message without a call
 */
export function toChatMessages(message: ChatMessage, systemRole: 'system' | 'developer'): ExactJsonObject[] {
  const results = partsOf(message, 'toolResult').map(({ toolCallId, result }) => {
    checkToolCallId(toolCallId);
    return { role: 'tool', tool_call_id: toolCallId, content: resultText(result) };
  });
  if (message.role === 'tool') {
    if (results.length === 0) checkToolCallId('');
    return results;
  }
  const content = contentOf(message);
  if (message.role === 'assistant') {
    const calls = partsOf(message, 'toolCall').map(({ toolCall }) => ({
      id: toolCall.id,
      type: 'function',
      function: { name: toolCall.name, arguments: toolCall.arguments },
    }));
    return [...results, { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }];
  }
  if (content === null) return results;
  return [...results, { role: message.role === 'system' ? systemRole : 'user', content }];
}

export function checkToolCallId(id: string): void {
  if (id === '') throw new ModelError('rejected', 'tool_call_id is required for tool messages');
}

/** Text as one text, with images as a list of parts. Null for a message that has only tool calls or results. */
function contentOf(message: ChatMessage): ExactJson {
  const parts = message.parts.filter((part) => part.type === 'text' || part.type === 'image');
  if (parts.length === 0) return message.parts.length === 0 ? '' : null;
  if (parts.every((part) => part.type === 'text')) return parts.map((part) => part.text).join('\n');
  return parts.map(
    (part): ExactJsonObject =>
      part.type === 'text' ? { type: 'text', text: part.text } : { type: 'image_url', image_url: { url: part.url } },
  );
}
