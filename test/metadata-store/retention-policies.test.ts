import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RetentionPolicyFields } from '../../src/model/projects/retention-policy.ts';
import type { Db } from '../../src/metadata-store/database/database.ts';
import { createProject, findProject } from '../../src/metadata-store/projects/projects.ts';
import {
  createRetentionPolicy,
  deleteRetentionPolicy,
  ensureDefaultRetentionPolicy,
  findRetentionPolicies,
  listRetentionPolicies,
  projectsOfRetentionPolicy,
  sweepRetentionPolicy,
  updateRetentionPolicy,
} from '../../src/metadata-store/projects/retention-policies.ts';
import { cleanUpAfter, openTestPostgres, openTestStore } from './fixtures.ts';

const FIELDS: RetentionPolicyFields = {
  name: 'nightly',
  cronExpression: '0 3 * * *',
  rule: { type: 'max_days_or_count', max_days: 0.25, max_count: 5 },
};

describe('retention policies', () => {
  let db: Db;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const server = await openTestPostgres(cleanUp);
    ({ db } = await openTestStore(cleanUp, { url: await server.newDatabase() }));
    await ensureDefaultRetentionPolicy(db, 30);
  });

  test('the default policy is created once', async () => {
    await ensureDefaultRetentionPolicy(db, 60);
    const found = await findRetentionPolicies(db, [0, 987]);
    assert.deepEqual(
      [...found.values()],
      [{ rowId: 0, name: 'Default', cronExpression: '0 0 * * 0', rule: { type: 'max_days', max_days: 30 } }],
    );
  });

  test('projects get a policy, lose it, and get the default policy when theirs is deleted', async () => {
    const [a, b] = [await createProject(db, { name: 'a' }), await createProject(db, { name: 'b' })];
    const policy = await createRetentionPolicy(db, FIELDS, [a.rowId, b.rowId]);
    assert.ok(policy.rowId > 0);
    assert.deepEqual((await listRetentionPolicies(db)).at(-1), { rowId: policy.rowId, ...FIELDS });
    assert.deepEqual(await projectsOfRetentionPolicy(db, policy.rowId), [a.rowId, b.rowId]);
    assert.equal((await findProject(db, { rowId: a.rowId }))?.retentionPolicyRowId, policy.rowId);

    await updateRetentionPolicy(db, policy.rowId, { name: 'other', removedProjectIds: [a.rowId, 1] });
    assert.deepEqual(await projectsOfRetentionPolicy(db, policy.rowId), [b.rowId]);
    assert.ok((await projectsOfRetentionPolicy(db, 0)).includes(a.rowId));
    await updateRetentionPolicy(db, 0, { addedProjectIds: [b.rowId] });
    assert.deepEqual(await projectsOfRetentionPolicy(db, policy.rowId), []);
    await updateRetentionPolicy(db, policy.rowId, { addedProjectIds: [b.rowId] });

    assert.equal((await deleteRetentionPolicy(db, policy.rowId))?.name, 'other');
    assert.equal((await findProject(db, { rowId: b.rowId }))?.retentionPolicyRowId, 0);
    assert.equal(await deleteRetentionPolicy(db, policy.rowId), undefined);
    assert.equal(await updateRetentionPolicy(db, policy.rowId, { name: 'x' }), undefined);
  });

  test('a policy is applied once, by one server at a time', async () => {
    const { rowId } = await createRetentionPolicy(db, FIELDS, [1]);
    const now = new Date(Date.now() + 1_000);
    const isDue = (_policy: unknown, sweptAt: Date) => sweptAt < now;
    const projects: (readonly number[])[] = [];
    const sweep = (work: () => Promise<void> = async () => {}) =>
      sweepRetentionPolicy(db, rowId, now, isDue, async (_policy, projectIds) => {
        projects.push(projectIds);
        await work();
      });

    await assert.rejects(
      sweep(async () => {
        throw new Error('journal is full');
      }),
      /journal is full/,
    );
    const inside: boolean[] = [];
    assert.equal(await sweep(async () => void inside.push(await sweep())), true);
    assert.deepEqual(inside, [false]);
    assert.equal(await sweep(), false);
    assert.deepEqual(projects, [[1], [1]]);
  });
});
