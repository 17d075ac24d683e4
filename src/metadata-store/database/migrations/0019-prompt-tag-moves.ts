import { type Kysely, type Migration, sql } from 'kysely';

/** History of tags of prompt versions: who moved which tag from where to where, and when. */
export const migration0019: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table prompt_tag_moves (
        id bigint generated always as identity primary key,
        prompt_id bigint not null references prompts (id) on delete cascade,
        tag_name text not null,
        -- Null when the tag was new.
        from_version_id bigint references prompt_versions (id) on delete cascade,
        -- Null when the tag was removed.
        to_version_id bigint references prompt_versions (id) on delete cascade,
        user_id bigint references users (id) on delete set null,
        created_at timestamptz not null default now()
      )`.execute(db);
    // The last three are for deletions, which search for references.
    for (const columns of ['prompt_id, id', 'from_version_id', 'to_version_id', 'user_id']) {
      await sql`create index on prompt_tag_moves (${sql.raw(columns)})`.execute(db);
    }
  },
};
