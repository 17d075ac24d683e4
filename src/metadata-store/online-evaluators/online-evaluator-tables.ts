import type { Generated, GeneratedAlways } from 'kysely';
import type { BackfillState, OnlineItemState, OnlineTarget } from '../../model/evaluators/online-evaluator.ts';

export interface OnlineEvaluatorTable {
  readonly id: GeneratedAlways<number>;
  readonly project_id: number;
  readonly evaluator_id: number;
  readonly name: string;
  readonly description: string | null;
  readonly target: OnlineTarget;
  readonly filter: string;
  readonly input_mapping: string;
  readonly sampling_rate: number;
  readonly quiet_ms: number;
  readonly daily_call_count_max: number | null;
  readonly daily_cost_max: number | null;
  readonly is_enabled: boolean;
  readonly revision: Generated<number>;
  readonly trace_project_id: number;
  readonly last_span_row_id: number;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
  readonly user_id: number | null;
}

export interface OnlineItemTable {
  readonly online_evaluator_id: number;
  readonly version: string;
  readonly target_row_id: number;
  readonly trace_id: string;
  readonly state: OnlineItemState;
  readonly due_at: Generated<Date>;
  readonly span_count: number | null;
  readonly attempt_count: Generated<number>;
  readonly error: string | null;
  readonly changed_at: Generated<Date>;
  readonly backfill_id: number | null;
}

export interface OnlineDayTable {
  readonly online_evaluator_id: number;
  readonly day: string;
  readonly done_count: Generated<number>;
  readonly sampled_out_count: Generated<number>;
  readonly over_budget_count: Generated<number>;
  readonly failed_count: Generated<number>;
  readonly call_count: Generated<number>;
  readonly prompt_tokens: Generated<number>;
  readonly completion_tokens: Generated<number>;
}

export interface OnlineBackfillTable {
  readonly id: GeneratedAlways<number>;
  readonly online_evaluator_id: number;
  readonly start_time: Date | null;
  readonly end_time: Date | null;
  readonly state: BackfillState;
  readonly last_span_row_id: Generated<number>;
  readonly last_span_row_id_max: number;
  readonly matched_count: Generated<number>;
  readonly queued_count: Generated<number>;
  readonly sampled_out_count: Generated<number>;
  readonly created_at: Generated<Date>;
  readonly ended_at: Date | null;
  readonly user_id: number | null;
  readonly expected_count: number | null;
}
