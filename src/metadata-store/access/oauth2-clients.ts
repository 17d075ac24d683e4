import { type Selectable, sql } from 'kysely';
import type { OAuth2Client } from '../../model/access/oauth2.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { OAuth2ClientTable } from './access-tables.ts';

// Table: oauth2_clients.

export async function findClient(db: Db, clientId: string): Promise<OAuth2Client | undefined> {
  const row = await db
    .selectFrom('oauth2_clients')
    .selectAll()
    .where('client_id', '=', toPostgresText(clientId))
    .executeTakeFirst();
  return row && toClient(row);
}

export async function findClientByRowId(db: Db, rowId: number): Promise<OAuth2Client | undefined> {
  const row = await db.selectFrom('oauth2_clients').selectAll().where('id', '=', rowId).executeTakeFirst();
  return row && toClient(row);
}

export async function createClient(
  db: Db,
  client: {
    readonly clientId: string;
    readonly name: string;
    readonly redirectUris: readonly string[];
    readonly registeredFrom: string | null;
  },
): Promise<OAuth2Client> {
  const row = await db
    .insertInto('oauth2_clients')
    .values({
      client_id: client.clientId,
      name: toPostgresText(client.name),
      redirect_uris: [...client.redirectUris],
      registered_from: client.registeredFrom,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toClient(row);
}

/** Creates an application of the product, or updates it. */
export async function ensureFirstPartyClient(
  db: Db,
  client: { readonly clientId: string; readonly name: string; readonly redirectUris: readonly string[] },
): Promise<void> {
  const fields = { name: client.name, redirect_uris: [...client.redirectUris], is_first_party: true };
  await db
    .insertInto('oauth2_clients')
    .values({ client_id: client.clientId, ...fields })
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet(fields))
    .execute();
}

/** Applications that no user has accepted yet: those that an address registered within a day, and all. */
export async function countUnusedClients(
  db: Db,
  registeredFrom: string | null,
): Promise<{ readonly fromAddress: number; readonly total: number }> {
  const { rows } = await sql<{ fromAddress: number; total: number }>`
    select count(*) as total,
      count(*) filter (where registered_from = ${registeredFrom} and created_at > now() - interval '1 day') as "fromAddress"
    from oauth2_clients
    where not is_first_party
      and not exists (select from oauth2_grants where oauth2_client_id = oauth2_clients.id)`.execute(db);
  return { fromAddress: Number(rows[0]?.fromAddress ?? 0), total: Number(rows[0]?.total ?? 0) };
}

/** Deletes applications that no user has accepted since the time. */
export async function deleteUnusedClients(db: Db, before: Date): Promise<void> {
  await sql`
    delete from oauth2_clients
    where not is_first_party and created_at < ${before}
      and not exists (select from oauth2_grants where oauth2_client_id = oauth2_clients.id)
      and not exists (select from oauth2_authorization_codes where oauth2_client_id = oauth2_clients.id)`.execute(db);
}

/** Functions of applications, bound to a database. */
export const oauth2ClientRepository = (db: Db) =>
  bindToDatabase(db, {
    find: findClient,
    findByRowId: findClientByRowId,
    create: createClient,
    ensureFirstParty: ensureFirstPartyClient,
    countUnused: countUnusedClients,
    deleteUnused: deleteUnusedClients,
  });

const toClient = (row: Selectable<OAuth2ClientTable>): OAuth2Client => ({
  rowId: row.id,
  clientId: row.client_id,
  name: row.name,
  redirectUris: row.redirect_uris,
  isFirstParty: row.is_first_party,
  createdAt: row.created_at,
});
