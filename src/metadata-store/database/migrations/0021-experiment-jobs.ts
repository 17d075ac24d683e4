import { type Kysely, type Migration, sql } from 'kysely';

/**
 * A job is the run of an experiment by servers, with the row id of the experiment. The server in `claimed_by` runs it while
 * `claimed_at` is fresh. Logs refer to examples, runs and evaluators without foreign keys, because they are history.
 */
export const migration0021: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table experiment_jobs (
    id bigint primary key references experiments on delete cascade,
    type text not null check (type in ('PROMPT', 'EVAL_ONLY')),
    status text not null check (status in ('RUNNING', 'COMPLETED', 'STOPPED', 'ERROR')),
    stop_reason text,
    runs_tasks boolean not null,
    claimed_by text,
    claimed_at timestamptz,
    cooldown_until timestamptz,
    max_concurrency integer not null check (max_concurrency > 0),
    needs_sent_secrets boolean not null,
    call_count_max bigint,
    cost_max double precision,
    call_count bigint not null default 0,
    cost double precision not null default 0,
    created_at timestamptz not null default now(),
    unique (type, id)
  )`,
  `create index on experiment_jobs (id) where status = 'RUNNING'`,
  `create table experiment_prompt_tasks (
    id bigint primary key,
    type text not null default 'PROMPT' check (type = 'PROMPT'),
    prompt_version_id bigint references prompt_versions on delete set null,
    prompt_name text,
    model_provider text not null,
    model_name text not null,
    custom_provider_id bigint references generative_model_custom_providers on delete set null,
    uses_custom_provider boolean not null,
    template_type text not null,
    template_format text not null,
    template json not null,
    tools json,
    response_format json,
    invocation_parameters json not null,
    connection json,
    template_variables_path text not null,
    appended_messages_path text,
    stream_model_output boolean not null,
    check (not (uses_custom_provider and connection is not null)),
    foreign key (type, id) references experiment_jobs (type, id) on delete cascade
  )`,
  'create index on experiment_prompt_tasks (prompt_version_id)',
  'create index on experiment_prompt_tasks (custom_provider_id)',
  `create table experiment_logs (
    id bigint generated always as identity primary key,
    experiment_id bigint not null references experiment_jobs on delete cascade,
    occurred_at timestamptz not null default now(),
    category text not null check (category in ('TASK', 'EVAL', 'EXPERIMENT')),
    level text not null check (level in ('ERROR', 'WARN', 'INFO')),
    message text not null,
    detail json,
    dataset_example_id bigint,
    repetition_number integer,
    experiment_run_id bigint,
    dataset_evaluator_id bigint
  )`,
  'create index on experiment_logs (experiment_id, id)',
];
