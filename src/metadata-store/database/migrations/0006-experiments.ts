import { type Kysely, type Migration, sql } from 'kysely';

export const migration0006: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

/**
 * The snapshot of an experiment is its `experiment_examples`. Runs refer to examples of it, and evaluations to runs,
 * without foreign keys: all three are deleted with the experiment, each in one statement.
 */
const STATEMENTS = [
  `create table experiments (
    id bigint generated always as identity primary key,
    dataset_id bigint not null references datasets on delete cascade,
    dataset_version_id bigint not null,
    name text not null,
    description text,
    repetitions integer not null check (repetitions > 0),
    metadata json not null default '{}',
    project_name text not null,
    example_count bigint not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  'create index on experiments (dataset_id, id)',
  'create index on experiments (project_name)',
  `create table experiment_examples (
    experiment_id bigint not null references experiments on delete cascade,
    dataset_example_id bigint not null,
    dataset_example_revision_id bigint not null,
    primary key (experiment_id, dataset_example_id)
  )`,
  `create table experiment_splits (
    experiment_id bigint not null references experiments on delete cascade,
    dataset_split_id bigint not null references dataset_splits on delete cascade,
    primary key (experiment_id, dataset_split_id)
  )`,
  'create index on experiment_splits (dataset_split_id)',
  `create table experiment_runs (
    id bigint generated always as identity primary key,
    experiment_id bigint not null references experiments on delete cascade,
    dataset_example_id bigint not null,
    repetition_number integer not null,
    trace_id text,
    output json not null,
    start_time timestamptz not null,
    end_time timestamptz not null,
    error text
  )`,
  `create unique index on experiment_runs (experiment_id, dataset_example_id, repetition_number)`,
  'create index on experiment_runs (experiment_id, id)',
  `create table experiment_evaluations (
    id bigint generated always as identity primary key,
    experiment_id bigint not null references experiments on delete cascade,
    experiment_run_id bigint not null,
    name text not null,
    annotator_kind text not null check (annotator_kind in ('LLM', 'CODE', 'HUMAN')),
    label text,
    score double precision,
    explanation text,
    trace_id text,
    error text,
    metadata json not null default '{}',
    start_time timestamptz not null,
    end_time timestamptz not null
  )`,
  'create unique index on experiment_evaluations (experiment_run_id, name)',
  'create index on experiment_evaluations (experiment_id, name)',
  `create table experiment_tags (
    id bigint generated always as identity primary key,
    dataset_id bigint not null references datasets on delete cascade,
    experiment_id bigint not null references experiments on delete cascade,
    name text not null,
    description text
  )`,
  'create unique index on experiment_tags (dataset_id, name)',
  'create index on experiment_tags (experiment_id)',
];
