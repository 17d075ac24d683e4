import { type Kysely, type Migration, sql } from 'kysely';

/** A span shows the datasets that contain it; most examples have no span. */
export const migration0009: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index on dataset_examples (span_row_id) where span_row_id is not null`.execute(db);
  },
};
