import type { Db } from './database.ts';

// Table: installation.

/** The data directory that the database belongs to; undefined before the first start with it. */
export async function findOwner(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('data_directory_id').executeTakeFirst();
  return row?.data_directory_id;
}

/** Makes a database that belongs to no data directory belong to this one. Returns the one that it belongs to then. */
export async function claim(db: Db, dataDirectoryId: string): Promise<string> {
  await db
    .insertInto('installation')
    .values({ data_directory_id: dataDirectoryId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findOwner(db))!;
}

/** Makes the database belong to this data directory, whichever it belonged to. */
export async function adopt(db: Db, dataDirectoryId: string): Promise<void> {
  const values = { data_directory_id: dataDirectoryId };
  await db
    .insertInto('installation')
    .values(values)
    .onConflict((conflict) => conflict.column('is_only_row').doUpdateSet(values))
    .execute();
}
