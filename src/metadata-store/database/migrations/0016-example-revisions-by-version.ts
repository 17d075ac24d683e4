import { type Kysely, type Migration, sql } from 'kysely';

/** Every change of an example has a revision, so the difference of two versions costs as much as the changes between. */
export const migration0016: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create index on dataset_example_revisions (dataset_id, dataset_version_id, dataset_example_id)
    `.execute(db);
  },
};
