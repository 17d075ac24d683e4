import { type Kysely, sql } from 'kysely';

export async function createSecretsAndAudit(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table secrets (
      key text primary key,
      value bytea not null,
      -- Hosts that the secret may be sent to; null for any.
      hosts text[],
      user_id bigint references users (id) on delete set null,
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index secrets_user_id_index on secrets (user_id)`.execute(db);
  await sql`
    create table audit_log (
      id bigint primary key,
      happened_at timestamptz not null,
      -- No reference: an entry outlives what it names.
      user_id bigint,
      username text,
      credential text not null,
      remote_address text,
      action text not null,
      outcome text not null check (outcome in ('DONE', 'DENIED')),
      target_kind text,
      target_id text,
      target_name text,
      before jsonb,
      after jsonb,
      previous_hash bytea not null,
      hash bytea not null
    )`.execute(db);
  await sql`create index audit_log_happened_at_index on audit_log (happened_at)`.execute(db);
  await sql`create index audit_log_user_id_index on audit_log (user_id, id)`.execute(db);
  await sql`create index audit_log_action_index on audit_log (action, id)`.execute(db);
}
