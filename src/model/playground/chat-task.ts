import type { ExactJsonObject } from '../../base/exact-json.ts';
import type { OpenAIApiType } from '../models/custom-provider.ts';
import type { PromptContent } from '../prompts/prompt.ts';

/** A prompt and its model as the playground and jobs run them. */
export interface ChatTask {
  readonly prompt: Omit<PromptContent, 'description'>;
  /** The stored version of the prompt. Null when it was edited. */
  readonly promptVersionRowId: number | null;
  /** Name of the prompt, if it has one. */
  readonly promptName: string | null;
  /** Where to reach the vendor. Null: its default. Always null with a custom provider. */
  readonly connection: TaskConnection | null;
  /** Further headers of each call. They may be secrets and are never stored. */
  readonly headers: Readonly<Record<string, string>> | null;
  readonly isStreamed: boolean;
}

/** Connection of a task as it is stored. Absent fields stay absent. */
export type TaskConnection =
  | {
      readonly type: 'openai';
      readonly base_url?: string;
      readonly organization?: string;
      readonly project?: string;
      readonly openai_api_type: OpenAIApiType;
    }
  | { readonly type: 'azure_openai'; readonly azure_endpoint: string; readonly openai_api_type: OpenAIApiType }
  | { readonly type: 'anthropic' | 'google_genai'; readonly base_url?: string }
  | { readonly type: 'aws_bedrock'; readonly region_name?: string; readonly endpoint_url?: string };

/** Credentials that came with a request, by the names of their variables. They are never stored. */
export type RequestCredentials = Readonly<Record<string, string>>;

/** Values of a run of a task: the context of an example, or the variables of a call. */
export type TaskVariables = ExactJsonObject;
