import { type CreateTableBuilder, type Kysely, type Migration, sql } from 'kysely';

export const migration0007: Migration = {
  async up(db: Kysely<unknown>) {
    await createTable(db, 'prompts')
      .addColumn('source_prompt_id', 'bigint', (column) => column.references('prompts.id').onDelete('set null'))
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .addColumn('description', 'text')
      .addColumn('metadata', 'json', (column) => column.notNull().defaultTo('{}'))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute();
    await createTable(db, 'prompt_versions')
      .addColumn('prompt_id', 'bigint', (column) => column.notNull().references('prompts.id').onDelete('cascade'))
      .addColumn('description', 'text')
      .addColumn('template_type', 'text', (column) => column.notNull().check(sql`template_type in ('CHAT', 'STR')`))
      .addColumn('template_format', 'text', (column) =>
        column.notNull().check(sql`template_format in ('F_STRING', 'MUSTACHE', 'NONE')`),
      )
      .addColumn('template', 'json', (column) => column.notNull())
      .addColumn('invocation_parameters', 'json', (column) => column.notNull())
      .addColumn('tools', 'json')
      .addColumn('response_format', 'json')
      .addColumn('model_provider', 'text', (column) => column.notNull())
      .addColumn('model_name', 'text', (column) => column.notNull())
      .addColumn('metadata', 'json', (column) => column.notNull().defaultTo('{}'))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute();
    await createTable(db, 'prompt_version_tags')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('prompt_id', 'bigint', (column) => column.notNull().references('prompts.id').onDelete('cascade'))
      .addColumn('prompt_version_id', 'bigint', (column) =>
        column.notNull().references('prompt_versions.id').onDelete('cascade'),
      )
      .addUniqueConstraint('prompt_version_tags_prompt_id_name_key', ['prompt_id', 'name'])
      .execute();
    await createTable(db, 'prompt_labels')
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .addColumn('description', 'text')
      .addColumn('color', 'text')
      .execute();
    await createTable(db, 'prompts_prompt_labels')
      .addColumn('prompt_label_id', 'bigint', (column) =>
        column.notNull().references('prompt_labels.id').onDelete('cascade'),
      )
      .addColumn('prompt_id', 'bigint', (column) => column.notNull().references('prompts.id').onDelete('cascade'))
      .addUniqueConstraint('prompts_prompt_labels_label_prompt_key', ['prompt_label_id', 'prompt_id'])
      .execute();
    for (const [table, columns] of INDEXES) {
      await db.schema
        .createIndex(`${table}_${columns.join('_')}_index`)
        .on(table)
        .columns([...columns])
        .execute();
    }
  },
};

/** For deletions, which search for references, and for the newest versions of a prompt. */
const INDEXES: readonly (readonly [string, readonly string[]])[] = [
  ['prompts', ['source_prompt_id']],
  ['prompt_versions', ['prompt_id', 'id']],
  ['prompt_version_tags', ['prompt_version_id']],
  ['prompts_prompt_labels', ['prompt_id']],
];

const createTable = (db: Kysely<unknown>, name: string): CreateTableBuilder<string, 'id'> =>
  db.schema.createTable(name).addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey());
