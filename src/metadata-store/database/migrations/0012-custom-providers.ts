import { type Kysely, type Migration, sql } from 'kysely';

export const migration0012: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('generative_model_custom_providers')
      .addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey())
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .addColumn('description', 'text')
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('sdk', 'text', (column) =>
        column.notNull().check(sql`sdk in ('openai', 'azure_openai', 'anthropic', 'google_genai', 'aws_bedrock')`),
      )
      .addColumn('config', 'bytea', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute();
    await db.schema
      .alterTable('prompt_versions')
      .addColumn('custom_provider_id', 'bigint', (column) =>
        column.references('generative_model_custom_providers.id').onDelete('set null'),
      )
      .execute();
    // For deletions, which search for references.
    await db.schema
      .createIndex('prompt_versions_custom_provider_id_index')
      .on('prompt_versions')
      .column('custom_provider_id')
      .execute();
  },
};
