import type { ChatResponse, ChatToolCall } from './contract/chat-model.ts';

/** Value of `output.value` where the vendor sends parts instead of a whole response: the text, or messages with the tool calls. */
export function toOutputValue(text: string, toolCalls: readonly ChatToolCall[]): ChatResponse['output'] {
  if (toolCalls.length === 0) return { text, isJson: false };
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({ id, function: { name, arguments: args } }));
  const message = { role: 'assistant', ...(text !== '' && { content: text }), tool_calls: calls };
  return { text: JSON.stringify({ messages: [message] }), isJson: true };
}
