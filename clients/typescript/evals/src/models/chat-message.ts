/** A message of a prompt. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly ContentPart[];
}

export type ContentPart = TextPart | ImagePart | FilePart;

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** `url` is an address of HTTP, or `data:image/png;base64,…`. */
export interface ImagePart {
  readonly type: 'image';
  readonly url: string;
}

/** `url` is `data:application/pdf;base64,…`. */
export interface FilePart {
  readonly type: 'file';
  readonly url: string;
  readonly name?: string;
}

/** The texts of a message, one after the other. */
export const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** System messages apart from the others. A vendor rejects a prompt without others, so a system message alone is one of the user. */
export function divideMessages(messages: readonly ChatMessage[]): {
  readonly system: string;
  readonly others: readonly ChatMessage[];
} {
  const others = messages.filter(({ role }) => role !== 'system');
  if (others.length === 0) return { system: '', others: messages.map((message) => ({ ...message, role: 'user' })) };
  const system = messages.filter(({ role }) => role === 'system').map(textOf);
  return { system: system.join('\n\n'), others };
}
