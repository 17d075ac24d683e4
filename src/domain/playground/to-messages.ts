import type { ContentPart, MessageRole, PromptMessage, PromptTemplate } from '../../model/prompts/prompt-template.ts';
import type { ChatMessage, ChatPart, ChatRole } from '../../llm/contract/chat-model.ts';

/** The messages of a template. A text template is one message of the user. */
export function toMessages(template: PromptTemplate): ChatMessage[] {
  if (template.type === 'string') return [{ role: 'user', parts: [{ type: 'text', text: template.template }] }];
  return template.messages.map(toMessage);
}

function toMessage({ role, content }: PromptMessage): ChatMessage {
  if (typeof content === 'string') return { role: toRole(role), parts: [{ type: 'text', text: content }] };
  return { role: toRole(role), parts: content.map(toPart) };
}

function toPart(part: ContentPart): ChatPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return { type: 'image', url: part.image.url };
    case 'tool_call': {
      const { name, arguments: text } = part.tool_call;
      return { type: 'toolCall', toolCall: { id: part.tool_call_id, name, arguments: text } };
    }
    case 'tool_result':
      return { type: 'toolResult', toolCallId: part.tool_call_id, result: part.tool_result };
  }
}

/** The role that all vendors share. A word that no vendor uses is the user's. */
export function toRole(word: MessageRole | string): ChatRole {
  switch (word) {
    case 'assistant':
    case 'model':
    case 'ai':
      return 'assistant';
    case 'system':
    case 'developer':
      return 'system';
    case 'tool':
      return 'tool';
    default:
      return 'user';
  }
}
