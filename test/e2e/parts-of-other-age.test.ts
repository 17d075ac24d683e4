import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type CleanUp, cleanUpAfter, openTestPostgres, temporaryDirectory } from '../metadata-store/fixtures.ts';
import { ADMIN_SECRET, postJson, SECRET, sessionOf, toClient } from '../api/access/signed-in-server.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import { openHttpSender } from './otlp-sender.ts';
import { eventually, getJson, listSpans, spansOnceThere } from './rest.ts';
import { type ServerProcess, type StartOptions, startServer } from './server-process.ts';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../../server/main.js', import.meta.url));

/** Runs a command of the program. Resolves with its exit code and output. */
async function spandrel(args: readonly string[], env: Readonly<Record<string, string>>) {
  // A server that starts although it should be refused ends here, so that its test fails instead of waiting for it.
  const options = { env: { PATH: process.env.PATH, SERVICE_LOGGING_LEVEL: 'critical', ...env }, timeout: 60_000 };
  return run(process.execPath, [MAIN, ...args], options).then(
    ({ stdout }) => ({ exitCode: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ exitCode: code as number, output: `${stdout}${stderr}` }),
  );
}

const idOf = (name: string) => Buffer.from(name.padEnd(16).slice(-16));
async function send(server: ServerProcess, project: string, name: string): Promise<void> {
  const sender = openHttpSender(server.url);
  const [startTimeUnixNano, endTimeUnixNano] = [1_770_000_000_000_000_000n, 1_770_000_001_000_000_000n];
  const span = { traceId: idOf(name), spanId: idOf(name).subarray(8), name, startTimeUnixNano, endTimeUnixNano };
  assert.ok((await sender.send(encodeTraceRequest({ project, spans: [span] }))).isAcknowledged);
  sender.close();
  await spansOnceThere(server.url, project, 1);
}

async function projectsOf(server: ServerProcess): Promise<Map<string, number>> {
  const { data } = await getJson<{ data: { id: string; name: string }[] }>(`${server.url}/v1/projects?limit=1000`);
  return new Map(data.map(({ id, name }) => [name, Number(atob(id).split(':')[1])]));
}

const namesOfSpans = async (server: ServerProcess, project: string) =>
  (await listSpans(server.url, project)).map(({ name }) => name);

describe('a data directory whose Postgres is older or emptier than its spans', () => {
  let cleanUp: CleanUp;
  const start = async (options: StartOptions) => {
    const server = await startServer(options);
    cleanUp(() => server.kill9());
    return server;
  };

  /** Checks a server whose Postgres does not know the project `lost`, which had `lostId`. */
  async function expectRecovered(server: ServerProcess, lostId: number): Promise<void> {
    await send(server, 'new', 'of new');
    const projects = await projectsOf(server);
    assert.ok(projects.get('new')! > lostId, `${projects.get('new')} after ${lostId}`);
    assert.equal(projects.get(`Recovered project ${lostId}`), lostId);
    assert.deepEqual(await namesOfSpans(server, 'new'), ['of new']);
    assert.deepEqual(await namesOfSpans(server, `Recovered project ${lostId}`), ['of lost']);
    assert.match(server.output(), /Spans belong to a project that the database does not know/);
  }

  test('shows unknown projects as recovered, and allocates no row id twice: an older copy, then none', async (t) => {
    cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await temporaryDirectory(cleanUp);
    const first = await start({ dataDir });
    await send(first, 'kept', 'of kept');
    await first.stop();
    const older = join(await temporaryDirectory(cleanUp), 'postgres');
    await run('cp', ['-a', join(dataDir, 'postgres'), older]);
    const second = await start({ dataDir });
    await send(second, 'lost', 'of lost');
    const lostId = (await projectsOf(second)).get('lost')!;
    await second.stop();

    await rm(join(dataDir, 'postgres'), { recursive: true });
    await run('cp', ['-a', older, join(dataDir, 'postgres')]);
    const onOlder = await start({ dataDir });

    await expectRecovered(onOlder, lostId);
    assert.deepEqual(await namesOfSpans(onOlder, 'kept'), ['of kept']);
    await onOlder.stop();
    await rm(join(dataDir, 'postgres'), { recursive: true });
    const onNone = await start({ dataDir });
    const projects = await projectsOf(onNone);
    assert.ok([2, 3, 4].every((id) => [...projects.values()].includes(id)));
    assert.deepEqual(await namesOfSpans(onNone, 'Recovered project 2'), ['of kept']);
  });

  test('does not allocate a row id again that only the journal knows', async (t) => {
    cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await temporaryDirectory(cleanUp);
    const first = await start({ dataDir });
    // Without spans, as the journal would make a project anew from these, with its row id.
    const made = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"lost"}' };
    assert.equal((await fetch(`${first.url}/v1/projects`, made)).status, 200);
    const lostId = (await projectsOf(first)).get('lost')!;
    assert.equal((await fetch(`${first.url}/v1/projects/lost`, { method: 'DELETE' })).status, 204);
    await first.kill9();
    await rm(join(dataDir, 'postgres'), { recursive: true });

    const second = await start({ dataDir });

    await send(second, 'new', 'of new');
    assert.ok((await projectsOf(second)).get('new')! > lostId);
    assert.deepEqual(await namesOfSpans(second, 'new'), ['of new']);
  });
});

