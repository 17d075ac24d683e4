import {
  type ColumnType,
  type Generated,
  type GeneratedAlways,
  type JSONColumnType,
  Kysely,
  type LogEvent,
  PostgresDialect,
} from 'kysely';
import type { Pool } from 'pg';
import type { Log } from '../../base/log.ts';
import type { AnnotationConfigType, OptimizationDirection } from '../../model/annotation-config.ts';
import type { ProviderSdk } from '../../model/custom-provider.ts';
import type { RetentionRule } from '../../model/retention-policy.ts';
import type {
  BuiltInEvaluatorTable,
  DatasetEvaluatorTable,
  EvaluatorTable,
  ExperimentDatasetEvaluatorTable,
  LlmEvaluatorTable,
} from '../evaluators/evaluator-tables.ts';
import type {
  PromptLabelLinkTable,
  PromptLabelTable,
  PromptTable,
  PromptVersionTable,
  PromptVersionTagTable,
} from '../prompts/prompt-tables.ts';
import { withCallerErrors } from './pool-errors.ts';

/** The metadata tables as they are after every migration. A row id is a bigint in Postgres and stays below 2^53. */
export interface Database {
  readonly project_trace_retention_policies: RetentionPolicyTable;
  readonly projects: ProjectTable;
  readonly datasets: DatasetTable;
  readonly dataset_versions: DatasetVersionTable;
  readonly dataset_examples: DatasetExampleTable;
  readonly dataset_example_revisions: DatasetExampleRevisionTable;
  readonly dataset_splits: DatasetSplitTable;
  readonly dataset_split_examples: DatasetSplitExampleTable;
  readonly dataset_labels: DatasetLabelTable;
  readonly datasets_dataset_labels: DatasetsDatasetLabelTable;
  readonly experiments: ExperimentTable;
  readonly experiment_examples: ExperimentExampleTable;
  readonly experiment_splits: ExperimentSplitTable;
  readonly experiment_runs: ExperimentRunTable;
  readonly experiment_evaluations: ExperimentEvaluationTable;
  readonly experiment_tags: ExperimentTagTable;
  readonly deleted_projects: DeletedProjectTable;
  readonly generative_model_custom_providers: CustomProviderTable;
  readonly prompts: PromptTable;
  readonly prompt_versions: PromptVersionTable;
  readonly prompt_version_tags: PromptVersionTagTable;
  readonly prompt_labels: PromptLabelTable;
  readonly prompts_prompt_labels: PromptLabelLinkTable;
  readonly annotation_configs: AnnotationConfigTable;
  readonly project_annotation_configs: ProjectAnnotationConfigTable;
  readonly generative_models: GenerativeModelTable;
  readonly token_prices: TokenPriceTable;
  readonly cost_recomputations: CostRecomputationTable;
  readonly saved_views: SavedViewTable;
  readonly evaluators: EvaluatorTable;
  readonly llm_evaluators: LlmEvaluatorTable;
  readonly builtin_evaluators: BuiltInEvaluatorTable;
  readonly dataset_evaluators: DatasetEvaluatorTable;
  readonly experiment_dataset_evaluators: ExperimentDatasetEvaluatorTable;
  readonly installation: InstallationTable;
}

export interface RetentionPolicyTable {
  readonly id: Generated<number>;
  readonly name: string;
  readonly cron_expression: string;
  readonly rule: JSONColumnType<RetentionRule>;
  /** Hours up to this one have been checked. */
  readonly swept_at: Generated<Date>;
}

/** A deleted project and the journal position of its deletion. Earlier records with its name belong to it. */
export interface DeletedProjectTable {
  readonly id: number;
  readonly name: string;
  readonly position: number;
}

export interface ProjectTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly gradient_start_color: Generated<string>;
  readonly gradient_end_color: Generated<string>;
  /** Null: the default policy. */
  readonly trace_retention_policy_id: Generated<number | null>;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

/** Inserted as text, and returned as the driver converts it: select `column::text`. */
type Json = ColumnType<unknown, string, string>;
type JsonWithDefault = ColumnType<unknown, string | undefined, string>;

export interface DatasetTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: JsonWithDefault;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

export interface DatasetVersionTable {
  readonly id: GeneratedAlways<number>;
  readonly dataset_id: number;
  readonly description: string | null;
  readonly metadata: JsonWithDefault;
  readonly created_at: Generated<Date>;
  /** Number of examples of the version. The ids below are its first and last, or null when it has none. */
  readonly example_count: number;
  readonly first_example_id: number | null;
  readonly last_example_id: number | null;
}

export interface DatasetExampleTable {
  readonly id: GeneratedAlways<number>;
  readonly dataset_id: number;
  readonly external_id: string | null;
  readonly span_row_id: number | null;
  readonly created_at: Generated<Date>;
}

export interface DatasetExampleRevisionTable {
  readonly id: GeneratedAlways<number>;
  readonly dataset_id: number;
  readonly dataset_example_id: number;
  readonly dataset_version_id: number;
  /** The version that replaced it. Null while it is current. */
  readonly until_version_id: number | null;
  readonly revision_kind: 'CREATE' | 'PATCH' | 'DELETE';
  readonly input: Json;
  readonly output: Json;
  readonly metadata: Json;
  readonly content_hash: Buffer;
  readonly created_at: Generated<Date>;
}

export interface DatasetSplitTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
  readonly metadata: JsonWithDefault;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

export interface DatasetSplitExampleTable {
  readonly dataset_split_id: number;
  readonly dataset_id: number;
  readonly dataset_example_id: number;
}

export interface DatasetLabelTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
}

