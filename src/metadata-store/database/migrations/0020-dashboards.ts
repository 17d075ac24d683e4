import { type Kysely, type Migration, sql } from 'kysely';

export const migration0020: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table dashboards (
        id bigint generated always as identity primary key,
        project_id bigint not null references projects (id) on delete cascade,
        name text not null,
        description text not null,
        -- JSON text, which may contain escaped characters that jsonb rejects.
        panels text not null,
        version integer not null,
        revision integer not null default 1,
        user_id bigint references users (id) on delete set null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        constraint dashboards_by_name unique (project_id, name)
      )`.execute(db);
    // For the deletion of a user, which searches for references.
    await sql`create index dashboards_user_id_index on dashboards (user_id)`.execute(db);
  },
};
