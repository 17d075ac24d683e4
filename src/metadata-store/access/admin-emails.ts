import { DEFAULT_ADMIN } from '../../model/access/user.ts';
import type { Db } from '../database/database.ts';

/** Addresses of the active administrators. The first administrator has none until an operator sets one. */
export async function listAdminEmails(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('email')
    .where('role', '=', 'ADMIN')
    .where('is_active', '=', true)
    .where('email', 'is not', null)
    .where('email', '<>', DEFAULT_ADMIN.email)
    .orderBy('id')
    .execute();
  return rows.map(({ email }) => email).filter((email) => email !== null);
}
