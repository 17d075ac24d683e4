import { type Kysely, type Migration, sql } from 'kysely';

/** A binding owns the project of its evaluator's traces, so the project cannot be deleted while the binding exists. */
export const migration0011: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table evaluators (
    id bigint generated always as identity primary key,
    name text not null unique,
    description text,
    metadata json not null default '{}',
    kind text not null check (kind in ('LLM', 'BUILTIN')),
    created_at timestamptz not null default now(),
    unique (kind, id)
  )`,
  `create table llm_evaluators (
    id bigint primary key,
    kind text not null default 'LLM' check (kind = 'LLM'),
    prompt_id bigint not null references prompts on delete restrict,
    prompt_version_tag_id bigint references prompt_version_tags on delete set null,
    output_configs json not null,
    updated_at timestamptz not null default now(),
    foreign key (kind, id) references evaluators (kind, id) on delete cascade
  )`,
  'create index on llm_evaluators (prompt_id)',
  'create index on llm_evaluators (prompt_version_tag_id)',
  `create table builtin_evaluators (
    id bigint primary key,
    kind text not null default 'BUILTIN' check (kind = 'BUILTIN'),
    key text not null unique,
    input_schema json not null,
    output_configs json not null,
    synced_at timestamptz not null default now(),
    foreign key (kind, id) references evaluators (kind, id) on delete cascade
  )`,
  `create table dataset_evaluators (
    id bigint generated always as identity primary key,
    dataset_id bigint not null references datasets on delete cascade,
    evaluator_id bigint not null references evaluators on delete cascade,
    name text not null,
    description text,
    output_configs json,
    input_mapping json not null,
    project_id bigint not null references projects on delete restrict,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (dataset_id, name)
  )`,
  'create index on dataset_evaluators (evaluator_id)',
  'create index on dataset_evaluators (project_id)',
  // Belongs to an experiment that the server runs.
  `create table experiment_dataset_evaluators (
    experiment_id bigint not null references experiments on delete cascade,
    dataset_evaluator_id bigint not null references dataset_evaluators on delete cascade,
    primary key (experiment_id, dataset_evaluator_id)
  )`,
  'create index on experiment_dataset_evaluators (dataset_evaluator_id)',
];
