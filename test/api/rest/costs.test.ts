import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openRestServer } from './rest-server.ts';

describe('the routes of costs', () => {
  test('begin a computation of all projects or of one, and show it', async (t) => {
    const rest = await openRestServer(t);

    const all = await rest.call('POST', '/v1/cost_recomputations', { json: {} });
    const one = await rest.call('POST', '/v1/cost_recomputations', { json: { project_identifier: 'default' } });

    const created_at = new Date(0).toISOString();
    const data = { id: '1', project_id: null, progress: 0, created_at, ended_at: null };
    assert.equal(all.status, 202);
    assert.deepEqual(all.json, { data });
    assert.deepEqual(one.json, { data: { ...data, id: '2', project_id: toGlobalId('Project', 1) } });
    assert.deepEqual((await rest.call('GET', '/v1/cost_recomputations/1')).json, { data });
  });

  test('know neither projects nor computations that there are not', async (t) => {
    const rest = await openRestServer(t);

    assert.equal(
      (await rest.call('POST', '/v1/cost_recomputations', { json: { project_identifier: 'x' } })).status,
      404,
    );
    assert.equal((await rest.call('GET', '/v1/cost_recomputations/7')).status, 404);
    assert.equal((await rest.call('GET', '/v1/cost_recomputations/x')).status, 404);
  });
});
