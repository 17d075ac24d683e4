import { type Kysely, type Migration, sql } from 'kysely';

/** An ephemeral experiment is deleted automatically some time after its last change. */
export const migration0008: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table experiments add column is_ephemeral boolean not null default false`.execute(db);
    await sql`create index on experiments (updated_at) where is_ephemeral`.execute(db);
  },
};
