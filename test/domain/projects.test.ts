import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Deletion } from '../../src/span-store/contract/writer.ts';
import type { Ports } from '../../src/domain/ports.ts';
import { deleteProject } from '../../src/domain/projects/delete-project.ts';
import { shareTestServer } from '../api/test-server.ts';

const openServer = shareTestServer();

/** These ports, and the deletions that an operation submits to them. */
function recordDeletions(ports: Ports): { readonly ports: Ports; readonly deletions: readonly Deletion[] } {
  const deletions: Deletion[] = [];
  const submitDeletion: Ports['writes']['submitDeletion'] = (deletion) => {
    deletions.push(deletion);
    return ports.writes.submitDeletion(deletion);
  };
  return { ports: { ...ports, writes: { ...ports.writes, submitDeletion } }, deletions };
}

describe('deleting a project', () => {
  test('is one record of the journal, and over when that is applied', async () => {
    const server = await openServer();
    await server.append({ traceId: 'trace', spanId: 'span', project: 'mine' });
    const { rowId: projectId } = (await server.ports.projects.find({ name: 'mine' }))!;
    const { ports, deletions } = recordDeletions(server.ports);

    await deleteProject(ports, { name: 'mine' });

    assert.deepEqual(deletions, [{ what: 'project', projectId, name: 'mine' }]);
    assert.equal(await ports.projects.find({ name: 'mine' }), undefined);
    assert.deepEqual(await ports.spans.findByIds({ of: 'spans', ids: ['span'] }), []);
  });

  test('changes nothing for the default project', async () => {
    const { ports, deletions } = recordDeletions((await openServer()).ports);
    await assert.rejects(deleteProject(ports, { name: 'default' }), { code: 'PROJECT_PROTECTED' });
    assert.deepEqual(deletions, []);
  });
});
