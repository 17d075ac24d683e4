import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { EvaluatorKind } from '../../model/evaluators/evaluator.ts';
import type { CodeLanguage } from '../../model/evaluators/sandbox-config.ts';

/** JSON text of a column of the type json: select it with `jsonText`. */
type JsonText = string;

export interface EvaluatorTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: Generated<JsonText>;
  readonly kind: EvaluatorKind;
  readonly created_at: Generated<Date>;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}

/** The row of an evaluator of kind LLM. */
export interface LlmEvaluatorTable {
  readonly id: number;
  readonly kind: Generated<'LLM'>;
  readonly prompt_id: number;
  /** Null: the newest version of the prompt. */
  readonly prompt_version_tag_id: number | null;
  readonly output_configs: JsonText;
  readonly updated_at: Generated<Date>;
}

/** The row of an evaluator of kind CODE. */
export interface CodeEvaluatorTable {
  readonly id: number;
  readonly kind: Generated<'CODE'>;
  readonly language: CodeLanguage;
  readonly input_mapping: JsonText;
  readonly output_configs: JsonText;
  readonly sandbox_config_id: number | null;
  readonly updated_at: Generated<Date>;
}

export interface CodeVersionTable {
  readonly id: GeneratedAlways<number>;
  readonly code_evaluator_id: number;
  readonly source_code: string;
  readonly input_schema: JsonText;
  readonly created_at: Generated<Date>;
  readonly user_id: number | null;
}

/** The row of an evaluator of kind BUILTIN. */
export interface BuiltInEvaluatorTable {
  readonly id: number;
  readonly kind: Generated<'BUILTIN'>;
  readonly key: string;
  readonly input_schema: JsonText;
  readonly output_configs: JsonText;
  /** Time of the last change by the program. */
  readonly synced_at: ColumnType<Date, Date | undefined, Date>;
}

export interface DatasetEvaluatorTable {
  readonly id: GeneratedAlways<number>;
  readonly dataset_id: number;
  readonly evaluator_id: number;
  readonly name: string;
  /** Null, like the configs, for that of the evaluator. */
  readonly description: string | null;
  readonly output_configs: JsonText | null;
  readonly input_mapping: JsonText;
  readonly project_id: number;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}

export interface ExperimentDatasetEvaluatorTable {
  readonly experiment_id: number;
  readonly dataset_evaluator_id: number;
}
