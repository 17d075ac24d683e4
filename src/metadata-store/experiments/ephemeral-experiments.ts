import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { allowLongStatements } from '../datasets/datasets.ts';

// Table: experiments.

/** An ephemeral experiment expires a day after this or a later change. False when there is no such experiment. */
export async function setEphemeral(db: Db, rowId: number, isEphemeral: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('experiments')
    .set({ is_ephemeral: isEphemeral, updated_at: sql`now()` })
    .where('id', '=', rowId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Deletes an ephemeral experiment that has not changed since the given time, with all of its data. Returns the name of
 * its project, or undefined when there is no such experiment.
 */
export function deleteStaleExperiment(db: Db, unchangedSince: Date): Promise<string | undefined> {
  return inTransaction(db, async (tx) => {
    await allowLongStatements(tx);
    // Servers that run this concurrently lock different experiments.
    const { rows } = await sql<{ project: string }>`
      delete from experiments where id = (
        select id from experiments where is_ephemeral and updated_at <= ${unchangedSince}
        order by updated_at limit 1 for update skip locked
      )
      returning project_name as project
    `.execute(tx);
    return rows[0]?.project;
  });
}
