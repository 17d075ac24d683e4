import type { ExactJsonObject } from '../base/exact-json.ts';
import type { NewAnnotationConfig } from './annotation-config.ts';
import type { PromptContent } from './prompt.ts';

export type EvaluatorKind = 'LLM' | 'BUILTIN';

/** What an evaluator yields: an annotation a config. */
export type OutputConfig = NewAnnotationConfig;

/** Where the inputs of an evaluator come from, by their names. */
export interface InputMapping {
  /** A path (`model/mapping-path.ts`) into `{input, output, reference, metadata}`. */
  readonly paths: Readonly<Record<string, string>>;
  /** Values that are the same for every example. */
  readonly literals: ExactJsonObject;
}

interface EvaluatorBase {
  readonly rowId: number;
  /** An identifier; no two evaluators have the same. */
  readonly name: string;
  readonly description: string | null;
  readonly metadata: ExactJsonObject;
  readonly outputConfigs: readonly OutputConfig[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A prompt that a model answers with a call of a function for each output. */
export interface LlmEvaluator extends EvaluatorBase {
  readonly promptId: number;
  /** Which version of the prompt; null: the newest. */
  readonly promptVersionTagId: number | null;
}

/** Evaluator that is delivered with the server. */
export interface BuiltInEvaluator extends EvaluatorBase {
  /** A JSON schema. */
  readonly inputSchema: ExactJsonObject;
}

/** A built-in evaluator as the program has it; its key is its name. */
export interface BuiltInDefinition {
  readonly key: string;
  readonly description: string;
  readonly inputSchema: ExactJsonObject;
  readonly outputConfigs: readonly OutputConfig[];
}

/** An evaluator as a list shows it. */
export interface EvaluatorRef {
  readonly rowId: number;
  readonly kind: EvaluatorKind;
}

/** An evaluator bound to a dataset. */
export interface DatasetEvaluator {
  readonly rowId: number;
  readonly datasetRowId: number;
  readonly evaluator: EvaluatorRef;
  /** An identifier, once a dataset. */
  readonly name: string;
  /** Null, as of the configs: the evaluator's. */
  readonly description: string | null;
  readonly outputConfigs: readonly OutputConfig[] | null;
  readonly inputMapping: InputMapping;
  /** Takes the traces of its evaluations, and nothing else. */
  readonly projectRowId: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Editable fields of a binding. An absent field keeps its value. */
export interface DatasetEvaluatorChanges {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly outputConfigs?: readonly OutputConfig[] | null | undefined;
  readonly inputMapping?: InputMapping | undefined;
}

/** Editable fields of an LLM evaluator and its binding. Without a mapping the binding keeps its own. */
export interface LlmEvaluatorChanges extends DatasetEvaluatorChanges {
  readonly description: string | null;
  readonly outputConfigs: readonly OutputConfig[];
}

/** What an LLM evaluator asks, and where it is kept. */
export interface EvaluatorPrompt {
  readonly content: PromptContent;
  /** Its prompt gets the version, unless it says the same already. Absent: the evaluator's own prompt, or a new one. */
  readonly promptVersionRowId?: number | undefined;
}
