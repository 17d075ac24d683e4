import type { Db } from './database.ts';

/** Runs work in the transaction of the caller if there is one, and otherwise in a new one. */
export const inTransaction = <T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);
