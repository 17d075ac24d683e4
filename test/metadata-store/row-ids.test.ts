import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { SpandrelError } from '../../src/model/errors.ts';
import type { Db } from '../../src/metadata-store/database/database.ts';
import { logSequences, raiseSequences, readSequences } from '../../src/metadata-store/database/sequences.ts';
import { datasetRepository } from '../../src/metadata-store/datasets/dataset-repository.ts';
import { annotationConfigRepository } from '../../src/metadata-store/projects/annotation-configs.ts';
import { createProject, deleteProject, findProject } from '../../src/metadata-store/projects/projects.ts';
import {
  type CleanUp,
  cleanUpAfter,
  isAlive,
  openTestPostgres,
  openTestStore,
  postgresPid,
  temporaryDirectory,
  until,
} from './fixtures.ts';

/** Sends SIGKILL to Postgres and all its processes. Resolves when the restarted one responds. */
async function killPostgres(dataDir: string, db: Db): Promise<void> {
  const pid = (await postgresPid(dataDir))!;
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number);
  for (const one of [pid, ...children]) process.kill(one, 'SIGKILL');
  await until('Postgres has ended', () => !isAlive(pid));
  await until('queries work again', () => findProject(db, { rowId: 1 }).then(Boolean, () => false));
}

const createDataset = (db: Db, name: string) =>
  datasetRepository(db).create({ name, description: null, metadata: '{}', userId: null });

describe('row ids', () => {
  const newDatabase = async (cleanUp: CleanUp) => (await openTestPostgres(cleanUp)).newDatabase();

  test('are not allocated twice when Postgres is killed soon after its tables were created', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await temporaryDirectory(cleanUp);
    const { db } = await openTestStore(cleanUp, { dataDir });
    const kept = await createProject(db, { name: 'kept', description: null });
    const deleted = await createProject(db, { name: 'deleted', description: null });
    const dataset = await createDataset(db, 'd');
    await deleteProject(db, deleted, 1);

    await killPostgres(dataDir, db);

    const next = await createProject(db, { name: 'next', description: null });
    assert.ok(next.rowId > deleted.rowId && deleted.rowId > kept.rowId, `${next.rowId} after ${deleted.rowId}`);
    assert.ok((await createDataset(db, 'e')) > dataset);
  });

  test('continue above the rows at the next start when sequences are behind', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const url = await newDatabase(cleanUp);
    const first = await openTestStore(() => {}, { url });
    const { rowId } = await createProject(first.db, { name: 'made', description: null });
    const dataset = await createDataset(first.db, 'd');
    for (const table of ['projects', 'datasets', 'annotation_configs'])
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), 1, false)`.execute(first.db);
    await first.close();

    const { db } = await openTestStore(cleanUp, { url });

    assert.equal((await createProject(db, { name: 'next', description: null })).rowId, rowId + 1);
    assert.equal(await createDataset(db, 'e'), dataset + 1);
  });

  test('continue above the values that the database may have lost', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const { db } = await openTestStore(cleanUp, { url: await newDatabase(cleanUp) });
    const [before] = await readSequences(db, ['projects']);
    await createProject(db, { name: 'made', description: null });
    const [after_] = await readSequences(db, ['projects']);
    assert.equal(after_!.given, before!.given + 1);
    assert.ok(after_!.loggedAhead > 0);

    await logSequences(db, { skipLoggedAhead: true });

    const [skipped] = await readSequences(db, ['projects']);
    assert.equal(skipped!.given, after_!.given + after_!.loggedAhead);
  });

  test('count as allocated if another store uses them, and no sequence is ever set back', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const { db } = await openTestStore(cleanUp, { url: await newDatabase(cleanUp) });

    const raised = await raiseSequences(db, { projects: 70, generative_models: 9 });
    assert.deepEqual(raised.toSorted(), ['generative_models', 'projects']);
    assert.equal((await createProject(db, { name: 'next', description: null })).rowId, 71);
    assert.deepEqual(await raiseSequences(db, { projects: 70, generative_models: 9 }), []);
    assert.equal((await createProject(db, { name: 'one more', description: null })).rowId, 72);
  });

  test('cause an internal error if they exist already, not a name in use, and the log names the constraint', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const { db } = await openTestStore(cleanUp, { url: await newDatabase(cleanUp) });
    await createDataset(db, 'd');
    const config = {
      type: 'FREEFORM',
      name: 'c',
      description: null,
      optimizationDirection: null,
      threshold: null,
      lowerBound: null,
      upperBound: null,
    } as const;
    await annotationConfigRepository(db).create(config);
    for (const table of ['projects', 'datasets', 'annotation_configs'])
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), 1, false)`.execute(db);

    for (const [constraint, create] of [
      ['projects_pkey', () => createProject(db, { name: 'x', description: null })],
      ['datasets_pkey', () => createDataset(db, 'x')],
      ['annotation_configs_pkey', () => annotationConfigRepository(db).create({ ...config, name: 'x' })],
    ] as const) {
      await assert.rejects(create(), (error: Error) => {
        assert.ok(!(error instanceof SpandrelError), error.message);
        assert.match(error.message, new RegExp(constraint));
        return true;
      });
    }
    await assert.rejects(createProject(db, { name: 'default', description: null }), (error: Error) => {
      assert.ok(error instanceof SpandrelError && error.code === 'PROJECT_NAME_TAKEN');
      assert.match((error.cause as Error).message, /projects_name_key/);
      return true;
    });
  });
});
