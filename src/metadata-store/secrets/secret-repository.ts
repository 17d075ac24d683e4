import { type Selectable, sql } from 'kysely';
import type { Secret } from '../../model/secrets/secret.ts';
import type { SecretTable } from '../access/access-tables.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';

// Table: secrets. Keys are ASCII; the order of their bytes is the same in every database.
const KEY = sql.ref<string>('key');
const KEY_BYTES = sql<string>`${KEY} collate "C"`;

export interface SecretQuery {
  /** Only these. Default: all. */
  readonly keys?: readonly string[] | undefined;
  /** Only keys after this one. */
  readonly after?: string | undefined;
  /** Only keys before this one. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** The last ones instead of the first ones. */
  readonly fromEnd?: boolean | undefined;
}

/** Secrets by key. `hasMore` when the limit left some out. */
export async function listSecrets(
  db: Db,
  { keys, after, before, limit, fromEnd = false }: SecretQuery,
): Promise<{ readonly items: Secret[]; readonly hasMore: boolean }> {
  let query = db.selectFrom('secrets').selectAll();
  if (keys) query = query.where('key', '=', sql<string>`any(${keys}::text[])`);
  if (after !== undefined) query = query.where(KEY_BYTES, '>', after);
  if (before !== undefined) query = query.where(KEY_BYTES, '<', before);
  const rows = await query
    .orderBy(KEY_BYTES, fromEnd ? 'desc' : 'asc')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit).map(toSecret);
  return { items: fromEnd ? items.reverse() : items, hasMore: rows.length > limit };
}

/** A key without a secret is absent. */
export async function findSecrets(db: Db, keys: readonly string[]): Promise<Map<string, Secret>> {
  const rows = await db
    .selectFrom('secrets')
    .selectAll()
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.key, toSecret(row)]));
}

/** A secret to store. Without `hosts`, a stored secret keeps its hosts. */
export type NewSecret = Pick<Secret, 'key' | 'sealedValue' | 'userRowId'> & Partial<Pick<Secret, 'hosts'>>;

/** Stores and deletes secrets in one transaction. A key is in one of the lists at most. Returns the stored ones. */
export async function changeSecrets(
  db: Db,
  { toStore, toDelete }: { readonly toStore: readonly NewSecret[]; readonly toDelete: readonly string[] },
): Promise<Map<string, Secret>> {
  return inTransaction(db, async (tx) => {
    // Rows would be locked in the order of each request, and two requests could wait for each other.
    await sql`lock table secrets in share row exclusive mode`.execute(tx);
    if (toDelete.length > 0) {
      await tx.deleteFrom('secrets').where('key', '=', sql<string>`any(${toDelete}::text[])`).execute();
    }
    if (toStore.length === 0) return new Map();
    const keysOfKept = toStore.filter(({ hosts }) => hosts === undefined).map(({ key }) => key);
    const kept = await findSecrets(tx, keysOfKept);
    const rows = await tx
      .insertInto('secrets')
      .values(
        toStore.map(({ key, sealedValue, userRowId, hosts = kept.get(key)?.hosts ?? null }) => ({
          key,
          value: sealedValue,
          hosts: hosts && [...hosts],
          user_id: userRowId,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((eb) => ({
          value: eb.ref('excluded.value'),
          hosts: eb.ref('excluded.hosts'),
          user_id: eb.ref('excluded.user_id'),
          updated_at: sql`now()`,
        })),
      )
      .returningAll()
      .execute();
    return new Map(rows.map((row) => [row.key, toSecret(row)]));
  });
}

/** Replaces an encrypted value by another encryption of it. False when the value has changed since it was read. */
export async function resealSecret(
  db: Db,
  key: string,
  { from, to }: { readonly from: Buffer; readonly to: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('secrets')
    .set({ value: to })
    .where('key', '=', key)
    .where('value', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Functions of secrets, bound to a database. */
export const secretRepository = (db: Db) =>
  bindToDatabase(db, { list: listSecrets, findByKeys: findSecrets, change: changeSecrets, reseal: resealSecret });

export type SecretRepository = ReturnType<typeof secretRepository>;

const toSecret = ({ key, value, hosts, user_id, updated_at }: Selectable<SecretTable>): Secret => ({
  key,
  sealedValue: value,
  hosts,
  userRowId: user_id,
  updatedAt: updated_at,
});
