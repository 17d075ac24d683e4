import { type Selectable, sql } from 'kysely';
import type { AnnotationConfig, NewAnnotationConfig } from '../../model/annotations/annotation-config.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Page } from '../../model/page.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { AnnotationConfigTable } from './project-tables.ts';

// Tables: annotation_configs, project_annotation_configs. Received configs are valid (`model/annotation-config.ts`).

export interface ConfigAssignment {
  readonly projectId: number;
  readonly configRowId: number;
}

/** Highest row id first. With a project, only the configs that are assigned to it. */
export async function listConfigs(
  db: Db,
  { limit, fromRowId, projectId }: { readonly limit: number; readonly fromRowId?: number; readonly projectId?: number },
): Promise<Page<AnnotationConfig>> {
  let select = selectConfigs(db)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (fromRowId !== undefined) select = select.where('id', '<=', fromRowId);
  if (projectId !== undefined) {
    select = select.where('id', 'in', (of) =>
      of.selectFrom('project_annotation_configs').select('annotation_config_id').where('project_id', '=', projectId),
    );
  }
  const rows = await select.execute();
  const next = rows[limit];
  const items = rows.slice(0, limit).map(toConfig);
  return next ? { items, nextRowId: next.id } : { items };
}

export const listConfigsByName = async (db: Db): Promise<AnnotationConfig[]> =>
  (await selectConfigs(db).orderBy('name').execute()).map(toConfig);

export async function findConfig(
  db: Db,
  ref: { readonly rowId: number } | { readonly name: string },
): Promise<AnnotationConfig | undefined> {
  const select = selectConfigs(db);
  const row = await ('rowId' in ref
    ? select.where('id', '=', ref.rowId)
    : select.where('name', '=', toPostgresText(ref.name))
  ).executeTakeFirst();
  return row && toConfig(row);
}

/** Configs of each project by name. A project without configs is absent. */
export async function findConfigsOfProjects(
  db: Db,
  projectIds: readonly number[],
): Promise<Map<number, AnnotationConfig[]>> {
  const rows = await db
    .selectFrom('project_annotation_configs')
    .innerJoin('annotation_configs', 'annotation_configs.id', 'project_annotation_configs.annotation_config_id')
    .selectAll('annotation_configs')
    .select('project_annotation_configs.project_id')
    .where('project_id', '=', sql<number>`any(${projectIds}::bigint[])`)
    .orderBy('name')
    .execute();
  const found = new Map<number, AnnotationConfig[]>();
  for (const row of rows) found.set(row.project_id, [...(found.get(row.project_id) ?? []), toConfig(row)]);
  return found;
}

/** @throws {SpandrelError} `ANNOTATION_CONFIG_NAME_TAKEN` */
export async function createConfig(db: Db, config: NewAnnotationConfig): Promise<AnnotationConfig> {
  const insert = db.insertInto('annotation_configs').values(toColumns(config)).returningAll();
  return toConfig(await insert.executeTakeFirstOrThrow().catch(nameTaken));
}

