import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { credentials, Client as GrpcClient, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { ask, call, type UserClient } from '../access/author-server.ts';
import type { Client } from '../access/signed-in-server.ts';
import { openTestServer } from '../test-server.ts';
import { OPEN, openPrivateServer, PRIVATE, type PrivateServer } from './private-server.ts';

let server: PrivateServer;
let viewer: UserClient;
let ann: UserClient;
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openPrivateServer({ after: cleanUp });
  viewer = await server.newClient('viewer', 'VIEWER');
  ann = await server.newClient('ann', 'ADMIN');
});

const ACCESS = `/v1/projects/${PRIVATE}/access`;
const setMember = (by: Client, member: object, level: string) =>
  by.call('PUT', `${ACCESS}/members`, { ...member, level });
const removeUser = (by: Client, id: string) => by.call('DELETE', `${ACCESS}/members?user_id=${id}`);
const note = (by: Client) =>
  by.call('POST', '/v1/span_notes', { data: { span_id: server.private.spanOtel, note: 'of a member' } });
const sees = async (by: Client): Promise<boolean> =>
  (await call(by, 'GET', '/v1/projects')).some(({ name }: { name: string }) => name === PRIVATE);

/** An OTLP request in JSON with a span for each project. */
let spanCount = 0;
const otlp = (...projects: readonly (string | undefined)[]) => ({
  resourceSpans: projects.map((project) => ({
    resource: {
      attributes: project === undefined ? [] : [{ key: 'openinference.project.name', value: { stringValue: project } }],
    },
    scopeSpans: [
      {
        spans: [
          {
            traceId: (++spanCount).toString(16).padStart(32, 'd'),
            spanId: spanCount.toString(16).padStart(16, 'd'),
            name: 'sent',
            startTimeUnixNano: '1',
            endTimeUnixNano: '2',
          },
        ],
      },
    ],
  })),
});
const countOf = async (project: string): Promise<number | undefined> =>
  (await ask(server.admin, `{getProjectByName(name: "${project}") {recordCount}}`)).getProjectByName?.recordCount;

describe('a member of a private project', () => {
  test('reads as a reader, writes as an editor, and manages the access as an owner', async () => {
    const { stranger, owner } = server;
    assert.equal((await setMember(stranger, { user_id: stranger.id }, 'OWNER')).status, 404);
    assert.equal((await setMember(owner, { email: 'stranger@example.com' }, 'READER')).status, 200);
    assert.ok(await sees(stranger));
    const denied = await note(stranger);
    assert.deepEqual(
      [denied.status, denied.text],
      [403, 'Only editors and owners of this project can perform this action.'],
    );
    for (const [method, path] of [
      ['DELETE', `/v1/spans/${server.private.span}`],
      ['DELETE', `/v1/traces/${server.private.trace}`],
      ['DELETE', `/v1/sessions/${server.private.session}`],
      ['DELETE', `/v1/projects/${PRIVATE}/span_annotations?name=x&delete_all=true`],
      ['PUT', `/v1/projects/${PRIVATE}/annotation_configs/${server.shared.config}`],
    ] as const) {
      assert.equal((await stranger.call(method, path)).status, 403, path);
    }
    const { errors } = await stranger.graphql(
      `mutation {patchProject(input: {id: "${server.private.project}", description: "x"}) {__typename}}`,
    );
    assert.deepEqual(errors, ['Only editors and owners of this project can perform this action.']);

    assert.equal((await setMember(owner, { user_id: stranger.id }, 'EDITOR')).status, 200);
    assert.equal((await note(stranger)).status, 200);
    assert.equal((await setMember(stranger, { group: 'g' }, 'READER')).status, 403);
    const deleted = await stranger.graphql(`mutation {deleteProject(id: "${server.private.project}") {__typename}}`);
    assert.deepEqual(deleted.errors, ['Only owners of this project can perform this action.']);

    assert.equal((await setMember(owner, { user_id: stranger.id }, 'OWNER')).status, 200);
    assert.equal((await setMember(stranger, { group: 'g' }, 'READER')).status, 200);
    assert.equal((await removeUser(stranger, stranger.id)).status, 204);
    assert.equal(await sees(stranger), false);
  });

  test('who is a viewer on the server writes nothing', async () => {
    assert.equal((await setMember(server.owner, { user_id: viewer.id }, 'OWNER')).status, 200);
    assert.ok(await sees(viewer));
    assert.equal((await note(viewer)).text, 'Viewers cannot perform this action.');
    assert.equal((await setMember(viewer, { group: 'g' }, 'OWNER')).status, 403);
    assert.equal((await removeUser(server.owner, viewer.id)).status, 204);
  });

  test('may be a group of the identity provider, and leaves with it', async () => {
    const setGroups = async (groups: readonly string[]) => {
      const rowId = Number(Buffer.from(server.stranger.id, 'base64').toString().split(':')[1]);
      const { Client: Postgres } = (await import('pg')).default;
      const db = new Postgres({ connectionString: server.databaseUrl });
      await db.connect();
      await db.query('update users set user_groups = $1 where id = $2', [groups, rowId]);
      await db.end();
      await server.ports.signIn!.credentials.sync();
    };
    await setMember(server.owner, { group: 'g' }, 'READER');
    await setGroups(['other', 'g']);
    assert.ok(await sees(server.stranger));
    await setGroups(['other']);
    assert.equal(await sees(server.stranger), false);
  });

  test('who is the last owner stays, unless an administrator removes that owner', async () => {
    const left = await removeUser(server.owner, server.owner.id);
    assert.deepEqual(
      [left.status, left.text],
      [409, 'A private project needs an owner. Make another member an owner first.'],
    );
    assert.equal((await setMember(server.owner, { user_id: server.owner.id }, 'EDITOR')).status, 409);
    assert.ok(await sees(ann));
    assert.equal((await removeUser(ann, server.owner.id)).status, 204);
    assert.equal(await sees(server.owner), false);
    assert.equal((await setMember(ann, { user_id: server.owner.id }, 'OWNER')).status, 200);
  });

  test('is recorded in the audit log', async () => {
    const { data } = (await ann.call('GET', '/v1/audit_log?limit=200')).json as {
      data: { action: string; target: { name: string }; after: object }[];
    };
    const actions = data.filter(({ target }) => target.name === PRIVATE).map(({ action }) => action);
    for (const action of ['project.privacy', 'project-member.set', 'project-member.remove']) {
      assert.ok(actions.includes(action), `${action} of ${actions}`);
    }
  });
});