export interface DatasetsDatasetLabelTable {
  readonly dataset_id: number;
  readonly dataset_label_id: number;
}

export interface ExperimentTable {
  readonly id: GeneratedAlways<number>;
  readonly dataset_id: number;
  readonly dataset_version_id: number;
  readonly name: string;
  readonly description: string | null;
  readonly repetitions: number;
  readonly metadata: JsonWithDefault;
  readonly project_name: string;
  readonly is_ephemeral: Generated<boolean>;
  readonly example_count: number;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

export interface ExperimentExampleTable {
  readonly experiment_id: number;
  readonly dataset_example_id: number;
  readonly dataset_example_revision_id: number;
}

export interface ExperimentSplitTable {
  readonly experiment_id: number;
  readonly dataset_split_id: number;
}

export interface ExperimentRunTable {
  readonly id: GeneratedAlways<number>;
  readonly experiment_id: number;
  readonly dataset_example_id: number;
  readonly repetition_number: number;
  readonly trace_id: string | null;
  readonly output: Json;
  readonly start_time: Date;
  readonly end_time: Date;
  readonly error: string | null;
}

export interface ExperimentEvaluationTable {
  readonly id: GeneratedAlways<number>;
  readonly experiment_id: number;
  readonly experiment_run_id: number;
  readonly name: string;
  readonly annotator_kind: 'LLM' | 'CODE' | 'HUMAN';
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  readonly trace_id: string | null;
  readonly error: string | null;
  readonly metadata: JsonWithDefault;
  readonly start_time: Date;
  readonly end_time: Date;
}

export interface ExperimentTagTable {
  readonly id: GeneratedAlways<number>;
  readonly dataset_id: number;
  readonly experiment_id: number;
  readonly name: string;
  readonly description: string | null;
}

export interface AnnotationConfigTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly type: AnnotationConfigType;
  readonly optimization_direction: OptimizationDirection | null;
  readonly threshold: number | null;
  readonly lower_bound: number | null;
  readonly upper_bound: number | null;
  /** A list of `CategoricalValue`, inserted as JSON text. */
  readonly values: ColumnType<unknown, string, string>;
}

export interface ProjectAnnotationConfigTable {
  readonly project_id: number;
  readonly annotation_config_id: number;
}

export interface GenerativeModelTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  /** Empty for any provider. */
  readonly provider: string;
  readonly name_pattern: string;
  readonly is_built_in: boolean;
  readonly start_time: Date | null;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
  readonly deleted_at: Generated<Date | null>;
}

export interface TokenPriceTable {
  readonly id: GeneratedAlways<number>;
  readonly model_id: number;
  readonly token_type: string;
  readonly is_prompt: boolean;
  /** US dollars for one token. */
  readonly base_rate: number;
  /** JSON: `{"type": "threshold_based", "key", "threshold", "new_rate"}`, or another value that is kept. */
  readonly customization: ColumnType<unknown, string | null, string | null>;
}

export interface CostRecomputationTable {
  readonly id: GeneratedAlways<number>;
  readonly project_id: number | null;
  readonly next_span_row_id: number;
  readonly last_span_row_id: number | null;
  readonly created_at: Generated<Date>;
  readonly ended_at: Generated<Date | null>;
}

export interface CustomProviderTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly provider: string;
  readonly sdk: ProviderSdk;
  /** Encrypted. */
  readonly config: Buffer;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

export interface SavedViewTable {
  readonly id: GeneratedAlways<number>;
  readonly project_id: number;
  readonly tab: string;
  readonly name: string;
  readonly search: string;
  readonly layout: string;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

/** One row after the first start of a server: the data directory that the database belongs to. */
export interface InstallationTable {
  readonly is_only_row: Generated<boolean>;
  /** Content of the file `installation-id` of that directory. */
  readonly data_directory_id: string;
}

/** A pool or, inside a transaction, its one connection. */
export type Db = Kysely<Database>;

/** All tables, each after the tables that it refers to: the order in which rows can be copied. */
export const TABLE_NAMES = [
  'project_trace_retention_policies',
  'projects',
  'datasets',
  'dataset_versions',
  'dataset_examples',
  'dataset_example_revisions',
  'dataset_splits',
  'dataset_split_examples',
  'dataset_labels',
  'datasets_dataset_labels',
  'experiments',
  'experiment_examples',
  'experiment_splits',
  'experiment_runs',
  'experiment_evaluations',
  'experiment_tags',
  'deleted_projects',
  'generative_model_custom_providers',
  'prompts',
  'prompt_versions',
  'prompt_version_tags',
  'prompt_labels',
  'prompts_prompt_labels',
  'annotation_configs',
  'project_annotation_configs',
  'generative_models',
  'token_prices',
  'cost_recomputations',
  'saved_views',
  'evaluators',
  'llm_evaluators',
  'builtin_evaluators',
  'dataset_evaluators',
  'experiment_dataset_evaluators',
  'installation',
] as const satisfies readonly (keyof Database)[];

/** Kysely on a pool, which its opener must end. With `logSql`, statements are logged without their values. */
export function openDb<Tables = Database>(
  pool: Pool,
  { log, logSql }: { readonly log: Log; readonly logSql?: boolean },
): Kysely<Tables> {
  const dialect = new PostgresDialect({ pool: withCallerErrors(pool) });
  if (!logSql) return new Kysely<Tables>({ dialect });
  const logStatement = ({ query, queryDurationMillis }: LogEvent) =>
    log.info({ sql: query.sql, durationMs: Math.round(queryDurationMillis * 1_000) / 1_000 }, 'SQL');
  return new Kysely<Tables>({ dialect, log: logStatement });
}
