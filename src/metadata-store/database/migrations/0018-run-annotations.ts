import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Annotations of people on runs, and which of two runs they prefer. Evaluations have one row per run and name, which an
 * evaluator replaces, so annotations of people have tables of their own. Without sign-in, all people are one: their rows
 * are anonymous. A row stays when its author is deleted. Then it has neither an author nor is it anonymous.
 */
export const migration0018: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table experiment_run_annotations (
    id bigint generated always as identity primary key,
    experiment_id bigint not null references experiments on delete cascade,
    experiment_run_id bigint not null,
    name text not null,
    label text,
    score double precision,
    explanation text,
    user_id bigint references users (id) on delete set null,
    is_anonymous boolean not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create unique index experiment_run_annotations_user_index
    on experiment_run_annotations (experiment_run_id, name, user_id) where user_id is not null`,
  `create unique index experiment_run_annotations_anonymous_index
    on experiment_run_annotations (experiment_run_id, name) where is_anonymous`,
  'create index on experiment_run_annotations (experiment_run_id)',
  'create index on experiment_run_annotations (experiment_id)',
  'create index on experiment_run_annotations (user_id)',
  `create table experiment_run_preferences (
    id bigint generated always as identity primary key,
    dataset_example_id bigint not null,
    first_experiment_id bigint not null references experiments on delete cascade,
    second_experiment_id bigint not null references experiments on delete cascade,
    first_run_id bigint not null,
    second_run_id bigint not null check (first_run_id < second_run_id),
    preferred_run_id bigint check (preferred_run_id in (first_run_id, second_run_id)),
    explanation text,
    user_id bigint references users (id) on delete set null,
    is_anonymous boolean not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create unique index experiment_run_preferences_user_index
    on experiment_run_preferences (first_run_id, second_run_id, user_id) where user_id is not null`,
  `create unique index experiment_run_preferences_anonymous_index
    on experiment_run_preferences (first_run_id, second_run_id) where is_anonymous`,
  'create index on experiment_run_preferences (first_experiment_id, second_experiment_id)',
  'create index on experiment_run_preferences (second_experiment_id)',
  'create index on experiment_run_preferences (user_id)',
];
