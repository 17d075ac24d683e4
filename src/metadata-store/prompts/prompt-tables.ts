import type { Generated, GeneratedAlways } from 'kysely';
import type { ModelProvider } from '../../model/prompts/prompt-parameters.ts';
import type { TemplateFormat } from '../../model/prompts/prompt-template.ts';

/** JSON text. Columns of the type json, not jsonb, keep it as it was written: numbers, the order of keys, U+0000. */
type JsonText = string;

export interface PromptTable {
  readonly id: GeneratedAlways<number>;
  /** Prompt from which it was cloned. Null when that is deleted. */
  readonly source_prompt_id: number | null;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: Generated<JsonText>;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

export interface PromptVersionTable {
  readonly id: GeneratedAlways<number>;
  readonly prompt_id: number;
  readonly description: string | null;
  readonly template_type: string;
  readonly template_format: TemplateFormat;
  readonly template: JsonText;
  readonly invocation_parameters: JsonText;
  readonly tools: JsonText | null;
  readonly response_format: JsonText | null;
  readonly model_provider: ModelProvider;
  readonly model_name: string;
  readonly metadata: Generated<JsonText>;
  readonly created_at: Generated<Date>;
  /** Null when it is deleted. */
  readonly custom_provider_id: number | null;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}

export interface PromptVersionTagTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly prompt_id: number;
  readonly prompt_version_id: number;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}

export interface PromptTagMoveTable {
  readonly id: GeneratedAlways<number>;
  readonly prompt_id: number;
  readonly tag_name: string;
  /** Null when the tag was new. */
  readonly from_version_id: number | null;
  /** Null when the tag was removed. */
  readonly to_version_id: number | null;
  /** Null without sign-in, and after the user was deleted. */
  readonly user_id: number | null;
  readonly created_at: Generated<Date>;
}

export interface PromptLabelTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly color: string | null;
}

export interface PromptLabelLinkTable {
  readonly id: GeneratedAlways<number>;
  readonly prompt_label_id: number;
  readonly prompt_id: number;
}
