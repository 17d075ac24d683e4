import type { Generated, GeneratedAlways } from 'kysely';
import type { JobLogCategory, JobLogLevel, JobStatus, JobType } from '../../model/experiment-job.ts';
import type { ModelProvider } from '../../model/prompts/prompt-parameters.ts';
import type { TemplateFormat } from '../../model/prompts/prompt-template.ts';

/** JSON text of a column of the type json: select it with `jsonText`. */
type JsonText = string;

/** The run of an experiment by a server. Its row id is that of the experiment. */
export interface ExperimentJobTable {
  readonly id: number;
  readonly type: JobType;
  readonly status: JobStatus;
  /** Why a job that no user stopped is STOPPED or ERROR. */
  readonly stop_reason: string | null;
  /** False while the job only evaluates runs. */
  readonly runs_tasks: boolean;
  /** ID of the server that runs the job. It is no longer valid when `claimed_at` is older than the lease. */
  readonly claimed_by: string | null;
  readonly claimed_at: Date | null;
  /** Until then the job is neither stopped nor resumed by a user. */
  readonly cooldown_until: Date | null;
  readonly max_concurrency: number;
  /** The request that started the job sent credentials or headers, which are not stored. */
  readonly needs_sent_secrets: boolean;
  /** Responses of earlier runs over the dataset may take the place of calls of the task. */
  readonly uses_cache: Generated<boolean>;
  readonly call_count_max: number | null;
  /** In US dollars. */
  readonly cost_max: number | null;
  readonly call_count: Generated<number>;
  readonly cost: Generated<number>;
  readonly created_at: Generated<Date>;
}

/** The prompt of a job as it was when the job was created. */
export interface ExperimentPromptTaskTable {
  readonly id: number;
  readonly type: Generated<'PROMPT'>;
  /** Null when it was edited, or is deleted. */
  readonly prompt_version_id: number | null;
  readonly prompt_name: string | null;
  readonly model_provider: ModelProvider;
  readonly model_name: string;
  readonly custom_provider_id: number | null;
  /** True without an ID: the provider is deleted, and no other one may take its place. */
  readonly uses_custom_provider: boolean;
  readonly template_type: string;
  readonly template_format: TemplateFormat;
  readonly template: JsonText;
  readonly tools: JsonText | null;
  readonly response_format: JsonText | null;
  readonly invocation_parameters: JsonText;
  readonly connection: JsonText | null;
  readonly template_variables_path: string;
  readonly appended_messages_path: string | null;
  readonly stream_model_output: boolean;
}

export interface CachedResponseTable {
  readonly key: Buffer;
  readonly dataset_id: number;
  /** JSON text. */
  readonly content: string;
  readonly byte_count: number;
  readonly created_at: Generated<Date>;
}

export interface ExperimentLogTable {
  readonly id: GeneratedAlways<number>;
  readonly experiment_id: number;
  readonly occurred_at: Generated<Date>;
  readonly category: JobLogCategory;
  readonly level: JobLogLevel;
  readonly message: string;
  readonly detail: JsonText | null;
  readonly dataset_example_id: number | null;
  readonly repetition_number: number | null;
  readonly experiment_run_id: number | null;
  readonly dataset_evaluator_id: number | null;
}