describe('a span store and a journal that are older than Postgres', () => {
  /** A stopped server with the project `lost`, whose span store and journal were then restored from before it. */
  async function openOlder(cleanUp: CleanUp) {
    const dataDir = await temporaryDirectory(cleanUp);
    const start = async () => {
      const server = await startServer({ dataDir });
      cleanUp(() => server.kill9());
      return server;
    };
    const idsOf = async (server: ServerProcess, project: string) =>
      (await listSpans(server.url, project)).map(({ id }) => Number(atob(id).split(':')[1]));
    const first = await start();
    await send(first, 'kept', 'of kept');
    await first.stop();
    const older = await temporaryDirectory(cleanUp);
    await run('cp', ['-a', join(dataDir, 'spans'), join(dataDir, 'journal'), older]);
    const second = await start();
    await send(second, 'lost', 'of lost');
    const [lostId = 0] = await idsOf(second, 'lost');
    await second.stop();
    for (const name of ['spans', 'journal']) {
      await rm(join(dataDir, name), { recursive: true });
      await run('cp', ['-a', join(older, name), dataDir]);
    }
    return { start, idsOf, lostId, env: { SERVICE_WORKING_DIR: dataDir } };
  }

  test('are noticed by the check and the start; after an adoption, no row id is allocated twice', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const { start, idsOf, lostId, env } = await openOlder(cleanUp);
    const problem =
      /The journal and the span store are older than the database: they end at position \d+, .* checkpoint at position \d+\. .*'spandrel db adopt'/;

    const checked = await spandrel(['check'], env);
    const served = await spandrel(['serve', '--port', '0', '--grpc-port', '0'], env);

    assert.match(checked.output, problem);
    assert.notEqual(checked.exitCode, 0);
    assert.match(served.output, problem);
    assert.equal(served.exitCode, 1);

    assert.equal((await spandrel(['db', 'adopt'], env)).exitCode, 0);
    const server = await start();
    assert.match(server.output(), /it will not allocate the row ids of lost rows again/);
    await send(server, 'new', 'of new');
    const [newId = 0] = await idsOf(server, 'new');
    assert.ok(newId > lostId, `${newId} after ${lostId}`);
    assert.deepEqual(await namesOfSpans(server, 'kept'), ['of kept']);
    assert.deepEqual(await namesOfSpans(server, 'lost'), []);
    await server.stop();
    const { exitCode, output } = await spandrel(['check'], env);
    assert.equal(exitCode, 0, output);
    const again = await start();
    assert.doesNotMatch(again.output(), /row ids of lost rows/);
    assert.deepEqual(await idsOf(again, 'new'), [newId]);
  });

  test('allocate no row id twice if the span store is lost and the journal begins later', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await temporaryDirectory(cleanUp);
    const start = async () => {
      const server = await startServer({ dataDir });
      cleanUp(() => server.kill9());
      return server;
    };
    const first = await start();
    await send(first, 'lost', 'of lost');
    const [lost] = await listSpans(first.url, 'lost');
    await first.stop();
    // As after the server has removed the segments that it no longer needs.
    await rm(join(dataDir, 'journal'), { recursive: true });
    const second = await start();
    await second.stop();
    await rm(join(dataDir, 'spans'), { recursive: true });

    const third = await start();
    await send(third, 'new', 'of new');

    const [created] = await listSpans(third.url, 'new');
    const idOfSpan = (id: string) => Number(atob(id).split(':')[1]);
    assert.ok(idOfSpan(created!.id) > idOfSpan(lost!.id), `${created!.id} after ${lost!.id}`);
  });
});

test('with sign-in, a recovered project is hidden from everyone but administrators', async (t) => {
  const cleanUp = cleanUpAfter((work) => t.after(work));
  const dataDir = await temporaryDirectory(cleanUp);
  const start = async () => {
    const env = { SERVICE_ENABLE_AUTH: 'true', SERVICE_SECRET: SECRET, SERVICE_ADMIN_SECRET: ADMIN_SECRET };
    const server = await startServer({ dataDir, env });
    cleanUp(() => server.kill9());
    return { server, admin: toClient(server.url, { bearer: ADMIN_SECRET }) };
  };
  const first = await start();
  const user = { auth_method: 'LOCAL', email: 'v@example.com', username: 'v', role: 'VIEWER', password: 'word-1' };
  assert.equal((await first.admin.call('POST', '/v1/users', { user })).status, 201);
  await first.server.stop();
  const older = join(await temporaryDirectory(cleanUp), 'postgres');
  await run('cp', ['-a', join(dataDir, 'postgres'), older]);
  const second = await start();
  const created = await second.admin.graphql(
    'mutation { createProject(input: { name: "hr", isPrivate: true }) { project { id } } }',
  );
  assert.deepEqual(created.errors, []);
  const span = {
    name: 'salary',
    context: { trace_id: '1'.repeat(32), span_id: '1'.repeat(16) },
    span_kind: 'LLM',
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2026-01-01T00:00:01Z',
    status_code: 'OK',
    attributes: {},
  };
  assert.equal((await second.admin.call('POST', '/v1/projects/hr/spans', { data: [span] })).status, 202);
  await eventually(async () => {
    const { text } = await second.admin.call('GET', '/v1/projects/hr/spans');
    assert.match(text, /salary/);
  });
  await second.server.stop();
  await rm(join(dataDir, 'postgres'), { recursive: true });
  await run('cp', ['-a', older, join(dataDir, 'postgres')]);

  const { server, admin } = await start();

  const login = await postJson(`${server.url}/auth/login`, { email: user.email, password: user.password });
  const viewer = toClient(server.url, { bearer: sessionOf(login).access });
  const names = async (client: typeof viewer) =>
    ((await client.call('GET', '/v1/projects')).json as { data: { name: string }[] }).data.map(({ name }) => name);
  const [recovered] = (await names(admin)).filter((name) => name.startsWith('Recovered project'));
  assert.ok(recovered);
  assert.deepEqual(await names(viewer), ['default']);
  const path = `/v1/projects/${encodeURIComponent(recovered)}/spans`;
  assert.equal((await viewer.call('GET', path)).status, 404);
  assert.match((await admin.call('GET', path)).text, /salary/);
  assert.match(server.output(), /It is private and has no members: an administrator can add them/);
});

