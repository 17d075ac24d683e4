import { type Kysely, type Migration, sql } from 'kysely';

export const migration0010: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('saved_views')
      .addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey())
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('tab', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('search', 'text', (column) => column.notNull())
      .addColumn('layout', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addUniqueConstraint('saved_views_by_name', ['project_id', 'tab', 'name'])
      .execute();
  },
};
