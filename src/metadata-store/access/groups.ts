import { type Selectable, sql } from 'kysely';
import type { DirectoryPage, DirectoryQuery, GroupFilterField } from '../../model/access/directory-filter.ts';
import type { Group, GroupMember, GroupOfUser, MemberChange } from '../../model/access/group.ts';
import { SpandrelError } from '../../model/errors.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { constraintOf, isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { ScimGroupTable } from './access-tables.ts';
import { type FieldSql, toCondition, toOrder } from './directory-filter-sql.ts';

// Tables: scim_groups, scim_group_members.

const FIELDS: Readonly<Record<GroupFilterField, FieldSql>> = {
  id: { type: 'id', value: sql`scim_groups.id` },
  displayName: { type: 'text', value: sql`display_name` },
  externalId: { type: 'exactText', value: sql`scim_external_id` },
  createdAt: { type: 'time', value: sql`created_at` },
  updatedAt: { type: 'time', value: sql`updated_at` },
  member: {
    type: 'id',
    value: sql`(select min(user_id) from scim_group_members where group_id = scim_groups.id)`,
    contains: (rowId) =>
      sql`exists (select from scim_group_members where group_id = scim_groups.id and user_id = ${rowId}::bigint)`,
  },
};

export async function queryGroups(
  db: Db,
  { filter, sort, offset, limit }: DirectoryQuery<GroupFilterField>,
): Promise<DirectoryPage<Group>> {
  const where = filter ? toCondition(filter, FIELDS) : sql<boolean>`true`;
  const { rows: counts } = await sql<{ count: number }>`
    select count(*) as count from scim_groups where ${where}`.execute(db);
  const { rows } = await sql<Selectable<ScimGroupTable>>`
    select * from scim_groups where ${where} ${toOrder(sort, FIELDS, sql`id`)}
    limit ${limit} offset ${offset}`.execute(db);
  return { items: rows.map(toGroup), totalCount: counts[0]?.count ?? 0 };
}

export async function findGroup(db: Db, rowId: number): Promise<Group | undefined> {
  const row = await db.selectFrom('scim_groups').selectAll().where('id', '=', rowId).executeTakeFirst();
  return row && toGroup(row);
}

/** Members in the order of their groups and row ids. */
export async function listGroupMembers(db: Db, groupRowIds: readonly number[], limit: number): Promise<GroupMember[]> {
  const { rows } = await sql<GroupMember>`
    select group_id as "groupRowId", user_id as "userRowId", username
    from scim_group_members join users on users.id = user_id
    where group_id = any(${groupRowIds}::bigint[]) order by group_id, user_id limit ${limit}`.execute(db);
  return rows;
}

export async function listGroupsOfUsers(db: Db, userRowIds: readonly number[]): Promise<GroupOfUser[]> {
  const { rows } = await sql<GroupOfUser>`
    select user_id as "userRowId", group_id as "groupRowId", display_name as "displayName"
    from scim_group_members join scim_groups on scim_groups.id = group_id
    where user_id = any(${userRowIds}::bigint[]) order by user_id, group_id`.execute(db);
  return rows;
}

export async function countGroupMembers(db: Db, rowId: number): Promise<number> {
  const { count } = await db
    .selectFrom('scim_group_members')
    .select(sql<number>`count(*)`.as('count'))
    .where('group_id', '=', rowId)
    .executeTakeFirstOrThrow();
  return count;
}

/** @throws {SpandrelError} `GROUP_NAME_TAKEN` */
export async function createGroup(
  db: Db,
  { displayName, externalId }: { readonly displayName: string; readonly externalId: string | null },
): Promise<Group> {
  const row = await rejectTaken(() =>
    db
      .insertInto('scim_groups')
      .values({
        display_name: toPostgresText(displayName),
        scim_external_id: externalId && toPostgresText(externalId),
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  return toGroup(row);
}

/** @throws {SpandrelError} `GROUP_NAME_TAKEN` */
export async function updateGroup(
  db: Db,
  rowId: number,
  { displayName, externalId }: { readonly displayName?: string; readonly externalId?: string | null },
): Promise<Group | undefined> {
  const row = await rejectTaken(() =>
    db
      .updateTable('scim_groups')
      .set({
        ...(displayName !== undefined && { display_name: toPostgresText(displayName) }),
        ...(externalId !== undefined && { scim_external_id: externalId && toPostgresText(externalId) }),
        updated_at: sql`now()`,
      })
      .where('id', '=', rowId)
      .returningAll()
      .executeTakeFirst(),
  );
  return row && toGroup(row);
}

/** One statement each for removal and addition, so that the triggers of the cache of credentials run once. */
export async function changeGroupMembers(db: Db, rowId: number, { removed, added }: MemberChange) {
  const { rows: known } = await sql<{ id: number }>`
    select id from users where id = any(${added}::bigint[]) and role <> 'SYSTEM'`.execute(db);
  const ids = new Set(known.map(({ id }) => id));
  // Members that are added again keep their rows.
  const removal = await sql`
    delete from scim_group_members where group_id = ${rowId} and user_id <> all(${[...ids]}::bigint[])
      and ${removed === 'all' ? sql`true` : sql`user_id = any(${removed}::bigint[])`}`.execute(db);
  const addition = await sql`
    insert into scim_group_members (group_id, user_id) select ${rowId}::bigint, unnest(${[...ids]}::bigint[])
    on conflict do nothing`.execute(db);
  return {
    unknown: added.filter((id) => !ids.has(id)),
    addedCount: Number(addition.numAffectedRows ?? 0),
    removedCount: Number(removal.numAffectedRows ?? 0),
  };
}

export async function deleteGroup(db: Db, rowId: number): Promise<void> {
  await db.deleteFrom('scim_groups').where('id', '=', rowId).execute();
}

/** Functions of groups, bound to a database. */
export const groupRepository = (db: Db) =>
  bindToDatabase(db, {
    query: queryGroups,
    findByRowId: findGroup,
    listMembers: listGroupMembers,
    listGroupsOfUsers,
    countMembers: countGroupMembers,
    create: createGroup,
    update: updateGroup,
    changeMembers: changeGroupMembers,
    delete: deleteGroup,
  });

const toGroup = (row: Selectable<ScimGroupTable>): Group => ({
  rowId: row.id,
  displayName: row.display_name,
  externalId: row.scim_external_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

async function rejectTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isTaken(error)) throw error;
    const field = constraintOf(error)?.includes('external') ? 'externalId' : 'displayName';
    throw new SpandrelError('GROUP_NAME_TAKEN', `Another group has this ${field}`);
  }
}
