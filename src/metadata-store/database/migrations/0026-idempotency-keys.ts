import { type Kysely, type Migration, sql } from 'kysely';

/** Requests that are made once for a key of the client, with their responses. Rows are evicted by age, count and size. */
export const migration0026: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table idempotency_keys (
    -- Hash of the caller and the key.
    id bytea primary key,
    caller text not null,
    -- Hash of method, path and query.
    target_hash bytea not null,
    -- Hash of the body. Null while a streamed body arrives.
    body_hash bytea,
    -- The request that is running, or was the last one.
    claim uuid not null,
    renewed_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    -- Null until the request has a response.
    status integer,
    headers json,
    -- Null for a response that is too large.
    body bytea,
    byte_count integer not null default 0
  )`,
  'create index on idempotency_keys (created_at)',
];
