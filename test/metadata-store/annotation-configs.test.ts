import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type AnnotationConfig,
  type NewAnnotationConfig,
  USER_FEEDBACK,
} from '../../src/model/annotations/annotation-config.ts';
import { SpandrelError } from '../../src/model/errors.ts';
import type { Db } from '../../src/metadata-store/database/database.ts';
import { annotationConfigRepository, ensureConfig } from '../../src/metadata-store/projects/annotation-configs.ts';
import { createProject, deleteProject } from '../../src/metadata-store/projects/projects.ts';
import { cleanUpAfter, openTestPostgres, openTestStore } from './fixtures.ts';

const categorical = (name: string): NewAnnotationConfig => ({
  type: 'CATEGORICAL',
  name,
  description: 'Ist das richtig? 🚀',
  optimizationDirection: 'MAXIMIZE',
  values: [
    { label: 'ja', score: 1 },
    { label: 'nein', score: null },
  ],
});
const continuous = (name: string): NewAnnotationConfig => ({
  type: 'CONTINUOUS',
  name,
  description: null,
  optimizationDirection: 'NONE',
  lowerBound: -0.5,
  upperBound: null,
});
const freeform = (name: string): NewAnnotationConfig => ({
  type: 'FREEFORM',
  name,
  description: null,
  optimizationDirection: null,
  threshold: 0.1,
  lowerBound: null,
  upperBound: 1e300,
});

describe('annotation configs', () => {
  let db: Db;
  let configs: ReturnType<typeof annotationConfigRepository>;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const server = await openTestPostgres(cleanUp);
    db = (await openTestStore(cleanUp, { url: await server.newDatabase() })).db;
    configs = annotationConfigRepository(db);
  });
  let nameCount = 0;
  const newName = () => `config ${++nameCount}`;
  const newProject = async () => (await createProject(db, { name: newName() })).rowId;
  const isTaken = (error: unknown) => error instanceof SpandrelError && error.code === 'ANNOTATION_CONFIG_NAME_TAKEN';

  for (const make of [categorical, continuous, freeform]) {
    test(`a ${make.name} config is found unchanged by row id and by name`, async () => {
      const name = newName();

      const made = await configs.create(make(name));

      assert.deepEqual(made, { ...make(name), rowId: made.rowId });
      assert.deepEqual(await configs.find({ rowId: made.rowId }), made);
      assert.deepEqual(await configs.find({ name }), made);
    });
  }

  test('a replacement changes all fields and keeps the row id', async () => {
    const { rowId } = await configs.create(categorical(newName()));
    const replacement = freeform(newName());

    assert.deepEqual(await configs.replace(rowId, replacement), { ...replacement, rowId });
    assert.equal(await configs.replace(999_999, freeform(newName())), undefined);
  });

  test('names are unique', async () => {
    const [one, other] = [await configs.create(freeform(newName())), await configs.create(freeform(newName()))];

    await assert.rejects(configs.create(categorical(one.name)), isTaken);
    await assert.rejects(configs.replace(other.rowId, continuous(one.name)), isTaken);
  });

  test('the configs of a start are created once, and keep changes by users', async () => {
    await ensureConfig(db, USER_FEEDBACK);
    const made = (await configs.find({ name: 'user_feedback' }))!;
    const changed = await configs.replace(made.rowId, { ...USER_FEEDBACK, description: 'ours' });

    await ensureConfig(db, USER_FEEDBACK);

    assert.deepEqual(await configs.find({ name: 'user_feedback' }), changed);
    const next = await configs.create(freeform(newName()));
    await ensureConfig(db, USER_FEEDBACK);
    assert.equal((await configs.create(freeform(newName()))).rowId, next.rowId + 1);
  });

  test('pages go from the newest to the oldest, also within a project', async () => {
    const made: AnnotationConfig[] = [];
    for (let i = 0; i < 5; i++) made.unshift(await configs.create(freeform(newName())));
    const projectId = await newProject();
    await configs.setOfProject(
      projectId,
      made.map(({ rowId }) => rowId),
    );

    const first = await configs.list({ projectId, limit: 3 });
    const second = await configs.list({ projectId, limit: 3, fromRowId: first.nextRowId! });

    assert.deepEqual([...first.items, ...second.items], made);
    assert.equal(second.nextRowId, undefined);
    assert.deepEqual((await configs.list({ limit: 2 })).items, made.slice(0, 2));
  });

  test('a deletion deletes all configs or none', async () => {
    const [a, b] = [await configs.create(freeform(newName())), await configs.create(freeform(newName()))];

    assert.equal(await configs.delete([a.rowId, 999_999]), undefined);
    assert.deepEqual(await configs.find({ rowId: a.rowId }), a);
    assert.deepEqual(await configs.delete([b.rowId, a.rowId]), [b, a]);
    assert.equal(await configs.find({ rowId: a.rowId }), undefined);
  });

  test('assignments are unique, and are deleted with the config or the project', async () => {
    const [a, b] = [await configs.create(freeform(newName())), await configs.create(freeform(newName()))];
    const [p, q] = [await newProject(), await newProject()];
    const link = (projectId: number, { rowId }: AnnotationConfig) => ({ projectId, configRowId: rowId });

    assert.equal(await configs.assign([link(p, b), link(p, a), link(q, a)], true), 'assigned');
    assert.equal(await configs.assign([link(p, a), link(q, b)], true), 'assignedBefore');
    assert.deepEqual((await configs.findOfProjects([q])).get(q), [a]);
    assert.equal(await configs.assign([link(p, a), link(q, b)], false), 'assigned');
    assert.equal(await configs.assign([link(p, a), { projectId: p, configRowId: 999_999 }], false), undefined);
    assert.equal(await configs.assign([{ projectId: 999_999, configRowId: a.rowId }], false), undefined);

    const assigned = await configs.findOfProjects([p, q, 999_999]);
    assert.deepEqual([...assigned.keys()].toSorted(), [p, q]);
    assert.deepEqual(assigned.get(p), [a, b]);
    assert.equal(await configs.unassign([link(p, a), { projectId: p, configRowId: 999_999 }], true), undefined);
    assert.equal(await configs.unassign([link(p, a), { projectId: p, configRowId: 999_999 }], false), 1);
    await configs.delete([b.rowId]);
    assert.deepEqual(await configs.findOfProjects([p, q]), new Map([[q, [a]]]));
    await deleteProject(db, { rowId: q, name: 'q' }, 1);
    assert.deepEqual(await configs.findOfProjects([q]), new Map());
    assert.deepEqual(await configs.find({ rowId: a.rowId }), a);
  });

  test('the configs of a project are replaced as a whole, or not at all', async () => {
    const [a, b] = [await configs.create(freeform(newName())), await configs.create(freeform(newName()))];
    const projectId = await newProject();

    assert.deepEqual(await configs.setOfProject(projectId, [a.rowId]), [a]);
    assert.deepEqual(await configs.setOfProject(projectId, [a.rowId, b.rowId]), [b, a]);
    assert.equal(await configs.setOfProject(projectId, [999_999]), undefined);
    assert.deepEqual((await configs.findOfProjects([projectId])).get(projectId), [a, b]);
    assert.deepEqual(await configs.setOfProject(projectId, []), []);
    assert.deepEqual(await configs.findOfProjects([projectId]), new Map());
  });
});
