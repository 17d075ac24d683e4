import { type Selectable, sql } from 'kysely';
import type { AnnotationConfig, CategoricalValue, NewAnnotationConfig } from '../../model/annotation-config.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Page } from '../../model/page.ts';
import type { AnnotationConfigTable, Db } from '../database/database.ts';
import { isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';

/** Tables: annotation_configs, project_annotation_configs. Configs come checked (`model/annotation-config.ts`). */
export interface AnnotationConfigRows {
  /** Highest row id first; those of a project where one is given. */
  list(query: {
    readonly limit: number;
    readonly fromRowId?: number;
    readonly projectId?: number;
  }): Promise<Page<AnnotationConfig>>;
  /** All, by name. */
  listByName(): Promise<AnnotationConfig[]>;
  find(ref: { readonly rowId: number } | { readonly name: string }): Promise<AnnotationConfig | undefined>;
  /** Of each project by name; a project without configs is absent. */
  findOfProjects(projectIds: readonly number[]): Promise<Map<number, AnnotationConfig[]>>;
  /** @throws {SpandrelError} `ANNOTATION_CONFIG_NAME_TAKEN` */
  create(config: NewAnnotationConfig): Promise<AnnotationConfig>;
  /** Makes it unless the name is taken. */
  ensure(config: NewAnnotationConfig): Promise<void>;
  /**
   * Undefined when there is none.
   *
   * @throws {SpandrelError} `ANNOTATION_CONFIG_NAME_TAKEN`
   */
  replace(rowId: number, config: NewAnnotationConfig): Promise<AnnotationConfig | undefined>;
  /** All of them, or undefined when one of them is not there. In the order of the row ids. */
  delete(rowIds: readonly number[]): Promise<AnnotationConfig[] | undefined>;
  /**
   * Pairs that are linked already stay so; with `isStrict` one such pair keeps the others from being linked. Undefined
   * when a project or config is not there.
   */
  link(links: readonly ConfigLink[], isStrict: boolean): Promise<'linked' | 'linkedBefore' | undefined>;
  /** All of them; with `isStrict` none, and undefined, when one is not linked. */
  unlink(links: readonly ConfigLink[], isStrict: boolean): Promise<number | undefined>;
  /** The project has these configs and no others from then on. Undefined, and nothing changes, when one is not there. */
  setOfProject(projectId: number, rowIds: readonly number[]): Promise<AnnotationConfig[] | undefined>;
}

export interface ConfigLink {
  readonly projectId: number;
  readonly configRowId: number;
}

export const openAnnotationConfigRows = (db: Db): AnnotationConfigRows => ({
  async list({ limit, fromRowId, projectId }) {
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
  },
  async listByName() {
    return (await selectConfigs(db).orderBy('name').execute()).map(toConfig);
  },
  async find(ref) {
    const select = selectConfigs(db);
    const row = await ('rowId' in ref
      ? select.where('id', '=', ref.rowId)
      : select.where('name', '=', toPostgresText(ref.name))
    ).executeTakeFirst();
    return row && toConfig(row);
  },
  async findOfProjects(projectIds) {
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
  },
  async create(config) {
    const insert = db.insertInto('annotation_configs').values(toColumns(config)).returningAll();
    return toConfig(await insert.executeTakeFirstOrThrow().catch(nameTaken));
  },
  async ensure(config) {
    // Looked up first: an insertion that does nothing would use up a row id at every start.
    if (await selectConfigs(db).where('name', '=', config.name).executeTakeFirst()) return;
    await db
      .insertInto('annotation_configs')
      .values(toColumns(config))
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
  },
  async replace(rowId, config) {
    const update = db.updateTable('annotation_configs').set(toColumns(config)).where('id', '=', rowId).returningAll();
    const row = await update.executeTakeFirst().catch(nameTaken);
    return row && toConfig(row);
  },
  delete: (rowIds) =>
    allOrNothing(db, async (tx) => {
      const rows = await tx
        .deleteFrom('annotation_configs')
        .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
        .returningAll()
        .execute();
      const deleted = new Map(rows.map((row) => [row.id, toConfig(row)]));
      return rowIds.every((rowId) => deleted.has(rowId)) ? rowIds.map((rowId) => deleted.get(rowId)!) : undefined;
    }),
  async link(links, isStrict) {
    let isThere = false;
    const result = await allOrNothing(db, async (tx) => {
      isThere = (await lock(tx, links)) !== undefined;
      if (!isThere) return undefined;
      const newCount = await insertLinks(tx, links);
      return isStrict && newCount < links.length ? undefined : 'linked';
    });
    return result ?? (isThere ? 'linkedBefore' : undefined);
  },
  unlink: (links, isStrict) =>
    allOrNothing(db, async (tx) => {
      let count = 0;
      for (const { projectId, configRowId } of links) {
        const { numDeletedRows } = await tx
          .deleteFrom('project_annotation_configs')
          .where('project_id', '=', projectId)
          .where('annotation_config_id', '=', configRowId)
          .executeTakeFirst();
        if (isStrict && numDeletedRows === 0n) return undefined;
        count += Number(numDeletedRows);
      }
      return count;
    }),
  setOfProject: (projectId, rowIds) =>
    allOrNothing(db, async (tx) => {
      const links = rowIds.map((configRowId) => ({ projectId, configRowId }));
      const configs = await lock(tx, links);
      if (!configs) return undefined;
      await tx.deleteFrom('project_annotation_configs').where('project_id', '=', projectId).execute();
      await insertLinks(tx, links);
      return configs.sort((a, b) => b.rowId - a.rowId);
    }),
});

const selectConfigs = (db: Db) => db.selectFrom('annotation_configs').selectAll();

/** One transaction, which is rolled back where the work answers with undefined. */
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

/** The configs of the links, kept from being deleted until the transaction ends; undefined when anything is missing. */
async function lock(tx: Db, links: readonly ConfigLink[]): Promise<AnnotationConfig[] | undefined> {
  const configIds = [...new Set(links.map(({ configRowId }) => configRowId))];
  const projectIds = [...new Set(links.map(({ projectId }) => projectId))];
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

async function insertLinks(tx: Db, links: readonly ConfigLink[]): Promise<number> {
  if (links.length === 0) return 0;
  const rows = await tx
    .insertInto('project_annotation_configs')
    .values(links.map(({ projectId, configRowId }) => ({ project_id: projectId, annotation_config_id: configRowId })))
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

/** Every column, so that nothing stays of what is replaced. */
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
        values: row.values as CategoricalValue[],
      };
    case 'CONTINUOUS':
      return { ...named, type: row.type, optimizationDirection: optimizationDirection ?? 'NONE', ...bounds };
    case 'FREEFORM':
      return { ...named, type: row.type, optimizationDirection, threshold: row.threshold, ...bounds };
  }
}
