import { type Kysely, type Migration, sql } from 'kysely';
import { expectPresent } from '../../../base/expect-present.ts';

/**
 * Faster uploads of examples. Postgres checks a foreign key row by row, so a trigger deletes examples and revisions with their
 * dataset instead. Writers lock the row of the dataset, so none writes into a deleted one. Revisions find the examples of a dataset,
 * so these need no index by dataset.
 */
export const migration0027: Migration = {
  async up(db: Kysely<unknown>) {
    const { rows } = await sql<{ sequence: string }>`
      select pg_get_serial_sequence('dataset_examples', 'id') as sequence
    `.execute(db);
    const { sequence } = expectPresent(rows[0], 'the table has a sequence');
    const statements = [
      'alter table dataset_examples drop constraint dataset_examples_dataset_id_fkey',
      'alter table dataset_example_revisions drop constraint dataset_example_revisions_dataset_id_fkey',
      'drop index dataset_examples_dataset_id_idx',
      // The row id of a new example, for `copy`.
      `alter table dataset_example_revisions alter column dataset_example_id set default nextval('${sequence.replaceAll("'", "''")}'::regclass)`,
      `create function delete_examples_of_dataset() returns trigger language plpgsql as $$
      begin
        execute format('delete from %1$I.dataset_examples where id in (
          select dataset_example_id from %1$I.dataset_example_revisions where dataset_id = $1)', tg_table_schema) using old.id;
        execute format('delete from %I.dataset_example_revisions where dataset_id = $1', tg_table_schema) using old.id;
        return null;
      end $$`,
      `create trigger datasets_delete_examples after delete on datasets
       for each row execute function delete_examples_of_dataset()`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