describe('a project', () => {
  test('becomes private by an administrator or an owner, and open again', async () => {
    const path = `/v1/projects/${OPEN}/access`;
    assert.equal((await server.owner.call('PATCH', path, { is_private: true })).status, 403);
    assert.equal((await ann.call('PATCH', path, { is_private: true })).status, 200);
    assert.equal((await server.owner.call('GET', path)).status, 404);
    const { members } = await call(ann, 'GET', path);
    assert.deepEqual(
      members.map(({ level }: { level: string }) => level),
      ['OWNER'],
    );
    assert.equal((await ann.call('PATCH', path, { is_private: false })).status, 200);
    assert.equal((await server.owner.call('GET', path)).status, 200);
  });

  test('of spans without a name, of an experiment, and under an unknown ID cannot be private', async () => {
    assert.equal((await ann.call('PATCH', '/v1/projects/default/access', { is_private: true })).status, 403);
    const { project_name: name } = await call(ann, 'GET', `/v1/experiments/${server.shared.experiment}`);
    assert.equal((await ann.call('PATCH', `/v1/projects/${name}/access`, { is_private: true })).status, 409);
    assert.equal((await ann.call('PATCH', '/v1/projects/none/access', { is_private: true })).status, 404);
    assert.equal((await setMember(server.owner, { email: 'nobody@example.com' }, 'READER')).status, 404);
    assert.equal((await setMember(server.owner, { email: 'a@b.c', group: 'g' }, 'READER')).status, 422);
  });

  test('cannot be private while sign-in is off, and reports it', async (t) => {
    const open = await openTestServer(t);
    const { json } = await open.call('GET', '/v1/projects/default/access');
    assert.deepEqual(json, { data: { is_private: false, is_enforced: false, level: 'OWNER', members: [] } });
    for (const reply of [
      await open.call('POST', '/v1/projects', { json: { name: 'p', is_private: true } }),
      await open.call('PATCH', '/v1/projects/default/access', { json: { is_private: false } }),
    ]) {
      assert.equal(reply.status, 403);
      assert.match(reply.text, /^Private projects need authentication/);
    }
  });
});