describe('a database of another data directory', () => {
  let url: string;
  let owner: ServerProcess;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    url = await (await openTestPostgres(cleanUp)).newDatabase();
    owner = await startServer({ dataDir: await temporaryDirectory(cleanUp), env: { SERVICE_SQL_DATABASE_URL: url } });
    cleanUp(() => owner.kill9());
    await send(owner, 'owned', 'of owned');
    await owner.stop();
  });

  test('is rejected, also with a new directory; after it is adopted, its former owner rejects it', async () => {
    const dataDir = await temporaryDirectory(cleanUp);
    const env = { SERVICE_WORKING_DIR: dataDir, SERVICE_SQL_DATABASE_URL: url };
    const rejected = await spandrel(['serve', '--port', '0', '--grpc-port', '0'], env);
    assert.equal(rejected.exitCode, 1);
    assert.match(rejected.output, /belongs to another data directory .* run 'spandrel db adopt'/);

    const adopted = await spandrel(['db', 'adopt'], env);

    assert.deepEqual([adopted.exitCode, adopted.output.includes('belongs to')], [0, true], adopted.output);
    const server = await startServer({ dataDir, env });
    cleanUp(() => server.kill9());
    await send(server, 'next', 'of next');
    assert.deepEqual([...(await projectsOf(server)).keys()].sort(), ['default', 'next', 'owned']);
    await server.stop();
    const former = await spandrel(['serve', '--port', '0', '--grpc-port', '0'], {
      ...env,
      SERVICE_WORKING_DIR: owner.dataDir,
    });
    assert.match(former.output, /belongs to another data directory/);
  });

  test('can serve two servers with a schema each', async () => {
    const env = { SERVICE_SQL_DATABASE_URL: await (await openTestPostgres(cleanUp)).newDatabase() };
    for (const schema of ['one', 'two']) {
      const dataDir = await temporaryDirectory(cleanUp);
      const server = await startServer({ dataDir, env: { ...env, SERVICE_SQL_DATABASE_SCHEMA: schema } });
      cleanUp(() => server.kill9());
      await send(server, schema, schema);
    }
  });
});

describe('a project that the database cannot create', () => {
  for (const end of ['rollback', 'commit'] as const) {
    test(`does not block the spans of other projects, and appears when it can be created (${end})`, async (t) => {
      const cleanUp = cleanUpAfter((work) => t.after(work));
      const url = await (await openTestPostgres(cleanUp)).newDatabase();
      const dataDir = await temporaryDirectory(cleanUp);
      const server = await startServer({ dataDir, env: { SERVICE_SQL_DATABASE_URL: url } });
      cleanUp(() => server.kill9());
      const otherClient = new Client(url);
      await otherClient.connect();
      cleanUp(() => otherClient.end());
      await otherClient.query("begin; insert into projects (name) values ('stuck')");

      const sender = openHttpSender(server.url);
      const [startTimeUnixNano, endTimeUnixNano] = [1_770_000_000_000_000_000n, 1_770_000_001_000_000_000n];
      const span = { traceId: idOf('s'), spanId: idOf('s').subarray(8), name: 's', startTimeUnixNano, endTimeUnixNano };
      assert.ok((await sender.send(encodeTraceRequest({ project: 'stuck', spans: [span] }))).isAcknowledged);
      sender.close();
      await send(server, 'fine', 'of fine');
      assert.match(server.output(), /Could not create a project. Its spans are stored/);
      await otherClient.query(end);

      await eventually(async () => {
        const name = [...(await projectsOf(server)).keys()].find((one) =>
          end === 'rollback' ? one === 'stuck' : /^stuck \(recovered \d+\)$/.test(one),
        );
        assert.ok(name);
        assert.deepEqual(await namesOfSpans(server, name), ['s']);
      });
    });
  }
});