/** Creates a config unless its name is taken. */
export async function ensureConfig(db: Db, config: NewAnnotationConfig): Promise<void> {
  // An insertion that does nothing would use up a row id at every start, so the name is looked up first.
  if (await selectConfigs(db).where('name', '=', config.name).executeTakeFirst()) return;
  await db
    .insertInto('annotation_configs')
    .values(toColumns(config))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/**
 * Undefined when there is no such config.
 *
 * @throws {SpandrelError} `ANNOTATION_CONFIG_NAME_TAKEN`
 */
export async function replaceConfig(
  db: Db,
  rowId: number,
  config: NewAnnotationConfig,
): Promise<AnnotationConfig | undefined> {
  const update = db.updateTable('annotation_configs').set(toColumns(config)).where('id', '=', rowId).returningAll();
  const row = await update.executeTakeFirst().catch(nameTaken);
  return row && toConfig(row);
}

/** Deletes all of them in the order of the row ids, or returns undefined when one does not exist. */
export const deleteConfigs = (db: Db, rowIds: readonly number[]): Promise<AnnotationConfig[] | undefined> =>
  allOrNothing(db, async (tx) => {
    const rows = await tx
      .deleteFrom('annotation_configs')
      .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
      .returningAll()
      .execute();
    const deleted = new Map(rows.map((row) => [row.id, toConfig(row)]));
    return rowIds.every((rowId) => deleted.has(rowId))
      ? rowIds.flatMap((rowId) => deleted.get(rowId) ?? [])
      : undefined;
  });

/**
 * Assigned pairs stay assigned. With `isStrict`, one such pair prevents all assignments. Undefined when a project or
 * config does not exist.
 */
export async function assignConfigs(
  db: Db,
  assignments: readonly ConfigAssignment[],
  isStrict: boolean,
): Promise<'assigned' | 'assignedBefore' | undefined> {
  let doAllExist = false;
  const result = await allOrNothing(db, async (tx) => {
    doAllExist = (await lock(tx, assignments)) !== undefined;
    if (!doAllExist) return undefined;
    const newCount = await insertAssignments(tx, assignments);
    return isStrict && newCount < assignments.length ? undefined : 'assigned';
  });
  return result ?? (doAllExist ? 'assignedBefore' : undefined);
}

/** Returns the number of removed assignments. With `isStrict`, undefined and no change when one does not exist. */
export const unassignConfigs = (
  db: Db,
  assignments: readonly ConfigAssignment[],
  isStrict: boolean,
): Promise<number | undefined> =>
  allOrNothing(db, async (tx) => {
    let count = 0;
    for (const { projectId, configRowId } of assignments) {
      const { numDeletedRows } = await tx
        .deleteFrom('project_annotation_configs')
        .where('project_id', '=', projectId)
        .where('annotation_config_id', '=', configRowId)
        .executeTakeFirst();
      if (isStrict && numDeletedRows === 0n) return undefined;
      count += Number(numDeletedRows);
    }
    return count;
  });

/** Assigns exactly these configs to a project. Undefined, and no change, when one does not exist. */
export const setConfigsOfProject = (
  db: Db,
  projectId: number,
  rowIds: readonly number[],
): Promise<AnnotationConfig[] | undefined> =>
  allOrNothing(db, async (tx) => {
    const assignments = rowIds.map((configRowId) => ({ projectId, configRowId }));
    const configs = await lock(tx, assignments);
    if (!configs) return undefined;
    await tx.deleteFrom('project_annotation_configs').where('project_id', '=', projectId).execute();
    await insertAssignments(tx, assignments);
    return configs.sort((a, b) => b.rowId - a.rowId);
  });

/** Functions of annotation configs, bound to a database. */
export const annotationConfigRepository = (db: Db) =>
  bindToDatabase(db, {
    list: listConfigs,
    listByName: listConfigsByName,
    find: findConfig,
    findOfProjects: findConfigsOfProjects,
    create: createConfig,
    replace: replaceConfig,
    delete: deleteConfigs,
    assign: assignConfigs,
    unassign: unassignConfigs,
    setOfProject: setConfigsOfProject,
  });

const selectConfigs = (db: Db) => db.selectFrom('annotation_configs').selectAll();

/** Runs the work in one transaction, which is rolled back when the work returns undefined. */
async function allOrNothing<Result>(
  db: Db,
  work: (tx: Db) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  try {
    return await db.transaction().execute(async (tx) => {
      const result = await work(tx);
      if (result === undefined) throw NOTHING;
      return result;
    });
  } catch (error) {
    if (error === NOTHING) return undefined;
    throw error;
  }
}

const NOTHING = new Error('rolled back');

/** Prevents configs and projects from being deleted until the transaction ends. Undefined when one does not exist. */
async function lock(tx: Db, assignments: readonly ConfigAssignment[]): Promise<AnnotationConfig[] | undefined> {
  const configIds = [...new Set(assignments.map(({ configRowId }) => configRowId))];
  const projectIds = [...new Set(assignments.map(({ projectId }) => projectId))];
  const configs = await selectConfigs(tx)
    .where('id', '=', sql<number>`any(${configIds}::bigint[])`)
    .orderBy('id')
    .forShare()
    .execute();
  const projects = await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', sql<number>`any(${projectIds}::bigint[])`)
    .orderBy('id')
    .forShare()
    .execute();
  if (configs.length < configIds.length || projects.length < projectIds.length) return undefined;
  return configs.map(toConfig);
}

async function insertAssignments(tx: Db, assignments: readonly ConfigAssignment[]): Promise<number> {
  if (assignments.length === 0) return 0;
  const rows = await tx
    .insertInto('project_annotation_configs')
    .values(
      assignments.map(({ projectId, configRowId }) => ({ project_id: projectId, annotation_config_id: configRowId })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('project_id')
    .execute();
  return rows.length;
}

function nameTaken(error: unknown): never {
  if (!isTaken(error)) throw error;
  throw new SpandrelError('ANNOTATION_CONFIG_NAME_TAKEN', 'The name of the annotation configuration is already taken', {
    cause: error,
  });
}

/** Sets every column, because a replaced config keeps nothing. */
function toColumns(config: NewAnnotationConfig) {
  const { type, name, description, optimizationDirection } = config;
  const values =
    config.type === 'CATEGORICAL'
      ? config.values.map(({ label, score }) => ({ label: toPostgresText(label), score }))
      : [];
  const bounds = config.type === 'CATEGORICAL' ? undefined : config;
  return {
    type,
    name: toPostgresText(name),
    description: description && toPostgresText(description),
    optimization_direction: optimizationDirection,
    threshold: config.type === 'FREEFORM' ? config.threshold : null,
    lower_bound: bounds?.lowerBound ?? null,
    upper_bound: bounds?.upperBound ?? null,
    values: JSON.stringify(values),
  };
}

function toConfig(row: Selectable<AnnotationConfigTable>): AnnotationConfig {
  const named = { rowId: row.id, name: row.name, description: row.description };
  const optimizationDirection = row.optimization_direction;
  const bounds = { lowerBound: row.lower_bound, upperBound: row.upper_bound };
  switch (row.type) {
    case 'CATEGORICAL':
      return {
        ...named,
        type: row.type,
        optimizationDirection: optimizationDirection ?? 'NONE',
        values: row.values,
      };
    case 'CONTINUOUS':
      return { ...named, type: row.type, optimizationDirection: optimizationDirection ?? 'NONE', ...bounds };
    case 'FREEFORM':
      return { ...named, type: row.type, optimizationDirection, threshold: row.threshold, ...bounds };
  }
}