describe('spans for a private project', () => {
  const send = (by: Client, body: object) => by.call('POST', '/v1/traces', body);

  test('of a stranger are rejected, and those of others in the same request stored', async () => {
    const before = await countOf(PRIVATE);
    assert.equal((await send(server.stranger, otlp(PRIVATE))).status, 403);
    const mixed = await send(server.stranger, otlp(PRIVATE, 'mixed', PRIVATE, undefined));
    assert.deepEqual(mixed.json, {
      partialSuccess: {
        rejectedSpans: '2',
        errorMessage: '2 of 4 spans rejected: the sender may not send data to their project',
      },
    });
    assert.deepEqual((await send(server.owner, otlp(PRIVATE, 'mixed'))).json, {});
    await server.settled();
    assert.equal(await countOf(PRIVATE), before! + 1);
    assert.equal(await countOf('mixed'), 2);
  });

  test('are rejected by the name in a header, and over gRPC', async () => {
    const headers = { 'content-type': 'application/json', 'x-project-name': PRIVATE };
    const { text } = await server.admin.call('POST', '/v1/system/api_keys', { data: { name: 'exporter' } });
    const { key } = (JSON.parse(text) as { data: { key: string } }).data;
    const authorization = `Bearer ${key}`;
    const body = JSON.stringify(otlp(OPEN));
    const { status: code } = await fetch(`${server.address}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, authorization },
      body,
    });
    assert.equal(code, 403);
    assert.equal(await sendByGrpc(key, PRIVATE), status.PERMISSION_DENIED);
    assert.equal(await sendByGrpc(key, OPEN), status.OK);
  });
});

/** One span with the least fields, as protobuf. */
async function sendByGrpc(key: string, project: string): Promise<number> {
  const field = (number: number, content: Buffer) =>
    Buffer.concat([Buffer.from([8 * number + 2, content.length]), content]);
  const attribute = field(
    1,
    Buffer.concat([field(1, Buffer.from('openinference.project.name')), field(2, field(1, Buffer.from(project)))]),
  );
  const id = Buffer.alloc(16, ++spanCount);
  const span = field(2, Buffer.concat([field(1, id), field(2, id.subarray(8))]));
  const request = field(1, Buffer.concat([field(1, attribute), field(2, span)]));
  const client = new GrpcClient(`127.0.0.1:${server.grpcPort}`, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${key}`);
  const code = await new Promise<number>((resolve) => {
    client.makeUnaryRequest(
      '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
      request,
      metadata,
      {},
      (error: ServiceError | null) => resolve(error?.code ?? status.OK),
    );
  });
  client.close();
  return code;
}

describe('a key of named projects', () => {
  const newKey = async (by: Client, path: string, data: object): Promise<Client> => {
    const { key } = await call(by, 'POST', path, { data: { name: 'key', ...data } });
    return server.as({ bearer: key });
  };
  const namesOf = async (by: Client): Promise<string[]> =>
    (await call(by, 'GET', '/v1/projects')).map(({ name }: { name: string }) => name);

  test('reads and sends to these only, and creates no others', async () => {
    const key = await newKey(server.owner, '/v1/user/api_keys', { projects: [OPEN, 'named-later'] });
    assert.deepEqual(await namesOf(key), [OPEN]);
    assert.equal((await key.call('GET', `/v1/projects/${PRIVATE}`)).status, 404);
    assert.equal((await key.call('GET', '/v1/projects/default')).status, 404);
    assert.equal((await key.call('DELETE', `/v1/traces/${server.private.trace}`)).status, 404);
    const mixed = await key.call('POST', '/v1/traces', otlp(PRIVATE, 'not-named', OPEN, 'named-later', undefined));
    assert.equal((mixed.json as { partialSuccess: { rejectedSpans: string } }).partialSuccess.rejectedSpans, '3');
    await server.settled();
    await server.ports.signIn!.credentials.sync();
    assert.equal(await countOf('not-named'), undefined);
    assert.deepEqual(await namesOf(key), ['named-later', OPEN]);
    assert.equal((await key.call('POST', '/v1/projects', { name: 'not-named' })).status, 403);
    assert.equal((await key.call('POST', '/v1/projects/not-named/spans', { data: [] })).status, 202);
    assert.equal(await countOf('not-named'), undefined);
  });

  test('of the system is an editor of the private projects that it names, and a stranger to others', async () => {
    const other = await newKey(server.admin, '/v1/system/api_keys', {});
    assert.equal((await other.call('GET', `/v1/projects/${PRIVATE}`)).status, 404);
    const key = await newKey(server.admin, '/v1/system/api_keys', { projects: [PRIVATE] });
    assert.deepEqual(await namesOf(key), [PRIVATE]);
    assert.equal((await key.call('POST', '/v1/traces', otlp(PRIVATE))).status, 200);
    assert.equal((await note(key)).status, 200);
    assert.equal((await setMember(key, { group: 'g' }, 'OWNER')).status, 403);
  });

  test('gives no right that its owner lacks, and no right of an administrator', async () => {
    const strangers = await newKey(server.stranger, '/v1/user/api_keys', { projects: [PRIVATE] });
    assert.deepEqual(await namesOf(strangers), []);
    assert.equal((await strangers.call('POST', '/v1/traces', otlp(PRIVATE))).status, 403);
    const annsKey = await newKey(ann, '/v1/user/api_keys', { projects: [OPEN] });
    assert.equal((await annsKey.call('GET', '/v1/users')).status, 403);
    assert.deepEqual(await namesOf(annsKey), [OPEN]);
    for (const projects of [[], ['a\0']]) {
      const { status: code } = await server.owner.call('POST', '/v1/user/api_keys', { data: { name: 'k', projects } });
      assert.equal(code, 422, JSON.stringify(projects));
    }
  });
});

test('a session with traces in a private project is hidden with them', async () => {
  const { owner, stranger } = server;
  const trace = (digit: string, project: string) => ({
    path: `/v1/projects/${project}/spans`,
    json: {
      data: [
        {
          name: 'turn',
          context: { trace_id: digit.repeat(32), span_id: digit.repeat(16) },
          span_kind: 'CHAIN',
          start_time: '2026-01-02T00:00:00Z',
          end_time: '2026-01-02T00:00:01Z',
          status_code: 'OK',
          attributes: { 'session.id': 'shared-session', 'input.value': `input of ${project}` },
        },
      ],
    },
  });
  for (const { path, json } of [trace('3', OPEN), trace('4', PRIVATE)]) {
    assert.equal((await owner.call('POST', path, json)).status, 202);
  }
  await server.settled();
  const listed = async (by: Client) =>
    (await by.call('GET', `/v1/projects/${OPEN}/sessions`)).text.includes('shared-session');
  assert.ok(await listed(owner));
  assert.equal(await listed(stranger), false);
  assert.equal((await stranger.call('GET', '/v1/sessions/shared-session')).status, 404);
  assert.equal((await owner.call('GET', '/v1/sessions/shared-session')).status, 200);
});

test('an annotation of an ID that a hidden span has, too, is of the visible span', async () => {
  const { owner, stranger } = server;
  const span = (digit: string) => ({
    name: 'twin',
    context: { trace_id: digit.repeat(32), span_id: '8'.repeat(16) },
    span_kind: 'CHAIN',
    start_time: '2026-01-02T00:00:00Z',
    end_time: '2026-01-02T00:00:01Z',
    status_code: 'OK',
  });
  const otlpSpan = (digit: string, project: string) => {
    const request = otlp(project);
    const [sent] = request.resourceSpans[0]!.scopeSpans[0]!.spans;
    Object.assign(sent!, { traceId: digit.repeat(32), spanId: '8'.repeat(16) });
    return request;
  };
  assert.equal((await owner.call('POST', `/v1/projects/${OPEN}/spans`, { data: [span('5')] })).status, 202);
  await server.settled();
  assert.equal((await owner.call('POST', '/v1/traces', otlpSpan('6', PRIVATE))).status, 200);
  await server.settled();
  await call(stranger, 'POST', '/v1/span_annotations?sync=true', {
    data: [{ span_id: '8'.repeat(16), name: 'twin', annotator_kind: 'HUMAN', result: { score: 1 } }],
  });
  const found = await call(stranger, 'GET', `/v1/projects/${OPEN}/span_annotations?span_ids=${'8'.repeat(16)}`);
  assert.deepEqual(
    found.map(({ name }: { name: string }) => name),
    ['twin'],
  );
  assert.equal(
    (await owner.call('GET', `/v1/projects/${PRIVATE}/span_annotations?span_ids=${'8'.repeat(16)}`)).text.includes(
      'twin',
    ),
    false,
  );
});

test('a stream of events ends when its project is hidden', async () => {
  await setMember(server.owner, { user_id: viewer.id }, 'READER');
  const { access } = await server.signIn('viewer@example.com', 'word-1');
  const follow = (query: string) =>
    fetch(`${server.address}/events${query}`, { headers: { authorization: `Bearer ${access}` } });
  const streams = await Promise.all([
    follow(`?project=${PRIVATE}`),
    follow(`?trace=${server.private.traceOtel}`),
    follow(`?session=${server.private.sessionText}`),
  ]);
  for (const stream of streams) assert.equal(stream.status, 200);
  const ends = streams.map((stream) => stream.text());
  assert.equal((await removeUser(server.owner, viewer.id)).status, 204);
  await Promise.all(ends);
});

test('a stream reports nothing of a hidden trace', async () => {
  const { access } = await server.signIn('stranger@example.com', 'word-1');
  const { private: hidden, open } = server;
  const stream = await fetch(`${server.address}/events?trace=${hidden.trace}&project=${open.project}`, {
    headers: { authorization: `Bearer ${access}` },
  });
  const reader = stream.body!.getReader();
  const readUntil = async (wanted: string) => {
    let text = '';
    while (!text.includes(wanted)) text += Buffer.from((await reader.read()).value ?? []).toString();
    return text;
  };
  // The stream begins with an event of each topic.
  await readUntil(open.project);
  const lastChange = async () => (await ask(server.stranger, '{projectsLastUpdatedAt}')).projectsLastUpdatedAt;
  const before = await lastChange();
  assert.equal((await note(server.owner)).status, 200);
  await server.settled();
  assert.equal(await lastChange(), before);
  assert.equal((await server.owner.call('POST', '/v1/traces', otlp(OPEN))).status, 200);
  assert.ok(!(await readUntil(open.project)).includes(hidden.trace));
  await reader.cancel();
});
