import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cleanUpAfter, temporaryDirectory, until } from '../metadata-store/fixtures.ts';
import { postJson, SECRET, sessionOf, toClient } from '../api/access/signed-in-server.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const MAIN = fileURLToPath(new URL('../../server/main.js', import.meta.url));

describe('spandrel user', () => {
  let dataDir: string;
  let server: ServerProcess;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    dataDir = await temporaryDirectory(cleanUp);
    const env = { SERVICE_ENABLE_AUTH: 'true', SERVICE_SECRET: SECRET, SERVICE_DISABLE_RATE_LIMIT: 'true' };
    server = await startServer({ dataDir, env });
    cleanUp(() => server.kill9());
  });

  function run(...args: readonly string[]) {
    const env = { ...process.env, SERVICE_WORKING_DIR: dataDir, SERVICE_SECRET: SECRET };
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'user', ...args], { env, encoding: 'utf8' });
    return { status, out: stdout.trim(), err: stderr.trim() };
  }

  const passwordIn = (out: string): string => /^Password: (\S+)$/m.exec(out)?.[1] ?? assert.fail(out);
  const signIn = async (email: string, password: string) =>
    sessionOf(await postJson(`${server.url}/auth/login`, { email, password }));
  const isEnded = (bearer: string) => async () =>
    (await toClient(server.url, { bearer }).call('GET', '/v1/user')).status === 401;

  test('creates an administrator, lists users, and signs them out, while the server runs', async () => {
    const created = run('create-admin', 'ops@example.com');
    assert.equal(created.status, 0, created.err);
    const { access } = await signIn('ops@example.com', passwordIn(created.out));
    assert.match(
      run('list').out,
      /^EMAIL +NAME +ROLE +SIGN-IN +SESSIONS\nadmin@localhost .*\nops@example.com +ops +ADMIN +LOCAL +1$/,
    );
    assert.equal(run('end-sessions', 'ops@example.com').out, 'Sessions ended: 1');
    await until('the running server has noticed', isEnded(access));
  });

  test('replaces a password, which ends sessions and the lock', async () => {
    const { access } = await signIn('admin@localhost', 'admin');
    for (let attempt = 0; attempt < 5; attempt++)
      await postJson(`${server.url}/auth/login`, { email: 'admin@localhost', password: 'bad' });
    const replaced = run('reset-password', 'ADMIN@localhost');
    await until('the session has ended', isEnded(access));
    await signIn('admin@localhost', passwordIn(replaced.out));
    const unknown = run('reset-password', 'ghost@example.com');
    assert.deepEqual([unknown.status, unknown.err], [1, 'spandrel: There is no user with the email ghost@example.com']);
  });

  test('unlocks an account, and works on a stopped server', async () => {
    const attempt = async () =>
      (await postJson(`${server.url}/auth/login`, { email: 'x@example.com', password: 'bad' })).status;
    for (let count = 0; count < 5; count++) await attempt();
    assert.equal(await attempt(), 429);
    assert.equal(run('unlock', 'x@example.com').status, 0);
    assert.equal(await attempt(), 401);
    await server.stop();
    assert.match(run('list').out, /ops@example.com/);
  });
});
