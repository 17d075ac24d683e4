import { expectPresent } from '../../base/expect-present.ts';
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

/** Assigns the database to this data directory, whatever its previous owner. */
export async function adopt(db: Db, dataDirectoryId: string): Promise<void> {
  const values = { data_directory_id: dataDirectoryId };
  await db
    .insertInto('installation')
    .values(values)
    .onConflict((conflict) => conflict.column('is_only_row').doUpdateSet(values))
    .execute();
}
