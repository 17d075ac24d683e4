import { type Kysely, type Migration, sql } from 'kysely';

/** Runs of judges over targets that people have labelled. Targets are rows of the span store, or runs of experiments. */
export const migration0024: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table calibrations (
    id bigint generated always as identity primary key,
    dataset_evaluator_id bigint not null references dataset_evaluators on delete cascade,
    evaluator_name text not null,
    prompt_version_id bigint references prompt_versions on delete set null,
    input_mapping json not null,
    output_config json not null,
    annotation_name text not null,
    project_id bigint references projects on delete cascade,
    target text check (target in ('span', 'trace', 'session')),
    dataset_id bigint references datasets on delete cascade,
    held_out_share double precision not null check (held_out_share between 0 and 1),
    concurrency integer not null,
    status text not null check (status in ('RUNNING', 'COMPLETED', 'STOPPED', 'ERROR')),
    reason text,
    created_at timestamptz not null default now(),
    ended_at timestamptz,
    -- Last sign of the server that runs it.
    heartbeat_at timestamptz not null default now(),
    user_id bigint references users on delete set null,
    check ((project_id is null) = (target is null)),
    check ((project_id is null) <> (dataset_id is null))
  )`,
  'create index on calibrations (dataset_evaluator_id, id)',
  'create index on calibrations (prompt_version_id)',
  'create index on calibrations (project_id)',
  'create index on calibrations (dataset_id)',
  'create index on calibrations (user_id)',
  `create table calibration_items (
    id bigint generated always as identity primary key,
    calibration_id bigint not null references calibrations on delete cascade,
    target_type text not null check (target_type in ('span', 'trace', 'session', 'run')),
    target_row_id bigint not null,
    is_held_out boolean not null,
    human_label text,
    human_score double precision,
    human_count integer not null,
    -- Null until the judge has seen the target.
    evaluated_at timestamptz,
    judge_label text,
    judge_score double precision,
    explanation text,
    error text,
    trace_id text,
    prompt_tokens bigint not null default 0,
    completion_tokens bigint not null default 0,
    cost_usd double precision,
    latency_ms double precision not null default 0,
    unique (calibration_id, target_type, target_row_id)
  )`,
  'create index on calibration_items (calibration_id, id) where evaluated_at is null',
];
