import type { ExpressionBuilder, Selectable } from 'kysely';
import { sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Page } from '../../model/page.ts';
import type { NewProject, Project, ProjectChanges } from '../../model/projects/project.ts';
import type { ProjectScope } from '../../model/projects/project-member.ts';
import { DEFAULT_RETENTION_POLICY_ROW_ID } from '../../model/projects/retention-policy.ts';
import type { Database, Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { ProjectTable } from './project-tables.ts';
import { toStoredName } from './stored-name.ts';

// Table: projects. Every received name is stored as `toStoredName` returns it.

/**
 * Highest row id first. `nameContains` ignores case; empty is the same as absent. `isOutsideExperiments` leaves out the
 * projects of experiments, `isOutsideEvaluators` those of the evaluators of datasets, and `scope` those outside it.
 */
export async function listProjects(
  db: Db,
  query: {
    readonly limit: number;
    readonly fromRowId?: number;
    readonly nameContains?: string;
    readonly isOutsideExperiments?: boolean;
    readonly isOutsideEvaluators?: boolean;
    readonly scope?: ProjectScope | undefined;
  },
): Promise<Page<Project>> {
  let select = db
    .selectFrom('projects')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.fromRowId !== undefined) select = select.where('id', '<=', query.fromRowId);
  if (query.scope) select = select.where(isInScope(query.scope));
  if (query.isOutsideExperiments) select = select.where(isOutsideExperiments);
  if (query.isOutsideEvaluators) select = select.where(isOutsideEvaluators);
  if (query.nameContains) {
    const part = toPostgresText(query.nameContains);
    select = select.where(sql<boolean>`position(lower(${part}) in lower(name)) > 0`);
  }
  const rows = await select.execute();
  const next = rows[query.limit];
  const items = rows.slice(0, query.limit).map(toProject);
  return next ? { items, nextRowId: next.id } : { items };
}

/** Condition on `projects.id`. */
const isInScope = (scope: ProjectScope) =>
  'only' in scope
    ? sql<boolean>`id = any(${scope.only}::bigint[])`
    : sql<boolean>`id <> all(${scope.except}::bigint[])`;

type OfProjects = ExpressionBuilder<Database, 'projects'>;
/** Leaves out projects that were created for the traces of an experiment. */
export const isOutsideExperiments = ({ not, exists, selectFrom }: OfProjects) =>
  not(exists(selectFrom('experiments').select('id').whereRef('project_name', '=', 'projects.name')));
/** Row ids of the projects that `isOutsideExperiments` leaves out. */
export async function findProjectIdsOfExperiments(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where((builder) => builder.not(isOutsideExperiments(builder)))
    .execute();
  return rows.map(({ id }) => id);
}
/** Leaves out projects that were created for the traces of an evaluator of a dataset or a project. */
export const isOutsideEvaluators = ({ and, not, exists, selectFrom }: OfProjects) =>
  and([
    not(exists(selectFrom('dataset_evaluators').select('id').whereRef('project_id', '=', 'projects.id'))),
    not(exists(selectFrom('online_evaluators').select('id').whereRef('trace_project_id', '=', 'projects.id'))),
  ]);

export async function findProject(
  db: Db,
  ref: { readonly rowId: number } | { readonly name: string },
): Promise<Project | undefined> {
  const select = db.selectFrom('projects').selectAll();
  const row = await ('rowId' in ref
    ? select.where('id', '=', ref.rowId)
    : select.where('name', '=', toStoredName(ref.name))
  ).executeTakeFirst();
  return row && toProject(row);
}

/** @throws {SpandrelError} `PROJECT_NAME_TAKEN` */
export async function createProject(db: Db, { name, isPrivate = false, ...rest }: NewProject): Promise<Project> {
  try {
    const row = await db
      .insertInto('projects')
      .values({ ...toColumns(rest), name: toStoredName(name), is_private: isPrivate })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toProject(row);
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new SpandrelError('PROJECT_NAME_TAKEN', `Project with name ${name} already exists`, { cause: error });
  }
}

/** Changes the given fields. Undefined when there is no such project. */
export async function updateProject(db: Db, rowId: number, changes: ProjectChanges): Promise<Project | undefined> {
  const row = await db
    .updateTable('projects')
    .set({ ...toColumns(changes), updated_at: sql`now()` })
    .where('id', '=', rowId)
    .returningAll()
    .executeTakeFirst();
  return row && toProject(row);
}

const toColumns = ({ description, gradientStartColor, gradientEndColor }: ProjectChanges) => ({
  ...(description !== undefined && { description: description && toPostgresText(description) }),
  ...(gradientStartColor !== undefined && { gradient_start_color: toPostgresText(gradientStartColor) }),
  ...(gradientEndColor !== undefined && { gradient_end_color: toPostgresText(gradientEndColor) }),
});

