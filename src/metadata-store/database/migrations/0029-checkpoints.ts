import { type Kysely, type Migration, sql } from 'kysely';

/**
 * The last checkpoint of the span store: its journal position and the greatest row ids, by which an older copy of the span store
 * and the journal is recognized. The position is null before the first one, and after `db adopt`.
 */
export const migration0029: Migration = {
  async up(db: Kysely<unknown>) {
    const columns = ['checkpoint_position', 'span_row_id', 'trace_row_id', 'session_row_id', 'annotation_row_id'];
    const additions = columns.map((name) => `add column ${name} bigint`);
    await sql.raw(`alter table installation ${additions.join(', ')}`).execute(db);
  },
};
