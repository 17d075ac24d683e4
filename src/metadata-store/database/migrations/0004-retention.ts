import { type Kysely, type Migration, sql } from 'kysely';

export const migration0004: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('project_trace_retention_policies')
      // The default policy has row id 0, others those that are generated.
      .addColumn('id', 'bigint', (column) => column.generatedByDefaultAsIdentity().primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('cron_expression', 'text', (column) => column.notNull())
      .addColumn('rule', 'jsonb', (column) => column.notNull())
      .addColumn('swept_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute();
    await db.schema
      .alterTable('projects')
      .addColumn('trace_retention_policy_id', 'bigint', (column) =>
        column.references('project_trace_retention_policies.id').onDelete('set null'),
      )
      .execute();
    await db.schema
      .createIndex('projects_by_trace_retention_policy')
      .on('projects')
      .column('trace_retention_policy_id')
      .execute();
    await db.schema
      .createTable('deleted_projects')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('deleted_projects_by_name').on('deleted_projects').column('name').execute();
  },
};
