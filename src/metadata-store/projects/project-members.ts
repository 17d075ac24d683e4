import { type RawBuilder, sql } from 'kysely';
import { CREDENTIAL_BATCH_ROW_COUNT } from '../../model/limits/access.ts';
import type { MemberRef, ProjectLevel, ProjectMember } from '../../model/projects/project-member.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';

// Table: project_members, and the column is_private of projects. A project with the traces of an online evaluator contains
// texts of the project that it annotates, so both have the same readers.

interface AccessRow {
  readonly rowId: number;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly members: readonly ProjectMember[];
}

/** The project that decides about access: the annotated one for the traces of an online evaluator. */
const OWNER = sql`coalesce(
  (select o.project_id from online_evaluators o where o.trace_project_id = projects.id), projects.id
)`;

const select = async (db: Db, rest: RawBuilder<unknown>): Promise<AccessRow[]> => {
  const { rows } = await sql<
    Omit<AccessRow, 'members'> & {
      readonly members: readonly {
        readonly user: number | null;
        readonly group: string;
        readonly level: ProjectLevel;
      }[];
    }
  >`
    select id as "rowId", name, (select p.is_private from projects p where p.id = ${OWNER}) as "isPrivate", coalesce((
      select json_agg(json_build_object('user', user_id, 'group', group_name, 'level', level) order by m.id)
      from project_members m where m.project_id = ${OWNER}
    ), '[]') as members
    from projects ${rest}`.execute(db);
  return rows.map(({ members, ...row }) => ({
    ...row,
    members: members.map(({ user, group, level }) => ({
      of: user === null ? { group } : { userRowId: user },
      level,
    })),
  }));
};

/** Yields every project that is private or has members, in batches. */
export async function* listProjectAccess(db: Db): AsyncGenerator<readonly AccessRow[]> {
  for (let afterRowId = 0; ; ) {
    const rows = await select(
      db,
      sql`where id > ${afterRowId} and (
          (select p.is_private from projects p where p.id = ${OWNER})
          or exists (select from project_members m where m.project_id = ${OWNER})
        ) order by id limit ${CREDENTIAL_BATCH_ROW_COUNT}`,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    afterRowId = last.rowId;
  }
}

/** Projects by row id are found with those that have the traces of their online evaluators. */
export const findProjectAccess = (
  db: Db,
  refs: { readonly rowIds: readonly number[] } | { readonly names: readonly string[] },
): Promise<AccessRow[]> =>
  select(
    db,
    'rowIds' in refs
      ? sql`where id = any(${refs.rowIds}::bigint[]) or id in (
          select o.trace_project_id from online_evaluators o where o.project_id = any(${refs.rowIds}::bigint[])
        )`
      : sql`where name = any(${refs.names}::text[])`,
  );

/** The project, which is locked until the transaction ends. Undefined when there is none. */
export const lockProjectAccess = async (db: Db, projectRowId: number): Promise<AccessRow | undefined> =>
  (await select(db, sql`where id = ${projectRowId} for update`))[0];

export async function setProjectPrivate(db: Db, projectRowId: number, isPrivate: boolean): Promise<void> {
  await db.updateTable('projects').set({ is_private: isPrivate }).where('id', '=', projectRowId).execute();
}

/** Adds a member, or changes the level of one. */
export async function setProjectMember(
  db: Db,
  projectRowId: number,
  member: MemberRef,
  level: ProjectLevel,
): Promise<void> {
  const column = 'group' in member ? 'group_name' : 'user_id';
  await db
    .insertInto('project_members')
    .values({
      project_id: projectRowId,
      user_id: 'group' in member ? null : member.userRowId,
      group_name: 'group' in member ? member.group : null,
      level,
    })
    .onConflict((conflict) => conflict.columns(['project_id', column]).doUpdateSet({ level }))
    .execute();
}

export async function removeProjectMember(db: Db, projectRowId: number, member: MemberRef): Promise<void> {
  const rows = db.deleteFrom('project_members').where('project_id', '=', projectRowId);
  await ('group' in member
    ? rows.where('group_name', '=', member.group)
    : rows.where('user_id', '=', member.userRowId)
  ).execute();
}

/** Functions of the access to projects, bound to a database. */
export const projectMemberRepository = (db: Db) =>
  bindToDatabase(db, {
    listAccess: listProjectAccess,
    findAccess: findProjectAccess,
    lock: lockProjectAccess,
    setPrivate: setProjectPrivate,
    set: setProjectMember,
    remove: removeProjectMember,
  });
