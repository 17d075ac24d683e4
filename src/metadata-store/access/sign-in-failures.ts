import { sql } from 'kysely';
import { SIGN_IN_FAILURE_MINUTES_MAX } from '../../model/limits/access.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Table: sign_in_failures.

/**
 * Counts an attempt before its password is checked. The last attempt that is allowed locks the account, and a success
 * clears it. An attempt during the lock does not lengthen it, and the first one after it counts as the first.
 *
 * @returns false while the account is locked
 */
export async function beginAttempt(
  db: Db,
  account: string,
  { attemptCountMax, lockSeconds }: { readonly attemptCountMax: number; readonly lockSeconds: number },
): Promise<boolean> {
  const isFresh = sql`(
    failures.locked_until <= clock_timestamp()
    or failures.updated_at < clock_timestamp() - make_interval(mins => ${SIGN_IN_FAILURE_MINUTES_MAX}))`;
  const count = sql`case when ${isFresh} then 1 else failures.failure_count + 1 end`;
  const lockedUntil = (attempt: typeof count) => sql`
    case when ${attempt} >= ${attemptCountMax} then clock_timestamp() + make_interval(secs => ${lockSeconds}) end`;
  const { rows } = await sql`
    insert into sign_in_failures as failures (account, failure_count, locked_until)
    values (${toPostgresText(account)}, 1, ${lockedUntil(sql`1`)})
    on conflict (account) do update set
      failure_count = ${count},
      locked_until = ${lockedUntil(count)},
      updated_at = clock_timestamp()
    where failures.locked_until is null or ${isFresh}
    returning account`.execute(db);
  return rows.length > 0;
}

/** Takes back an attempt that the directory could not decide. */
export async function undoAttempt(db: Db, account: string): Promise<void> {
  await db
    .updateTable('sign_in_failures')
    .set({ failure_count: sql`greatest(failure_count - 1, 0)`, locked_until: null })
    .where('account', '=', toPostgresText(account))
    .execute();
}

export async function clearFailures(db: Db, accounts: readonly string[]): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where('account', '=', sql<string>`any(${accounts.map(toPostgresText)}::text[])`)
    .execute();
}

/** Functions of failed sign-ins, bound to a database. */
export const signInFailureRepository = (db: Db) =>
  bindToDatabase(db, { beginAttempt, undoAttempt, clear: clearFailures });
