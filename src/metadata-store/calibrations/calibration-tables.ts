import type { Generated, GeneratedAlways } from 'kysely';
import type { CalibratedTarget, CalibrationStatus, CalibrationTarget } from '../../model/evaluators/calibration.ts';

/** JSON text of a column of the type json: select it with `jsonText`. */
type JsonText = string;

export interface CalibrationTable {
  readonly id: GeneratedAlways<number>;
  readonly dataset_evaluator_id: number;
  readonly evaluator_name: string;
  readonly prompt_version_id: number | null;
  readonly input_mapping: JsonText;
  readonly output_config: JsonText;
  readonly annotation_name: string;
  /** Null, like the target, for the runs of a dataset's experiments. */
  readonly project_id: number | null;
  readonly target: CalibratedTarget | null;
  readonly dataset_id: number | null;
  readonly held_out_share: number;
  readonly concurrency: number;
  readonly status: CalibrationStatus;
  readonly reason: string | null;
  readonly created_at: Generated<Date>;
  readonly ended_at: Date | null;
  /** Last sign of the server that runs it. */
  readonly heartbeat_at: Generated<Date>;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: number | null;
}

export interface CalibrationItemTable {
  readonly id: GeneratedAlways<number>;
  readonly calibration_id: number;
  readonly target_type: CalibrationTarget['type'];
  readonly target_row_id: number;
  readonly is_held_out: boolean;
  readonly human_label: string | null;
  readonly human_score: number | null;
  readonly human_count: number;
  /** Null until the judge has seen the target; then the columns below have its verdict. */
  readonly evaluated_at: Date | null;
  readonly judge_label: string | null;
  readonly judge_score: number | null;
  readonly explanation: string | null;
  readonly error: string | null;
  readonly trace_id: string | null;
  readonly prompt_tokens: Generated<number>;
  readonly completion_tokens: Generated<number>;
  readonly cost_usd: number | null;
  readonly latency_ms: Generated<number>;
}
