import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deleteProject } from '../../src/domain/projects/delete-project.ts';
import { openFakeDomain } from './fake-domain.ts';

describe('deleting a project', () => {
  test('is one record of the journal, and over when that is applied', async () => {
    const domain = openFakeDomain();
    await domain.projects.create({ name: 'mine', description: null });

    await deleteProject(domain, { name: 'mine' });

    assert.deepEqual(domain.log, ['project deletion journaled', 'applied 1']);
    assert.deepEqual(domain.deletions, [{ what: 'project', projectId: 2, name: 'mine' }]);
  });

  test('changes nothing for the default project', async () => {
    const domain = openFakeDomain();
    await assert.rejects(deleteProject(domain, { name: 'default' }), { code: 'PROJECT_PROTECTED' });
    assert.deepEqual(domain.log, []);
  });
});
