import type { ExactJson } from '../../base/exact-json.ts';

/** A message of a conversation with a model, without the form of a vendor. */
export interface Message {
  readonly role: string;
  readonly name?: string | undefined;
  /** ID of the call that a tool's message responds to. */
  readonly toolCallId?: string | undefined;
  readonly contents: readonly Content[];
  readonly toolCalls: readonly ToolCall[];
}

export type Content =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  /** `url` may be a data URL. */
  | { readonly type: 'image'; readonly url: string }
  | { readonly type: 'audio'; readonly url: string; readonly mimeType: string | undefined }
  /** A part of another kind, which is shown as JSON. */
  | { readonly type: 'other'; readonly name: string; readonly json: ExactJson };

export interface ToolCall {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly arguments?: ExactJson | undefined;
}

/** The texts of a message without its reasoning, or undefined if it has none. */
export function textOf({ contents }: Message): string | undefined {
  const texts = contents.flatMap((content) => (content.type === 'text' && content.text !== '' ? [content.text] : []));
  return texts.length === 0 ? undefined : texts.join('\n\n');
}
