import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { shareTestServer } from '../test-server.ts';

const openServer = shareTestServer();

interface Recomputation {
  readonly id: string;
  readonly project_id: string | null;
  readonly created_at: string;
}

describe('the routes of costs', () => {
  test('begin a computation of all projects or of one, and show it', async () => {
    const rest = await openServer();

    const all = await rest.call('POST', '/v1/cost_recomputations', { json: {} });
    const one = await rest.call('POST', '/v1/cost_recomputations', { json: { project_identifier: 'default' } });

    const [first, second] = [all, one].map(({ json }) => (json as { data: Recomputation }).data);
    assert.deepEqual([all.status, one.status], [202, 202]);
    assert.deepEqual([first!.id, first!.project_id], ['1', null]);
    assert.deepEqual([second!.id, second!.project_id], ['2', toGlobalId('Project', 1)]);
    const shown = (await rest.call('GET', '/v1/cost_recomputations/1')).json as { data: Recomputation };
    assert.deepEqual(Object.keys(shown.data), ['id', 'project_id', 'progress', 'created_at', 'ended_at']);
    assert.deepEqual([shown.data.id, shown.data.project_id, shown.data.created_at], ['1', null, first!.created_at]);
  });

  test('know neither projects nor computations that there are not', async () => {
    const rest = await openServer();

    assert.equal(
      (await rest.call('POST', '/v1/cost_recomputations', { json: { project_identifier: 'x' } })).status,
      404,
    );
    assert.equal((await rest.call('GET', '/v1/cost_recomputations/7')).status, 404);
    assert.equal((await rest.call('GET', '/v1/cost_recomputations/x')).status, 404);
  });
});
