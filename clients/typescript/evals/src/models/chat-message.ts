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
