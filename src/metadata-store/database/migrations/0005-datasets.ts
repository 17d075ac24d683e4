import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Every table below a dataset contains its row id, and one statement per table deletes its rows. The content of an
 * example at a version is the revision with `dataset_version_id <= version < until_version_id`: see
 * `docs/decisions/dataset-versions.md`.
 */
export const migration0005: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table datasets (
    id bigint generated always as identity primary key,
    name text not null unique,
    description text,
    metadata json not null default '{}',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create table dataset_versions (
    id bigint generated always as identity primary key,
    dataset_id bigint not null references datasets on delete cascade,
    description text,
    metadata json not null default '{}',
    created_at timestamptz not null default now(),
    example_count bigint not null,
    first_example_id bigint,
    last_example_id bigint
  )`,
  'create index on dataset_versions (dataset_id, id)',
  `create table dataset_examples (
    id bigint generated always as identity primary key,
    dataset_id bigint not null references datasets on delete cascade,
    external_id text,
    span_row_id bigint,
    created_at timestamptz not null default now()
  )`,
  'create index on dataset_examples (dataset_id)',
  'create unique index on dataset_examples (dataset_id, external_id) where external_id is not null',
  `create table dataset_example_revisions (
    id bigint generated always as identity primary key,
    dataset_id bigint not null references datasets on delete cascade,
    dataset_example_id bigint not null,
    dataset_version_id bigint not null,
    until_version_id bigint,
    revision_kind text not null check (revision_kind in ('CREATE', 'PATCH', 'DELETE')),
    input json not null,
    output json not null,
    metadata json not null,
    content_hash bytea not null,
    created_at timestamptz not null default now()
  )`,
  'create unique index on dataset_example_revisions (dataset_id, dataset_example_id, dataset_version_id)',
  `create index on dataset_example_revisions (dataset_id, content_hash)
    where until_version_id is null and revision_kind <> 'DELETE'`,
  `create table dataset_splits (
    id bigint generated always as identity primary key,
    name text not null unique,
    description text,
    color text not null,
    metadata json not null default '{}',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create table dataset_split_examples (
    dataset_split_id bigint not null references dataset_splits on delete cascade,
    dataset_id bigint not null references datasets on delete cascade,
    dataset_example_id bigint not null,
    primary key (dataset_id, dataset_example_id, dataset_split_id)
  )`,
  'create index on dataset_split_examples (dataset_split_id, dataset_id, dataset_example_id)',
  `create table dataset_labels (
    id bigint generated always as identity primary key,
    name text not null unique,
    description text,
    color text not null check (color ~ '^#[0-9a-f]{6}$')
  )`,
  `create table datasets_dataset_labels (
    dataset_id bigint not null references datasets on delete cascade,
    dataset_label_id bigint not null references dataset_labels on delete cascade,
    primary key (dataset_id, dataset_label_id)
  )`,
  'create index on datasets_dataset_labels (dataset_label_id)',
];
