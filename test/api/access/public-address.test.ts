import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { openSignedInServer, postJson, type SignedInServer } from './signed-in-server.ts';

describe('a server that users reach over TLS, below a prefix, with limits of requests', () => {
  let server: SignedInServer;
  let base: string;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const settings = {
      ROOT_URL: 'https://traces.example.com/base',
      HOST_ROOT_PATH: '/base',
      COOKIES_PATH: '/base',
      DISABLE_RATE_LIMIT: 'false',
    };
    server = await openSignedInServer({ after: cleanUp }, { settings });
    base = `${server.address}/base`;
  });

  /** Name and attributes of each cookie, without value and age. */
  const attributes = (response: Response) =>
    response.headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*; Max-Age=\d+/, ''));

  test('sends cookies over TLS only, and deletes them with the attributes with which it has set them', async () => {
    const login = await postJson(`${base}/auth/login`, { email: 'admin@localhost', password: 'admin' });
    assert.equal(login.status, 204);
    assert.deepEqual(
      attributes(login),
      ['phoenix-access-token', 'phoenix-refresh-token'].map(
        (name) => `${name}; Path=/base; HttpOnly; SameSite=Strict; Secure`,
      ),
    );
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const logout = await fetch(`${base}/auth/logout`, { redirect: 'manual', headers: { cookie } });
    assert.deepEqual([logout.status, logout.headers.get('location')], [302, '/base/login']);
    assert.deepEqual(attributes(logout), [
      ...attributes(login),
      ...['state', 'nonce', 'code-verifier'].map(
        (name) => `phoenix-oauth2-${name}; Path=/base; HttpOnly; SameSite=Lax; Secure`,
      ),
    ]);
    for (const expired of logout.headers.getSetCookie()) assert.match(expired, /^[\w-]+=""; Max-Age=0;/);
    assert.match(logout.headers.get('strict-transport-security') ?? '', /^max-age=\d+$/);
  });

  test('no form of a path leads past the sign-in', async () => {
    const statusOf = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const { port } = new URL(server.address);
        // As it is written: `fetch` would resolve the dots.
        request({ host: '127.0.0.1', port, path, headers: { accept: 'application/json' } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    assert.equal(await statusOf('/base/healthz'), 200);
    assert.equal(await statusOf('/base/v1/projects'), 401);
    for (const path of [
      ...['/base/v1/projects?', '/base/v1/projects/', '/base/v1//projects', '/base//v1/projects', '//base/v1/projects'],
      ...['/base%2Fv1/projects', '/base/v1%2Fprojects', '/base/v1/..%2Fv1/projects', '/base/%76%31/projects'],
      ...[
        '/base/healthz/../v1/projects',
        '/base/healthz/%2e%2e/v1/projects',
        '/base/./v1/projects',
        '/base/healthz/..;/v1/projects',
      ],
      ...['/basev1/projects', '/base/base/v1/projects', '/v1/projects', '/BASE/v1/projects', '/base/V1/projects'],
      ...[
        '/base\\v1\\projects',
        '/base/v1/projects%00',
        '/base/v1/projects;x=/healthz',
        '/base/v1/projects%23/healthz',
      ],
      ...['/base/assets/..%2Fv1%2Fprojects', '/base/auth/..%2f..%2fv1/projects', '/base/oauth2/x/../../v1/projects'],
    ]) {
      const status = await statusOf(path);
      assert.ok([400, 401, 404].includes(status ?? 0), `${path}: ${status}`);
    }
  });

  test('an address has a few attempts to sign in, whatever accounts and forwarding headers it names', async () => {
    const responses: Response[] = [];
    for (let index = 0; index < 14; index++) {
      const headers = { 'x-forwarded-for': `10.0.0.${index}`, forwarded: `for=10.0.1.${index}` };
      responses.push(
        await postJson(`${base}/auth/login`, { email: `a${index}@example.com`, password: 'bad' }, headers),
      );
    }
    const statuses = responses.map(({ status }) => status);
    const attemptCount = statuses.indexOf(429);
    assert.ok(attemptCount >= 8 && attemptCount <= 12, String(statuses));
    assert.equal(await responses[attemptCount]?.text(), 'Too Many Requests');
    assert.equal((await fetch(`${base}/healthz`)).status, 200);
  });
});
