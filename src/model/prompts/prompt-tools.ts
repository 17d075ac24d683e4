import type { ExactJsonObject } from '../../base/exact-json.ts';

export interface PromptTools {
  readonly type: 'tools';
  /** Contains at least one tool. */
  readonly tools: readonly PromptTool[];
  readonly tool_choice?: ToolChoice;
  readonly disable_parallel_tool_calls?: boolean;
}

/** A raw tool is of a vendor's own kind and is stored as received. */
export type PromptTool =
  | { readonly type: 'function'; readonly function: FunctionDefinition }
  | { readonly type: 'raw'; readonly raw: ExactJsonObject };

export interface FunctionDefinition {
  readonly name: string;
  readonly description?: string;
  /** A JSON schema. */
  readonly parameters?: ExactJsonObject;
  readonly strict?: boolean;
}

export type ToolChoice =
  | { readonly type: 'none' }
  | { readonly type: 'zero_or_more' }
  | { readonly type: 'one_or_more' }
  | { readonly type: 'specific_function'; readonly function_name: string };

export interface ResponseFormat {
  readonly type: 'json_schema';
  readonly json_schema: {
    readonly name: string;
    readonly description?: string;
    readonly schema?: ExactJsonObject;
    readonly strict?: boolean;
  };
}
