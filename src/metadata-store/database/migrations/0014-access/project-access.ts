import { type Kysely, sql } from 'kysely';

/** Open projects may have members too: they are its members if it becomes private. */
export async function createProjectAccess(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column is_private boolean not null default false`.execute(db);
  await sql`
    create table project_members (
      id bigint generated always as identity primary key,
      project_id bigint not null references projects (id) on delete cascade,
      user_id bigint references users (id) on delete cascade,
      -- A group of the identity provider, which no table lists.
      group_name text,
      level text not null check (level in ('READER', 'EDITOR', 'OWNER')),
      created_at timestamptz not null default now(),
      check ((user_id is null) <> (group_name is null)),
      unique (project_id, user_id),
      unique (project_id, group_name)
    )`.execute(db);
  await sql`create index project_members_user_id_index on project_members (user_id)`.execute(db);
}
