import { type Kysely, type Migration, sql } from 'kysely';

/** Responses of models that later runs over the same dataset use again. Rows are evicted by age and by their total size. */
export const migration0025: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table cached_responses (
    -- Hash of the request, the model with its address and credentials, and the repetition.
    key bytea primary key,
    dataset_id bigint not null references datasets on delete cascade,
    content text not null,
    byte_count integer not null,
    created_at timestamptz not null default now()
  )`,
  'create index on cached_responses (dataset_id)',
  'create index on cached_responses (created_at)',
  'alter table experiment_jobs add column uses_cache boolean not null default false',
  'alter table experiment_runs add column is_cached boolean not null default false',
];
