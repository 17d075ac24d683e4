import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deleteProject } from '../../src/domain/projects/delete-project.ts';
import { openFakeDomain } from './fake-domain.ts';

describe('deleting a project', () => {
  test('journals the deletion before its row goes, and again before it is over', async () => {
    const domain = openFakeDomain();
    await domain.projects.create({ name: 'mine', description: null });

    await deleteProject(domain, 'mine');

    assert.deepEqual(domain.log, [
      'project deletion journaled',
      'row 2 removed',
      'project deletion journaled',
      'applied 3',
    ]);
    assert.deepEqual(domain.deletions, Array(2).fill({ what: 'project', projectId: 2, name: 'mine' }));
  });

  test('cut short before the row goes leaves the project, so that it can be deleted again', async () => {
    const domain = openFakeDomain();
    await domain.projects.create({ name: 'mine', description: null });
    const crashing = { ...domain, projects: { ...domain.projects, delete: () => Promise.reject(new Error('crash')) } };

    await assert.rejects(deleteProject(crashing, 'mine'), /crash/);

    assert.equal((await domain.projects.find({ name: 'mine' }))?.rowId, 2);
    await deleteProject(domain, 'mine');
    assert.equal(await domain.projects.find({ name: 'mine' }), undefined);
  });

  test('changes nothing for the default project', async () => {
    const domain = openFakeDomain();
    await assert.rejects(deleteProject(domain, 'default'), { code: 'PROJECT_PROTECTED' });
    assert.deepEqual(domain.log, []);
  });
});
