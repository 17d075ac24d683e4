import type { ExactJson } from '../../base/exact-json.ts';

/** Syntax of variables in a template: `{{name}}`, `{name}`, or none. */
export const TEMPLATE_FORMATS = ['MUSTACHE', 'F_STRING', 'NONE'] as const;
export type TemplateFormat = (typeof TEMPLATE_FORMATS)[number];

export const TEMPLATE_TYPES = ['CHAT', 'STR'] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];

export type PromptTemplate = ChatTemplate | StringTemplate;

export interface ChatTemplate {
  readonly type: 'chat';
  readonly messages: readonly PromptMessage[];
}

export interface StringTemplate {
  readonly type: 'string';
  readonly template: string;
}

/** Roles as vendors name them. A message keeps the role that was sent. */
export const MESSAGE_ROLES = ['user', 'assistant', 'model', 'ai', 'tool', 'system', 'developer'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

export interface PromptMessage {
  readonly role: MessageRole;
  /** A list has at least one part. */
  readonly content: string | readonly ContentPart[];
}

/** The image has the name of OpenInference (`message_content.image.image.url`): a URL or a `data:` URL. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_call'; readonly tool_call_id: string; readonly tool_call: ToolCall }
  | { readonly type: 'tool_result'; readonly tool_call_id: string; readonly tool_result: ExactJson }
  | { readonly type: 'image'; readonly image: { readonly url: string } };

export interface ToolCall {
  readonly type: 'function';
  readonly name: string;
  /** JSON text as the model wrote it, which may be invalid. */
  readonly arguments: string;
}

export const templateTypeOf = ({ type }: PromptTemplate): TemplateType => (type === 'chat' ? 'CHAT' : 'STR');
