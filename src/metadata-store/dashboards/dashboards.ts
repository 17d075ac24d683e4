import { type Selectable, sql } from 'kysely';
import {
  DASHBOARD_VERSION,
  type Dashboard,
  type DashboardFields,
  type Panel,
} from '../../model/dashboards/dashboard.ts';
import { SpandrelError } from '../../model/errors.ts';
import { authorColumn } from '../access/author.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { readDoubles } from '../database/json-column.ts';
import { isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { DashboardTable } from './dashboard-tables.ts';

/** Dashboards of a project by name. */
export async function listDashboards(db: Db, projectId: number): Promise<Dashboard[]> {
  const rows = await db
    .selectFrom('dashboards')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(toDashboard);
}

export async function findDashboard(db: Db, rowId: number): Promise<Dashboard | undefined> {
  const row = await db.selectFrom('dashboards').selectAll().where('id', '=', rowId).executeTakeFirst();
  return row && toDashboard(row);
}

/**
 * Undefined when there is no such project.
 *
 * @throws {SpandrelError} `DASHBOARD_NAME_TAKEN`
 */
export async function createDashboard(
  db: Db,
  projectId: number,
  fields: DashboardFields,
  userId: number | null,
): Promise<Dashboard | undefined> {
  const { name, description, panels, version } = toColumns(fields);
  const row = await orNameTaken(
    fields,
    db
      .insertInto('dashboards')
      .columns(['project_id', 'name', 'description', 'panels', 'version', 'user_id'])
      .expression((builder) =>
        builder
          .selectFrom('projects')
          .select([
            'id',
            sql`${name}`.as('name'),
            sql`${description}`.as('description'),
            sql`${panels}`.as('panels'),
            sql<number>`${version}::integer`.as('version'),
            authorColumn(userId).as('user_id'),
          ])
          .where('id', '=', projectId),
      )
      .returningAll()
      .executeTakeFirst(),
  );
  return row && toDashboard(row);
}

/**
 * Replaces a dashboard of this revision. Undefined when there is none, also because another revision is stored.
 *
 * @throws {SpandrelError} `DASHBOARD_NAME_TAKEN`
 */
export async function replaceDashboard(
  db: Db,
  { rowId, revision }: { readonly rowId: number; readonly revision: number },
  fields: DashboardFields,
  userId: number | null,
): Promise<Dashboard | undefined> {
  const row = await orNameTaken(
    fields,
    db
      .updateTable('dashboards')
      .set({
        ...toColumns(fields),
        revision: revision + 1,
        user_id: authorColumn(userId),
        updated_at: sql<Date>`now()`,
      })
      .where('id', '=', rowId)
      .where('revision', '=', revision)
      .returningAll()
      .executeTakeFirst(),
  );
  return row && toDashboard(row);
}

/** Returns the deleted dashboard. Undefined when there is none. */
export async function deleteDashboard(db: Db, rowId: number): Promise<Dashboard | undefined> {
  const row = await db.deleteFrom('dashboards').where('id', '=', rowId).returningAll().executeTakeFirst();
  return row && toDashboard(row);
}

/** Functions of dashboards, bound to a database. */
export const dashboardRepository = (db: Db) =>
  bindToDatabase(db, {
    list: listDashboards,
    find: findDashboard,
    create: createDashboard,
    replace: replaceDashboard,
    delete: deleteDashboard,
  });

const toColumns = ({ name, description, panels }: DashboardFields) => ({
  name: toPostgresText(name),
  description: toPostgresText(description),
  panels: toPostgresText(JSON.stringify(panels)),
  version: DASHBOARD_VERSION,
});

async function orNameTaken<Row>({ name }: DashboardFields, write: Promise<Row>): Promise<Row> {
  try {
    return await write;
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new SpandrelError(
      'DASHBOARD_NAME_TAKEN',
      `The project has a dashboard with the name ${JSON.stringify(name)}`,
      {
        cause: error,
      },
    );
  }
}

const toDashboard = (row: Selectable<DashboardTable>): Dashboard => ({
  rowId: row.id,
  projectId: row.project_id,
  name: row.name,
  description: row.description,
  panels: readDoubles<Panel[]>(row.panels),
  revision: row.revision,
  updatedAt: row.updated_at,
  userId: row.user_id,
});
