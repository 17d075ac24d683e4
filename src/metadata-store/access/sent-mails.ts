import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

// Table: sent_mails.

/**
 * Claims the recipients that got no mail of this kind within the given hours, and returns them. Of several servers that
 * ask at the same time, one gets each recipient.
 */
export async function claimMail(
  db: Db,
  kind: string,
  recipients: readonly string[],
  intervalHours: number,
): Promise<string[]> {
  const { rows } = await sql<{ recipient: string }>`
    insert into sent_mails (kind, recipient, sent_at)
    select ${kind}, recipient, now() from (select distinct unnest(${[...recipients]}::text[]) as recipient) as wanted
    order by recipient
    on conflict (kind, recipient) do update set sent_at = excluded.sent_at
      where sent_mails.sent_at <= now() - make_interval(hours => ${intervalHours})
    returning recipient`.execute(db);
  return rows.map(({ recipient }) => recipient);
}

/** Lets recipients whose mail could not be sent be claimed again in an hour. */
export async function releaseMail(
  db: Db,
  kind: string,
  recipients: readonly string[],
  intervalHours: number,
): Promise<void> {
  await db
    .updateTable('sent_mails')
    .set({ sent_at: sql`now() - make_interval(hours => ${intervalHours - 1})` })
    .where('kind', '=', kind)
    .where('recipient', 'in', [...recipients])
    .execute();
}
