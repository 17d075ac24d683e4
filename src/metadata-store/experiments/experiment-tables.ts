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
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}
