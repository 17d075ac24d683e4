import type { Generated, GeneratedAlways } from 'kysely';
import type { Json, JsonWithDefault } from '../database/json-column.ts';

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
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
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

export interface ExperimentSummaryTable {
  readonly experiment_id: number;
  /** Statements that have changed runs or evaluations. */
  readonly change_count: Generated<number>;
  /** Value of `change_count` that the summary includes. Null until the first summary; then all other columns have values. */
  readonly summarized_change_count: number | null;
  readonly successful_run_count: number | null;
  readonly failed_run_count: number | null;
  /** Null without runs. */
  readonly error_rate: number | null;
  readonly average_latency_ms: number | null;
  /** Value: a list of `EvaluationSummary`. */
  readonly evaluations: Generated<unknown>;
}

export interface ExperimentNoteTable {
  readonly id: GeneratedAlways<number>;
  readonly experiment_id: number;
  readonly text: string;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: number | null;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
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
  /** Its response is that of an earlier run. */
  readonly is_cached: Generated<boolean>;
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

/** An annotation of a person on a run. */
export interface ExperimentRunAnnotationTable {
  readonly id: GeneratedAlways<number>;
  readonly experiment_id: number;
  readonly experiment_run_id: number;
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: number | null;
  /** Written without sign-in. */
  readonly is_anonymous: boolean;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

/** Which of two runs of an example a person prefers. */
export interface ExperimentRunPreferenceTable {
  readonly id: GeneratedAlways<number>;
  readonly dataset_example_id: number;
  readonly first_experiment_id: number;
  readonly second_experiment_id: number;
  /** The run with the lower row id is first. */
  readonly first_run_id: number;
  readonly second_run_id: number;
  /** Null for a tie. */
  readonly preferred_run_id: number | null;
  readonly explanation: string | null;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: number | null;
  readonly is_anonymous: boolean;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

export interface ExperimentTagTable {
  readonly id: GeneratedAlways<number>;
  readonly dataset_id: number;
  readonly experiment_id: number;
  readonly name: string;
  readonly description: string | null;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}
