import { type Kysely, type Migration, sql } from 'kysely';

/** Data directory that the database belongs to. Each of the two refers to row ids of the other. */
export const migration0013: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('installation')
      .addColumn('is_only_row', 'boolean', (column) => column.primaryKey().defaultTo(true).check(sql`is_only_row`))
      .addColumn('data_directory_id', 'uuid', (column) => column.notNull())
      .execute();
  },
};
