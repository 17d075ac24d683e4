import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openTestServer, type TestServer } from '../test-server.ts';

describe('the routes of projects', () => {
  let rest: TestServer;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    rest = await openTestServer({ after: cleanUp });
  });

  test('create, read by name and by ID, change and delete a project', async () => {
    const name = 'odd "a" + 100% & \'b\' 👩‍👩‍👧';
    const path = `/v1/projects/${encodeURIComponent(name)}`;

    const created = await rest.call('POST', '/v1/projects', { json: { name, description: 'Über alles' } });
    const { rowId } = (await rest.ports.projects.find({ name }))!;
    const project = { name, description: 'Über alles', id: toGlobalId('Project', rowId) };
    assert.deepEqual(created.json, { data: project });
    assert.deepEqual((await rest.call('GET', path)).json, { data: project });
    assert.deepEqual((await rest.call('GET', `/v1/projects/${project.id}`)).json, { data: project });
    const changed = await rest.call('PUT', path, { json: { name: 'other', description: '' } });
    assert.deepEqual(changed.json, { data: { ...project, description: '' } });
    const kept = await rest.call('PUT', path, { json: { description: null } });
    assert.deepEqual(kept.json, { data: { ...project, description: '' } });
    assert.equal((await rest.call('DELETE', path)).status, 204);
    assert.equal((await rest.call('GET', path)).status, 404);
  });

  test('list the newest first, by pages whose cursor names the next row', async () => {
    for (const name of ['a', 'b', 'c']) await rest.call('POST', '/v1/projects', { json: { name } });

    const rows: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const reply = await rest.call('GET', `/v1/projects?limit=2&cursor=${cursor}`);
      const page = reply.json as { data: { name: string; id: string }[]; next_cursor: string | null };
      if (cursor !== '') assert.equal(page.data[0]!.id, cursor);
      rows.push(...page.data.map(({ name }) => name));
      cursor = page.next_cursor;
    }

    assert.deepEqual([...rows.slice(0, 3), rows.at(-1)], ['c', 'b', 'a', 'default']);
    assert.equal(new Set(rows).size, rows.length);
  });

  test('find a part of the name in any case', async () => {
    await rest.call('POST', '/v1/projects', { json: { name: 'My Agent' } });

    const found = (await rest.call('GET', '/v1/projects?name_contains=aGEN')).json as { data: { name: string }[] };
    assert.deepEqual(
      found.data.map(({ name }) => name),
      ['My Agent'],
    );
  });

  const unknownId = toGlobalId('Project', 987654321);
  const spanId = toGlobalId('Span', 1);
  for (const { method, path, status, text } of [
    { method: 'GET', path: 'never-made', status: 404, text: 'Project with name never-made not found' },
    { method: 'GET', path: unknownId, status: 404, text: `Project with ID ${unknownId} not found` },
    { method: 'GET', path: encodeURIComponent(spanId), status: 404, text: `Project with name ${spanId} not found` },
    { method: 'GET', path: 'a%2525b', status: 404, text: 'Project with name a%25b not found' },
    { method: 'GET', path: 'a%00b', status: 404, text: 'Project with name a\0b not found' },
    { method: 'DELETE', path: 'never-made', status: 404, text: 'Project with name never-made not found' },
    { method: 'DELETE', path: 'default', status: 403, text: 'The default project cannot be deleted' },
    { method: 'DELETE', path: toGlobalId('Project', 1), status: 403, text: 'The default project cannot be deleted' },
  ]) {
    test(`respond to ${method} ${path} with ${status} ${JSON.stringify(text)}`, async () => {
      const reply = await rest.call(method, `/v1/projects/${path}`);
      assert.deepEqual([reply.status, reply.type, reply.text], [status, 'text/plain; charset=utf-8', text]);
    });
  }

  for (const cursor of ['zzz', '!!!', 'UHJvamVjdDp4', 'é']) {
    test(`reject the cursor ${cursor}`, async () => {
      const reply = await rest.call('GET', `/v1/projects?cursor=${encodeURIComponent(cursor)}`);
      assert.deepEqual([reply.status, reply.text], [422, `Invalid cursor format: ${cursor}`]);
    });
  }

  test('read only the number of a cursor', async () => {
    assert.equal((await rest.call('GET', `/v1/projects?cursor=${toGlobalId('Span', 1)}`)).status, 200);
  });

  test('respond with 409 when the name is taken', async () => {
    const reply = await rest.call('POST', '/v1/projects', { json: { name: 'default' } });
    assert.deepEqual([reply.status, reply.text], [409, 'Project with name default already exists']);
  });
});
