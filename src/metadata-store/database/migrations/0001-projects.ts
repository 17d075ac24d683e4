import { type Kysely, type Migration, sql } from 'kysely';
import { DEFAULT_PROJECT_NAME } from '../../../model/projects/project.ts';

export const migration0001: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('projects')
      .addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey())
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .addColumn('description', 'text')
      .addColumn('gradient_start_color', 'text', (column) => column.notNull().defaultTo('#5bdbff'))
      .addColumn('gradient_end_color', 'text', (column) => column.notNull().defaultTo('#1c76fc'))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute();
    await sql`insert into projects (name, description) values (${DEFAULT_PROJECT_NAME}, 'Default project')`.execute(db);
  },
};
