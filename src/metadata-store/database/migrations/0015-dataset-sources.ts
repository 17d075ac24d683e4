import { type Kysely, type Migration, sql } from 'kysely';

/** Mappings of spans to examples, and filters that are saved as sources of a dataset: `docs/decisions/dataset-versions.md`. */
export const migration0015: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table span_mappings (
    project_id bigint primary key references projects on delete cascade,
    mapping json not null,
    updated_at timestamptz not null default now(),
    user_id bigint references users (id) on delete set null
  )`,
  'create index on span_mappings (user_id)',
  `create table dataset_sources (
    id bigint generated always as identity primary key,
    project_id bigint not null references projects on delete cascade,
    dataset_id bigint not null references datasets on delete cascade,
    name text not null,
    filter text not null,
    mapping json not null,
    split_names json not null default '[]',
    -- Spans with higher row ids have arrived later.
    last_span_row_id bigint not null default 0,
    created_at timestamptz not null default now(),
    -- When new matches were last added.
    added_at timestamptz,
    user_id bigint references users (id) on delete set null,
    unique (dataset_id, name)
  )`,
  'create index on dataset_sources (project_id)',
  'create index on dataset_sources (user_id)',
  `create table dataset_source_spans (
    source_id bigint not null references dataset_sources on delete cascade,
    span_row_id bigint not null,
    primary key (source_id, span_row_id)
  )`,
];
