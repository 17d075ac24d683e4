import { sql } from 'kysely';
import { groupBy } from '../../base/group-by.ts';
import type { ExperimentNote } from '../../model/experiment.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Table: experiment_notes.

const COLUMNS = [
  'id as rowId',
  'experiment_id as experimentRowId',
  'text',
  'user_id as userId',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

/** Notes of each experiment, oldest first. An experiment without notes is absent. */
export async function findNotesOfExperiments(
  db: Db,
  experimentRowIds: readonly number[],
): Promise<Map<number, ExperimentNote[]>> {
  const notes = await db
    .selectFrom('experiment_notes')
    .select(COLUMNS)
    .where('experiment_id', '=', sql<number>`any(${experimentRowIds}::bigint[])`)
    .orderBy('id')
    .execute();
  return groupBy(
    notes,
    (note) => note.experimentRowId,
    (note) => note,
  );
}

/** A row id that no note has is absent. */
export async function findNotes(db: Db, rowIds: readonly number[]): Promise<Map<number, ExperimentNote>> {
  const notes = await db
    .selectFrom('experiment_notes')
    .select(COLUMNS)
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(notes.map((note) => [note.rowId, note]));
}

/** Undefined when there is no such experiment. */
export async function addNote(
  db: Db,
  { experimentRowId, text, userId }: Pick<ExperimentNote, 'experimentRowId' | 'text' | 'userId'>,
): Promise<ExperimentNote | undefined> {
  return db
    .insertInto('experiment_notes')
    .columns(['experiment_id', 'text', 'user_id'])
    .expression((from) =>
      from
        .selectFrom('experiments')
        .select(['id', sql<string>`${toPostgresText(text)}::text`.as('text'), authorColumn(userId).as('user_id')])
        .where('id', '=', experimentRowId)
        .forKeyShare(),
    )
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** Undefined when there is no such note. */
export const updateNote = (db: Db, rowId: number, text: string): Promise<ExperimentNote | undefined> =>
  db
    .updateTable('experiment_notes')
    .set({ text: toPostgresText(text), updated_at: sql`now()` })
    .where('id', '=', rowId)
    .returning(COLUMNS)
    .executeTakeFirst();

/** Undefined when there is no such note. */
export const deleteNote = (db: Db, rowId: number): Promise<ExperimentNote | undefined> =>
  db.deleteFrom('experiment_notes').where('id', '=', rowId).returning(COLUMNS).executeTakeFirst();
