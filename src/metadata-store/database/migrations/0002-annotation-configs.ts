import { type Kysely, type Migration, sql } from 'kysely';

export const migration0002: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('annotation_configs')
      .addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey())
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .addColumn('description', 'text')
      .addColumn('type', 'text', (column) =>
        column.notNull().check(sql`type in ('CATEGORICAL', 'CONTINUOUS', 'FREEFORM')`),
      )
      .addColumn('optimization_direction', 'text', (column) =>
        column.check(sql`optimization_direction in ('MINIMIZE', 'MAXIMIZE', 'NONE')`),
      )
      .addColumn('threshold', 'double precision')
      .addColumn('lower_bound', 'double precision')
      .addColumn('upper_bound', 'double precision')
      .addColumn('values', 'jsonb', (column) => column.notNull().defaultTo(sql`'[]'`))
      .execute();
    await db.schema
      .createTable('project_annotation_configs')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('annotation_config_id', 'bigint', (column) =>
        column.notNull().references('annotation_configs.id').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('project_annotation_configs_pkey', ['project_id', 'annotation_config_id'])
      .execute();
    await db.schema
      .createIndex('project_annotation_configs_annotation_config_id')
      .on('project_annotation_configs')
      .column('annotation_config_id')
      .execute();
  },
};
