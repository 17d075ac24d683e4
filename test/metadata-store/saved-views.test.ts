import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Db } from '../../src/metadata-store/database/database.ts';
import { createProject, deleteProject } from '../../src/metadata-store/projects/projects.ts';
import { deleteSavedView, listSavedViews, saveView } from '../../src/metadata-store/projects/saved-views.ts';
import { cleanUpAfter, openTestPostgres, openTestStore } from './fixtures.ts';

const VIEW = { tab: 'spans', name: 'failed', search: "spanFilterCondition=status_code == 'ERROR'", layout: '{}' };

describe('saved views', () => {
  let db: Db;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const server = await openTestPostgres(cleanUp);
    ({ db } = await openTestStore(cleanUp, { url: await server.newDatabase() }));
  });

  test('are replaced by name, listed by name, and deleted with their project', async () => {
    const [a, b] = [await createProject(db, { name: 'a' }), await createProject(db, { name: 'b' })];

    const first = await saveView(db, a.rowId, VIEW, null);
    const second = await saveView(db, a.rowId, { ...VIEW, search: 'sort=latencyMs:desc' }, null);
    await saveView(db, a.rowId, { ...VIEW, tab: 'traces' }, null);
    await saveView(db, a.rowId, { ...VIEW, name: 'every\u0000thing' }, null);
    await saveView(db, b.rowId, VIEW, null);

    assert.equal(second?.rowId, first?.rowId);
    const views = await listSavedViews(db, a.rowId);
    assert.deepEqual(
      views.map(({ tab, name, search }) => [tab, name, search]),
      [
        ['spans', 'every\ufffdthing', VIEW.search],
        ['spans', 'failed', 'sort=latencyMs:desc'],
        ['traces', 'failed', VIEW.search],
      ],
    );
    assert.equal(await saveView(db, 9_999, VIEW, null), undefined);
    assert.equal((await deleteSavedView(db, first!.rowId))?.name, 'failed');
    assert.equal(await deleteSavedView(db, first!.rowId), undefined);
    await deleteProject(db, a, 1);
    assert.deepEqual(await listSavedViews(db, a.rowId), []);
    assert.equal((await listSavedViews(db, b.rowId)).length, 1);
  });

  test('are saved without an author who was deleted a moment before', async () => {
    const project = await createProject(db, { name: 'c' });
    const view = await saveView(db, project.rowId, VIEW, 9_999);
    const rows = await db.selectFrom('saved_views').select('user_id').where('id', '=', view!.rowId).execute();
    assert.deepEqual(rows, [{ user_id: null }]);
  });
});