/**
 * Deletes a project when the journal's deletion of it is applied, once or again. Its row id is never reused. The position of
 * the deletion is recorded, so that a replay does not create the project again for earlier spans (`resolveProjectIds`). A
 * project that an evaluator uses stays, so that the journal can continue: after a restore Postgres may be older than the
 * journal.
 */
export async function deleteProject(
  db: Db,
  { rowId, name }: { readonly rowId: number; readonly name: string },
  position: number,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await transaction.deleteFrom('projects').where('id', '=', rowId).where(isOutsideEvaluators).execute();
    // The first of two deletions counts, because spans between them belong to another project of that name.
    await transaction
      .insertInto('deleted_projects')
      .values({ id: rowId, name: toStoredName(name), position })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  });
}

/** Removes deletions beyond the end of the journal, which belong to a journal that no longer exists. */
export async function removeDeletionsAfter(db: Db, position: number): Promise<void> {
  await db.deleteFrom('deleted_projects').where('position', '>', position).execute();
}

/**
 * Row ids of the projects with these names. Missing projects are created. Any number of callers may request the same names at
 * once. Names that are stored alike have the same id, and every requested name is in the map.
 *
 * @param position Position of the names in the journal. A name whose project was deleted after it means that project.
 */
export async function resolveProjectIds(
  db: Db,
  names: Iterable<string>,
  position = Number.MAX_SAFE_INTEGER,
): Promise<Map<string, number>> {
  const storedNames = new Map(Array.from(new Set(names), (name) => [name, toStoredName(name)]));
  const idByStoredName = await findDeletedSince(db, [...storedNames.values()], position);
  // More than one round only when another caller deletes or creates a project in between.
  for (;;) {
    const missing = [...new Set(storedNames.values())].filter((name) => !idByStoredName.has(name));
    if (missing.length === 0) break;
    for (const { id, name } of await findRows(db, missing)) idByStoredName.set(name, id);
    const absent = missing.filter((name) => !idByStoredName.has(name));
    for (const { id, name } of await insertRows(db, absent)) idByStoredName.set(name, id);
  }
  return new Map(
    Array.from(storedNames, ([name, stored]) => [
      name,
      expectPresent(idByStoredName.get(stored), 'absent names were inserted'),
    ]),
  );
}

/** Row ids without a project or a deleted project, in ascending order. */
export async function findMissingProjects(db: Db, rowIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${rowIds}::bigint[]) as given (id)
    where not exists (select from projects where projects.id = given.id)
      and not exists (select from deleted_projects where deleted_projects.id = given.id)
    order by id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Creates a project with a row id that spans refer to already, under the first of the names that is free. Returns
 * undefined when all names or the row id are in use.
 */
export async function createProjectWithRowId(
  db: Db,
  rowId: number,
  { names, isPrivate }: { readonly names: readonly string[]; readonly isPrivate: boolean },
): Promise<string | undefined> {
  for (const name of names.map(toStoredName)) {
    const { rows } = await sql<{ name: string }>`
      insert into projects (id, name, is_private) overriding system value values (${rowId}, ${name}, ${isPrivate})
      on conflict do nothing returning name
    `.execute(db);
    if (rows[0]) return rows[0].name;
  }
  return undefined;
}

/** Greatest row id of a deleted project whose deletion may be replayed. 0 when there is none. */
export async function greatestDeletedProject(db: Db): Promise<number> {
  const { greatest } = await db
    .selectFrom('deleted_projects')
    .select(({ fn }) => fn.max('id').as('greatest'))
    .executeTakeFirstOrThrow();
  return greatest ?? 0;
}

/** Projects by row id; a row id that no project has is absent. */
export async function findProjectsByRowIds(db: Db, rowIds: readonly number[]): Promise<Map<number, Project>> {
  const rows = await db
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, toProject(row)]));
}

/** Names by row id; a row id that no project has is absent. */
export async function projectNames(db: Db, rowIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function findDeletedSince(db: Db, names: readonly string[], position: number): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('deleted_projects')
    .distinctOn('name')
    .select(['id', 'name'])
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .where('position', '>=', position)
    .orderBy('name')
    .orderBy('position')
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

const findRows = (db: Db, names: readonly string[]) =>
  db.selectFrom('projects').select(['id', 'name']).where('name', '=', sql<string>`any(${names}::text[])`).execute();

/** In the order of names, so that two callers with the same names cannot lock each other out. */
const insertRows = async (db: Db, names: readonly string[]) =>
  names.length === 0
    ? []
    : await db
        .insertInto('projects')
        .values(names.toSorted().map((name) => ({ name })))
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning(['id', 'name'])
        .execute();

const toProject = (row: Selectable<ProjectTable>): Project => ({
  rowId: row.id,
  name: row.name,
  description: row.description,
  gradientStartColor: row.gradient_start_color,
  gradientEndColor: row.gradient_end_color,
  retentionPolicyRowId: row.trace_retention_policy_id ?? DEFAULT_RETENTION_POLICY_ROW_ID,
  isPrivate: row.is_private,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
