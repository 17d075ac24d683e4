import { sql } from 'kysely';
import { SIGN_IN_FAILURE_MINUTES_MAX } from '../../model/limits/access.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { claimMail } from './sent-mails.ts';

// Table: sign_in_failures.

/**
 * Counts an attempt before its password is checked. The last attempt that is allowed locks the account, and a success
 * clears it. An attempt during the lock does not lengthen it, and the first one after it counts as the first.
 *
 * @returns whether the account is locked, and whether a failure of this attempt locks it
 */
export async function beginAttempt(
  db: Db,
  account: string,
  { attemptCountMax, lockSeconds }: { readonly attemptCountMax: number; readonly lockSeconds: number },
): Promise<'locked' | 'last' | 'more'> {
  const isFresh = sql`(
    failures.locked_until <= clock_timestamp()
    or failures.updated_at < clock_timestamp() - make_interval(mins => ${SIGN_IN_FAILURE_MINUTES_MAX}))`;
  const count = sql`case when ${isFresh} then 1 else failures.failure_count + 1 end`;
  const lockedUntil = (attempt: typeof count) => sql`
    case when ${attempt} >= ${attemptCountMax} then clock_timestamp() + make_interval(secs => ${lockSeconds}) end`;
  const { rows } = await sql<{ isLast: boolean }>`
    insert into sign_in_failures as failures (account, failure_count, locked_until)
    values (${toPostgresText(account)}, 1, ${lockedUntil(sql`1`)})
    on conflict (account) do update set
      failure_count = ${count},
      locked_until = ${lockedUntil(count)},
      updated_at = clock_timestamp()
    where failures.locked_until is null or ${isFresh}
    returning locked_until is not null as "isLast"`.execute(db);
  const [row] = rows;
  return row === undefined ? 'locked' : row.isLast ? 'last' : 'more';
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

/** Whether the owner of an email is to be told of a lock: once in the given hours, by one server. */
export async function claimLockNotice(db: Db, email: string, intervalHours: number): Promise<boolean> {
  return (await claimMail(db, 'accountLocked', [email], intervalHours)).length > 0;
}

/** Functions of failed sign-ins, bound to a database. */
export const signInFailureRepository = (db: Db) =>
  bindToDatabase(db, { beginAttempt, undoAttempt, clear: clearFailures, claimLockNotice });
