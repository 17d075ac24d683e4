import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { SpandrelError } from '../../src/model/errors.ts';
import { PROJECT_NAME_BYTES_MAX } from '../../src/model/limits/datasets.ts';
import type { Db } from '../../src/metadata-store/database/database.ts';
import {
  createProject,
  deleteProject,
  findProject,
  listProjects,
  projectNames,
  removeDeletionsAfter,
  resolveProjectIds,
  updateProject,
} from '../../src/metadata-store/projects/projects.ts';
import { toStoredName } from '../../src/metadata-store/projects/stored-name.ts';
import { cleanUpAfter, openTestPostgres, openTestStore } from './fixtures.ts';

describe('projects', () => {
  let db: Db;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const server = await openTestPostgres(cleanUp);
    const store = await openTestStore(cleanUp, { url: await server.newDatabase() });
    db = store.db;
  });

  const create = (name: string, description: string | null = null) => createProject(db, { name, description });

  test('the project `default` exists after the first migration', async () => {
    const project = await findProject(db, { name: 'default' });

    assert.equal(project?.rowId, 1);
    assert.equal(project?.description, 'Default project');
  });

  test('a project is found unchanged by name and by row id', async () => {
    const made = await create('made', 'Über alles');

    assert.deepEqual(await findProject(db, { name: 'made' }), made);
    assert.deepEqual(await findProject(db, { rowId: made.rowId }), made);
    assert.equal(made.description, 'Über alles');
    assert.ok(Math.abs(Date.now() - made.createdAt.getTime()) < 60_000);
  });

  for (const name of [' blank ', 'CASE', `long${'x'.repeat(900)}`, `"a" + 100% & 'b'\\`, '👩‍👩‍👧', '%_']) {
    test(`the name ${name.slice(0, 20)} is stored unchanged`, async () => {
      const { rowId } = await create(name);

      assert.equal((await findProject(db, { rowId }))?.name, name);
      assert.equal((await findProject(db, { name }))?.rowId, rowId);
      assert.equal(await findProject(db, { name: `${name.toLowerCase()} ` }), undefined);
    });
  }

  test('a name that is in use is a conflict', async () => {
    await create('twice');

    await assert.rejects(create('twice'), (error) => {
      assert.ok(error instanceof SpandrelError);
      assert.equal(error.code, 'PROJECT_NAME_TAKEN');
      assert.equal(error.message, 'Project with name twice already exists');
      return true;
    });
  });

  test('a description changes, also to an empty one and to none', async () => {
    const { rowId } = await create('described', 'old');

    for (const description of ['new', '', null]) {
      assert.equal((await updateProject(db, rowId, { description }))?.description, description);
      assert.equal((await findProject(db, { rowId }))?.description, description);
    }
    assert.equal(await updateProject(db, 987_654_321, { description: 'x' }), undefined);
  });

  test('a deleted project is not found, and its row id is not allocated again', async () => {
    const { rowId } = await create('gone');

    await deleteProject(db, { rowId, name: 'gone' }, 8);
    await deleteProject(db, { rowId, name: 'gone' }, 8);

    assert.equal(await findProject(db, { rowId }), undefined);
    assert.ok((await create('gone')).rowId > rowId);
  });

  test('a name refers to the project that had it at a position of the journal', async () => {
    const first = await create('again');
    await deleteProject(db, first, 100);
    const second = await create('again');
    await deleteProject(db, second, 200);
    // Asked for twice at once: the later record finds nothing.
    await deleteProject(db, first, 300);
    const idAt = async (position?: number) => (await resolveProjectIds(db, ['again'], position)).get('again');

    assert.deepEqual(await Promise.all([1, 100, 101, 200].map(idAt)), [
      first.rowId,
      first.rowId,
      second.rowId,
      second.rowId,
    ]);
    assert.equal(await findProject(db, { name: 'again' }), undefined, 'a replay makes no row');
    const third = await idAt(201);
    assert.ok(third! > second.rowId);
    assert.equal(await idAt(), third);
  });

  test('deletions of a previous journal are removed', async () => {
    const former = await create('former');
    await deleteProject(db, former, 1_000_000);

    await removeDeletionsAfter(db, 999_999);

    assert.notEqual((await resolveProjectIds(db, ['former'], 1)).get('former'), former.rowId);
  });

  test('pages go from the highest row id down, without gap or repetition', async () => {
    for (let index = 0; index < 7; index++) await create(`page-${index}`);

    const names: string[] = [];
    let fromRowId: number | undefined;
    do {
      const page = await listProjects(db, { limit: 3, nameContains: 'PAGE-', ...(fromRowId && { fromRowId }) });
      names.push(...page.items.map(({ name }) => name));
      fromRowId = page.nextRowId;
    } while (fromRowId !== undefined);

    assert.deepEqual(names, ['page-6', 'page-5', 'page-4', 'page-3', 'page-2', 'page-1', 'page-0']);
  });

  test('a part of a name is found in any case, and has no wildcards', async () => {
    await create('ÄRGER 50%_\\x');
    const found = async (nameContains: string) =>
      (await listProjects(db, { limit: 10, nameContains })).items.map(({ name }) => name);

    assert.deepEqual(await found('ärger 50%_\\X'), ['ÄRGER 50%_\\x']);
    assert.deepEqual(await found('ÄRGER__'), []);
    assert.ok((await found('')).length > 1);
  });

  test('names resolve to row ids, and missing projects are created', async () => {
    const { rowId } = await create('known');

    const ids = await resolveProjectIds(db, ['known', 'unknown', 'default', 'known']);

    assert.deepEqual([...ids.keys()], ['known', 'unknown', 'default']);
    assert.equal(ids.get('known'), rowId);
    assert.equal(ids.get('default'), 1);
    assert.deepEqual(await projectNames(db, [...ids.values(), 987_654_321]), new Map([...ids].map(([a, b]) => [b, a])));
    assert.deepEqual(await resolveProjectIds(db, []), new Map());
  });

  test('concurrent callers that resolve the same new names get the same row ids', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `race-${index}`);
    const orders = Array.from({ length: 12 }, (_, index) => [...names.slice(index), ...names.slice(0, index)]);

    const maps = await Promise.all(orders.map((order) => resolveProjectIds(db, order)));

    for (const ids of maps) assert.deepEqual(new Map([...ids].toSorted()), new Map([...maps[0]!].toSorted()));
    assert.equal(new Set(maps[0]!.values()).size, 50);
  });

  test('names can be resolved while their projects are deleted', async () => {
    const ids = Array.from({ length: 30 }, async () => {
      const map = await resolveProjectIds(db, ['flicker']);
      await deleteProject(db, { rowId: map.get('flicker')!, name: 'flicker' }, 1);
      return map.get('flicker');
    });

    for (const id of await Promise.all(ids)) assert.ok(id !== undefined && id > 0);
  });

  test('characters that Postgres cannot store become U+FFFD, and the original name finds the project', async () => {
    const ids = await resolveProjectIds(db, ['a\0b', 'a\uD800b', 'a\uFFFDb']);

    assert.equal(new Set(ids.values()).size, 1);
    assert.deepEqual([...ids.keys()], ['a\0b', 'a\uD800b', 'a\uFFFDb']);
    assert.equal((await findProject(db, { name: 'a\0b' }))?.name, 'a\uFFFDb');
  });

  test('names of a megabyte are distinguished', async () => {
    const names = ['1', '2'].map((end) => 'ü'.repeat(500_000) + end);

    const ids = await resolveProjectIds(db, names);

    assert.equal(new Set(ids.values()).size, 2);
    assert.equal((await findProject(db, { name: names[1]! }))?.rowId, ids.get(names[1]!));
    for (const name of names) assert.ok(Buffer.byteLength(toStoredName(name)) <= PROJECT_NAME_BYTES_MAX);
    assert.ok(!toStoredName(names[0]!).includes('\uFFFD'));
  });

  test('a name of maximum length is stored completely', async () => {
    // Incompressible, for an index entry is compressed before it is measured.
    const hashes = Array.from({ length: 100 }, (_, index) => createHash('sha256').update(`${index}`).digest('base64'));
    const name = hashes.join('').slice(0, PROJECT_NAME_BYTES_MAX);

    assert.equal((await create(name)).name, name);
  });
});
