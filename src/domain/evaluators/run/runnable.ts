import type { ExactJsonObject } from '../../../base/exact-json.ts';
import type { InputMapping, OutputConfig } from '../../../model/evaluators/evaluator.ts';
import type { CodeLanguage } from '../../../model/evaluators/sandbox-config.ts';
import type { PromptContent } from '../../../model/prompts/prompt.ts';

interface RunnableBase {
  /** Name of the evaluator, which its traces show. */
  readonly name: string;
  readonly inputMapping: InputMapping;
  /** Outputs of the binding if it has its own, else of the evaluator. One annotation each. */
  readonly outputConfigs: readonly OutputConfig[];
  /** Project for the traces of its evaluations. Null for an evaluator that is not bound. */
  readonly projectName: string | null;
}

export interface RunnableBuiltIn extends RunnableBase {
  readonly kind: 'BUILTIN';
  readonly key: string;
  /** A JSON schema of this program. */
  readonly inputSchema: ExactJsonObject;
}

export interface RunnableLlm extends RunnableBase {
  readonly kind: 'LLM';
  readonly promptName: string;
  /** Null for a prompt that is not stored. */
  readonly promptVersionRowId: number | null;
  readonly prompt: Omit<PromptContent, 'description'>;
}

export interface RunnableCode extends RunnableBase {
  readonly kind: 'CODE';
  readonly language: CodeLanguage;
  readonly source: string;
  /** Null for code that is not stored. */
  readonly versionRowId: number | null;
  /** Row id of the user who wrote the source, if stored and known. */
  readonly authorRowId: number | null;
  /** A JSON schema, inferred from the signature. */
  readonly inputSchema: ExactJsonObject;
  readonly sandboxName: string;
  readonly timeoutMs: number;
}

/** An evaluator with all stored data that its runs need. It stays as it was loaded when that data changes. */
export type Runnable = RunnableBuiltIn | RunnableLlm | RunnableCode;
