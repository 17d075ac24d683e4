import { sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import type { StoreRowIds } from '../../model/spans/store-row-ids.ts';
import type { Db } from './database.ts';

// Table: installation.

/** ID of the data directory that the database belongs to. Undefined before its first use. */
export async function findOwner(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('data_directory_id').executeTakeFirst();
  return row?.data_directory_id;
}

/** Assigns a database without an owner to this data directory. Returns the ID of the owner afterwards. */
export async function claim(db: Db, dataDirectoryId: string): Promise<string> {
  await db
    .insertInto('installation')
    .values({ data_directory_id: dataDirectoryId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return expectPresent(await findOwner(db), 'the row was just inserted or existed');
}

/** The span store's last checkpoint, as far as the database knows. */
export interface KnownCheckpoint {
  /** Null after the database was adopted: the data directory may be older, and skips the row ids. */
  readonly position: number | null;
  /** Greatest row ids that the span store had allocated. */
  readonly rowIds: StoreRowIds;
}

/** Undefined before the first checkpoint. */
export async function findCheckpoint(db: Db): Promise<KnownCheckpoint | undefined> {
  const row = await db.selectFrom('installation').selectAll().executeTakeFirst();
  if (!row || row.span_row_id === null) return undefined;
  return {
    position: row.checkpoint_position,
    rowIds: {
      span: row.span_row_id,
      trace: row.trace_row_id ?? 0,
      session: row.session_row_id ?? 0,
      annotation: row.annotation_row_id ?? 0,
    },
  };
}

/** Undefined when the span store and the journal reach the last checkpoint that the database knows. */
export function describeOlder(endPosition: number, checkpointPosition: number): string | undefined {
  if (endPosition >= checkpointPosition) return undefined;
  return `The journal and the span store are older than the database: they end at position ${endPosition}, and the database knows a checkpoint at position ${checkpointPosition}. Restore the data directory and the database from backups of the same time. If there are none, run 'spandrel db adopt': the spans after the older backup are lost, and the server continues without using their row IDs again.`;
}

/** Row ids never decrease, so that they stay known after the database was adopted by an older data directory. */
export async function recordCheckpoint(
  db: Db,
  { position, rowIds }: { readonly position: number; readonly rowIds: StoreRowIds },
): Promise<void> {
  await sql`
    update installation set checkpoint_position = ${position}, span_row_id = greatest(span_row_id, ${rowIds.span}),
      trace_row_id = greatest(trace_row_id, ${rowIds.trace}), session_row_id = greatest(session_row_id, ${rowIds.session}),
      annotation_row_id = greatest(annotation_row_id, ${rowIds.annotation})`.execute(db);
}

/**
 * Assigns the database to this data directory, whatever its previous owner, and even if the directory is older: the next start
 * skips the row ids that its span store may have allocated before.
 */
export async function adopt(db: Db, dataDirectoryId: string): Promise<void> {
  const values = { data_directory_id: dataDirectoryId, checkpoint_position: null };
  await db
    .insertInto('installation')
    .values(values)
    .onConflict((conflict) => conflict.column('is_only_row').doUpdateSet(values))
    .execute();
}
