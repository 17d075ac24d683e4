import type { ExactJsonObject } from '../../../base/exact-json.ts';
import type { TaskConnection } from '../../../model/playground/chat-task.ts';
import type { PromptContent } from '../../../model/prompts/prompt.ts';
import type { ChatTemplate, PromptMessage, TemplateFormat } from '../../../model/prompts/prompt-template.ts';

/** A recorded call, as the playground runs it again. */
export interface SpanReplay {
  /** The call as it was sent: its messages have no variables. */
  readonly sent: Omit<PromptContent, 'description' | 'customProviderId'>;
  /** The template of its messages: that of the named version, else of the span, else of its version. Null: unknown. */
  readonly template: RecordedTemplate | null;
  /** Null: the vendor's own address. */
  readonly connection: TaskConnection | null;
  /** The version that the caller names, else that of the span. Null: none, or a deleted one. */
  readonly promptVersionRowId: number | null;
  readonly variables: ExactJsonObject;
  readonly variablesSource: 'RECORDED' | 'RECOVERED' | 'NONE';
  /** Messages of the response. */
  readonly output: readonly PromptMessage[];
  readonly warnings: readonly ReplayWarning[];
}

export interface RecordedTemplate {
  readonly template: ChatTemplate;
  readonly templateFormat: TemplateFormat;
}

export const REPLAY_PARTS = [
  'ATTRIBUTES',
  'INPUT_MESSAGES',
  'OUTPUT_MESSAGES',
  'OUTPUT_VALUE',
  'MODEL',
  'PARAMETERS',
  'RESPONSE_FORMAT',
  'TOOLS',
  'VARIABLES',
] as const;
export type ReplayPart = (typeof REPLAY_PARTS)[number];

/** A part of a span that could not be read, or only partly. */
export interface ReplayWarning {
  readonly part: ReplayPart;
  readonly message: string;
}
