import { type Selectable, sql } from 'kysely';
import type { SavedView, SavedViewFields } from '../../model/projects/saved-view.ts';
import { authorColumn } from '../access/author.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { SavedViewTable } from './project-tables.ts';

// Table: saved_views.

/** Lists the saved views of a project by name. */
export async function listSavedViews(db: Db, projectId: number): Promise<SavedView[]> {
  const rows = await db
    .selectFrom('saved_views')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(toView);
}

/** Replaces the view of the same name. Undefined when there is no such project. */
export async function saveView(
  db: Db,
  projectId: number,
  fields: SavedViewFields,
  userId: number | null,
): Promise<SavedView | undefined> {
  const [tab, name, search, layout] = [fields.tab, fields.name, fields.search, fields.layout].map(toPostgresText);
  const row = await db
    .insertInto('saved_views')
    .columns(['project_id', 'tab', 'name', 'search', 'layout', 'user_id'])
    .expression((builder) =>
      builder
        .selectFrom('projects')
        .select([
          'id',
          sql`${tab}`.as('tab'),
          sql`${name}`.as('name'),
          sql`${search}`.as('search'),
          sql`${layout}`.as('layout'),
          authorColumn(userId).as('user_id'),
        ])
        .where('id', '=', projectId),
    )
    .onConflict((conflict) =>
      conflict
        .constraint('saved_views_by_name')
        .doUpdateSet({ search, layout, user_id: authorColumn(userId), updated_at: sql`now()` }),
    )
    .returningAll()
    .executeTakeFirst();
  return row && toView(row);
}

/** Project of a view. */
export const findProjectOfView = async (db: Db, rowId: number): Promise<number | undefined> =>
  (await db.selectFrom('saved_views').select('project_id').where('id', '=', rowId).executeTakeFirst())?.project_id;

/** Returns the deleted view. Undefined when there is none. */
export async function deleteSavedView(db: Db, rowId: number): Promise<SavedView | undefined> {
  const row = await db.deleteFrom('saved_views').where('id', '=', rowId).returningAll().executeTakeFirst();
  return row && toView(row);
}

/** Functions of saved views, bound to a database. */
export const savedViewRepository = (db: Db) =>
  bindToDatabase(db, {
    list: listSavedViews,
    save: saveView,
    findProjectId: findProjectOfView,
    delete: deleteSavedView,
  });

const toView = ({ id, tab, name, search, layout, updated_at }: Selectable<SavedViewTable>): SavedView => ({
  rowId: id,
  tab,
  name,
  search,
  layout,
  updatedAt: updated_at,
});
