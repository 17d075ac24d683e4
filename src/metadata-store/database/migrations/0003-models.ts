import { type Kysely, type Migration, sql } from 'kysely';

export const migration0003: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('generative_models')
      .addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('name_pattern', 'text', (column) => column.notNull())
      .addColumn('is_built_in', 'boolean', (column) => column.notNull())
      .addColumn('start_time', 'timestamptz')
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('deleted_at', 'timestamptz')
      .execute();
    // Several built-in models may have the same pattern, with prices of different dates.
    await sql`create unique index generative_models_name on generative_models (name, is_built_in)
      where deleted_at is null`.execute(db);
    await sql`create unique index generative_models_pattern on generative_models (name_pattern, provider)
      where deleted_at is null and not is_built_in`.execute(db);
    await db.schema
      .createTable('token_prices')
      .addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey())
      .addColumn('model_id', 'bigint', (column) =>
        column.notNull().references('generative_models.id').onDelete('cascade'),
      )
      .addColumn('token_type', 'text', (column) => column.notNull())
      .addColumn('is_prompt', 'boolean', (column) => column.notNull())
      .addColumn('base_rate', 'float8', (column) => column.notNull())
      .addColumn('customization', 'json')
      .addUniqueConstraint('token_prices_type', ['model_id', 'token_type', 'is_prompt'])
      .execute();
    await db.schema
      .createTable('cost_recomputations')
      .addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey())
      .addColumn('project_id', 'bigint')
      .addColumn('next_span_row_id', 'bigint', (column) => column.notNull())
      .addColumn('last_span_row_id', 'bigint')
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('ended_at', 'timestamptz')
      .execute();
  },
};
