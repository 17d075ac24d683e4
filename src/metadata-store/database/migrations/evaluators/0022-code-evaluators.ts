import { type Kysely, type Migration, sql } from 'kysely';

/** Evaluators with code of users, and the sandboxes that run it: `docs/decisions/evaluators.md`. */
export const migration0022: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  'alter table evaluators drop constraint evaluators_kind_check',
  "alter table evaluators add constraint evaluators_kind_check check (kind in ('LLM', 'CODE', 'BUILTIN'))",
  `create table sandbox_providers (
    backend_type text primary key,
    enabled boolean not null,
    -- JSON of the addresses of a hosted backend.
    config json not null default '{}',
    user_id bigint references users (id) on delete set null,
    updated_at timestamptz not null default now()
  )`,
  'create index on sandbox_providers (user_id)',
  `insert into sandbox_providers (backend_type, enabled) values
    ('WASM', true), ('E2B', false), ('DAYTONA', false), ('VERCEL', false), ('DENO', false), ('MODAL', false),
    ('MONTY', false)`,
  `create table sandbox_configs (
    id bigint generated always as identity primary key,
    backend_type text not null references sandbox_providers on delete restrict,
    language text not null check (language in ('PYTHON', 'TYPESCRIPT')),
    name text not null,
    description text,
    config json not null,
    timeout integer not null check (timeout > 0),
    enabled boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    user_id bigint references users (id) on delete set null,
    constraint sandbox_configs_by_name unique (backend_type, name),
    unique (language, id)
  )`,
  'create index on sandbox_configs (user_id)',
  // So that code evaluators can be written at once.
  `insert into sandbox_configs (backend_type, language, name, config, timeout) values
    ('WASM', 'PYTHON', 'python', '{}', 30), ('WASM', 'TYPESCRIPT', 'typescript', '{}', 30)`,
  `create table code_evaluators (
    id bigint primary key,
    kind text not null default 'CODE' check (kind = 'CODE'),
    language text not null check (language in ('PYTHON', 'TYPESCRIPT')),
    input_mapping json not null,
    output_configs json not null,
    sandbox_config_id bigint,
    updated_at timestamptz not null default now(),
    foreign key (kind, id) references evaluators (kind, id) on delete cascade,
    -- The language of the sandbox is that of the evaluator.
    foreign key (language, sandbox_config_id) references sandbox_configs (language, id)
  )`,
  'create index on code_evaluators (language, sandbox_config_id)',
  `create table code_evaluator_code_versions (
    id bigint generated always as identity primary key,
    code_evaluator_id bigint not null references code_evaluators on delete cascade,
    source_code text not null,
    -- Inferred from the source when it was stored.
    input_schema json not null,
    created_at timestamptz not null default now(),
    user_id bigint references users (id) on delete set null
  )`,
  'create index on code_evaluator_code_versions (code_evaluator_id, id)',
  'create index on code_evaluator_code_versions (user_id)',
];
