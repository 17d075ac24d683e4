import type { ExactJsonObject } from '../../base/exact-json.ts';
import type { Authored } from '../access/author.ts';
import type { NewAnnotationConfig } from '../annotations/annotation-config.ts';
import type { PromptContent } from '../prompts/prompt.ts';
import type { CodeLanguage } from './sandbox-config.ts';

export type EvaluatorKind = 'LLM' | 'CODE' | 'BUILTIN';

/** An output of an evaluator: one annotation per config. */
export type OutputConfig = NewAnnotationConfig;

/** Sources of an evaluator's inputs, by the names of the inputs. */
export interface InputMapping {
  /** A path (`model/evaluators/mapping-path.ts`) into `{input, output, reference, metadata}`. */
  readonly paths: Readonly<Record<string, string>>;
  /** Values that are the same for every example. */
  readonly literals: ExactJsonObject;
}

interface EvaluatorBase extends Authored {
  readonly rowId: number;
  /** A unique identifier. */
  readonly name: string;
  readonly description: string | null;
  readonly metadata: ExactJsonObject;
  readonly outputConfigs: readonly OutputConfig[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A prompt to which a model responds with one function call per output. */
export interface LlmEvaluator extends EvaluatorBase {
  readonly promptId: number;
  /** Tag of the prompt's version. Null: the newest version. */
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

/** Code of users that a sandbox runs. */
export interface CodeEvaluator extends EvaluatorBase {
  readonly language: CodeLanguage;
  /** Used by bindings that have none. */
  readonly inputMapping: InputMapping;
  /** Null after the config was deleted. */
  readonly sandboxConfigRowId: number | null;
}

/** A version of the source of a code evaluator. The one with the highest row id is used. */
export interface CodeVersion extends Authored {
  readonly rowId: number;
  readonly evaluatorRowId: number;
  readonly sourceCode: string;
  /** JSON schema of the inputs, as inferred from the signature. */
  readonly inputSchema: ExactJsonObject;
  /** 1 for the first version. */
  readonly sequenceNumber: number;
  readonly previousRowId: number | null;
  readonly createdAt: Date;
}

/** Editable fields of a code evaluator. An absent field keeps its value. */
export interface CodeEvaluatorChanges {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly sandboxConfigRowId?: number | undefined;
  readonly inputMapping?: InputMapping | undefined;
  readonly outputConfigs?: readonly OutputConfig[] | undefined;
}

/** An evaluator as lists show it. */
export interface EvaluatorRef {
  readonly rowId: number;
  readonly kind: EvaluatorKind;
}

/** An evaluator bound to a dataset. */
export interface DatasetEvaluator extends Authored {
  readonly rowId: number;
  readonly datasetRowId: number;
  readonly evaluator: EvaluatorRef;
  /** An identifier, unique in the dataset. */
  readonly name: string;
  /** Null means the value of the evaluator; the same applies to the configs. */
  readonly description: string | null;
  readonly outputConfigs: readonly OutputConfig[] | null;
  readonly inputMapping: InputMapping;
  /** The project that receives the traces of its evaluations and nothing else. */
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

/** The prompt of an LLM evaluator, and where it is stored. */
export interface EvaluatorPrompt {
  readonly content: PromptContent;
  /**
   * The prompt that receives the version, unless it already has the same content. Absent: the evaluator's own prompt,
   * or a new one.
   */
  readonly promptVersionRowId?: number | undefined;
}
