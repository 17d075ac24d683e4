import { type Kysely, type Migration, sql } from 'kysely';

/** Evaluators of projects, which annotate spans, traces and sessions as they arrive: `docs/decisions/online-evaluators.md`. */
export const migration0023: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table online_evaluators (
    id bigint generated always as identity primary key,
    project_id bigint not null references projects on delete cascade,
    evaluator_id bigint not null references evaluators on delete cascade,
    name text not null,
    description text,
    target text not null check (target in ('SPAN', 'TRACE', 'SESSION')),
    filter text not null,
    input_mapping json not null,
    sampling_rate double precision not null check (sampling_rate > 0 and sampling_rate <= 1),
    -- Time without new spans after which a trace or session is complete.
    quiet_ms bigint not null,
    daily_call_count_max bigint,
    daily_cost_max double precision,
    is_enabled boolean not null,
    -- Increases with each change of what is annotated or how.
    revision integer not null default 1,
    trace_project_id bigint not null references projects on delete restrict,
    -- Spans with higher row ids have arrived later.
    last_span_row_id bigint not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    user_id bigint references users (id) on delete set null,
    constraint online_evaluators_by_name unique (project_id, name)
  )`,
  'create index on online_evaluators (evaluator_id)',
  'create unique index on online_evaluators (trace_project_id)',
  'create index on online_evaluators (user_id)',
  // A target of one version of an evaluator is annotated once.
  `create table online_items (
    online_evaluator_id bigint not null references online_evaluators on delete cascade,
    version text not null,
    target_row_id bigint not null,
    trace_id text not null,
    state text not null check (state in ('WAITING', 'DONE', 'OVER_BUDGET', 'FAILED', 'GONE')),
    due_at timestamptz not null default now(),
    -- Spans of the target when it was last looked at.
    span_count bigint,
    attempt_count integer not null default 0,
    error text,
    changed_at timestamptz not null default now(),
    primary key (online_evaluator_id, target_row_id, version)
  )`,
  `create index online_items_waiting on online_items (online_evaluator_id, due_at) where state = 'WAITING'`,
  'create index online_items_by_state on online_items (online_evaluator_id, state, changed_at desc)',
  `create table online_days (
    online_evaluator_id bigint not null references online_evaluators on delete cascade,
    day date not null,
    done_count bigint not null default 0,
    sampled_out_count bigint not null default 0,
    over_budget_count bigint not null default 0,
    failed_count bigint not null default 0,
    call_count bigint not null default 0,
    prompt_tokens bigint not null default 0,
    completion_tokens bigint not null default 0,
    primary key (online_evaluator_id, day)
  )`,
  `create table online_backfills (
    id bigint generated always as identity primary key,
    online_evaluator_id bigint not null references online_evaluators on delete cascade,
    start_time timestamptz,
    end_time timestamptz,
    state text not null check (state in ('RUNNING', 'DONE', 'STOPPED')),
    last_span_row_id bigint not null default 0,
    last_span_row_id_max bigint not null,
    matched_count bigint not null default 0,
    queued_count bigint not null default 0,
    sampled_out_count bigint not null default 0,
    created_at timestamptz not null default now(),
    ended_at timestamptz,
    user_id bigint references users (id) on delete set null
  )`,
  'create index on online_backfills (online_evaluator_id, id)',
  'create index on online_backfills (user_id)',
];
