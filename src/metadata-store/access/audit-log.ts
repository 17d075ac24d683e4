import { type Selectable, sql } from 'kysely';
import {
  type AuditAction,
  type AuditActor,
  type AuditEntry,
  type AuditFields,
  FIRST_AUDIT_HASH,
  hashAuditEntry,
  type NewAuditEntry,
} from '../../model/access/audit-entry.ts';
import { AUDIT_BATCH_ROW_COUNT } from '../../model/limits/access.ts';
import type { Page } from '../../model/page.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { AuditLogTable } from './access-tables.ts';

// Table: audit_log.

/** Number of the advisory lock that serializes entries, so that each knows the hash of the one before it. */
const CHAIN_LOCK = 7_230_114;

/**
 * Waits for other transactions with an entry, and lets others wait until this one ends. Taken before the change, so that its
 * checks, such as that of the last administrator, hold until it is stored.
 */
export async function lockAuditLog(transaction: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CHAIN_LOCK})`.execute(transaction);
}

/** Appends an entry in the transaction of the change that it records, which has locked the log. */
export async function appendAuditEntry(transaction: Db, entry: NewAuditEntry, actor: AuditActor): Promise<void> {
  const last = await transaction
    .selectFrom('audit_log')
    .select(['id', 'hash'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const previous = last?.hash ?? FIRST_AUDIT_HASH;
  const full = toStorable({ ...entry, rowId: (last?.id ?? 0) + 1, happenedAt: new Date(), actor });
  await transaction
    .insertInto('audit_log')
    .values({
      id: full.rowId,
      happened_at: full.happenedAt,
      user_id: actor.userRowId,
      username: full.actor.username,
      credential: actor.credential,
      remote_address: full.actor.remoteAddress,
      action: full.action,
      outcome: full.outcome,
      target_kind: full.target.kind,
      target_id: full.target.id ?? null,
      target_name: full.target.name ?? null,
      before: full.before ? JSON.stringify(full.before) : null,
      after: full.after ? JSON.stringify(full.after) : null,
      previous_hash: Buffer.from(previous),
      hash: hashAuditEntry(previous, full),
    })
    .execute();
}

/** The entry as it can be read again: Postgres cannot store every character. */
function toStorable(entry: AuditEntry): AuditEntry {
  const clean = (text: string | null | undefined) => (text == null ? text : toPostgresText(text));
  const cleanFields = (fields: AuditFields | undefined) =>
    fields && (JSON.parse(toPostgresText(JSON.stringify(fields).replaceAll('\\u0000', ''))) as AuditFields);
  return {
    ...entry,
    actor: {
      ...entry.actor,
      username: clean(entry.actor.username) ?? null,
      remoteAddress: clean(entry.actor.remoteAddress) ?? null,
    },
    target: {
      kind: entry.target.kind,
      id: clean(entry.target.id) ?? undefined,
      name: clean(entry.target.name) ?? undefined,
    },
    before: cleanFields(entry.before),
    after: cleanFields(entry.after),
  };
}

/** Conditions that all hold. */
export interface AuditFilter {
  readonly userRowId?: number;
  readonly action?: AuditAction;
  readonly outcome?: 'DONE' | 'DENIED';
  readonly from?: Date;
  readonly until?: Date;
  /** Part of the name of the user or target. Case is ignored. */
  readonly text?: string;
  /** Part of the name of the user. Case is ignored. */
  readonly username?: string;
  /** Part of the kind, id or name of the target. Case is ignored. */
  readonly target?: string;
}

/** Newest first. `fromRowId` is the first row of the page. */
export async function listAuditEntries(
  db: Db,
  filter: AuditFilter,
  { limit, fromRowId = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly fromRowId?: number },
): Promise<Page<AuditEntry>> {
  const { userRowId, action, outcome, from, until, text, username, target } = filter;
  let query = db.selectFrom('audit_log').selectAll().where('id', '<=', fromRowId);
  if (userRowId !== undefined) query = query.where('user_id', '=', userRowId);
  if (action !== undefined) query = query.where('action', '=', action);
  if (outcome !== undefined) query = query.where('outcome', '=', outcome);
  if (from !== undefined) query = query.where('happened_at', '>=', from);
  if (until !== undefined) query = query.where('happened_at', '<', until);
  for (const [part, columns] of [
    [text, ['username', 'target_name']],
    [username, ['username']],
    [target, ['target_kind', 'target_id', 'target_name']],
  ] as const) {
    if (part === undefined || part === '') continue;
    const position = (column: string) =>
      sql<boolean>`position(lower(${toPostgresText(part)}) in lower(${sql.ref(column)})) > 0`;
    query = query.where((builder) => builder.or(columns.map(position)));
  }
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit).map(toEntry);
  const next = rows[limit];
  return next ? { items, nextRowId: next.id } : { items };
}

/** Result of the check of the whole chain. */
export interface AuditCheck {
  readonly entryCount: number;
  /** Row id of the first entry that does not fit to the one before it, or was changed. */
  readonly brokenAtRowId: number | undefined;
}

/** Computes every hash again. The first entry that is left after a deletion of old ones is taken as it is. */
export async function verifyAuditLog(db: Db): Promise<AuditCheck> {
  let entryCount = 0;
  let previous: Selectable<AuditLogTable> | undefined;
  for (;;) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('id', '>', previous?.id ?? 0)
      .orderBy('id')
      .limit(AUDIT_BATCH_ROW_COUNT)
      .execute();
    if (rows.length === 0) return { entryCount, brokenAtRowId: undefined };
    for (const row of rows) {
      const isNext = previous === undefined || (row.id === previous.id + 1 && row.previous_hash.equals(previous.hash));
      if (!isNext || !hashAuditEntry(row.previous_hash, toEntry(row)).equals(row.hash)) {
        return { entryCount, brokenAtRowId: row.id };
      }
      previous = row;
      entryCount++;
    }
  }
}

/**
 * Deletes the oldest entries, up to the first one of this time or later. Clocks of servers differ, so an entry after it may
 * name an earlier time: it stays, because a gap would look like a removed entry. The newest entry stays, too, because the
 * next one refers to it.
 */
export async function deleteAuditEntries(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('audit_log')
    .where(
      'id',
      '<',
      sql<number>`coalesce(
        (select min(id) from audit_log where happened_at >= ${before}), (select max(id) from audit_log))`,
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Functions of the audit log, bound to a database. */
export const auditRepository = (db: Db) =>
  bindToDatabase(db, { list: listAuditEntries, verify: verifyAuditLog, deleteBefore: deleteAuditEntries });

const toEntry = (row: Selectable<AuditLogTable>): AuditEntry => ({
  rowId: row.id,
  happenedAt: row.happened_at,
  actor: {
    userRowId: row.user_id,
    username: row.username,
    credential: row.credential,
    remoteAddress: row.remote_address,
  },
  action: row.action,
  outcome: row.outcome,
  target: { kind: row.target_kind ?? '', id: row.target_id ?? undefined, name: row.target_name ?? undefined },
  before: row.before ?? undefined,
  after: row.after ?? undefined,
});
