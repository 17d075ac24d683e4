import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, query } from '../../metadata-store/fixtures.ts';
import { openSignedInServer, postJson, type SignedInServer, sessionOf } from './signed-in-server.ts';

let server: SignedInServer;
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openSignedInServer({ after: cleanUp });
});

const login = (body: unknown, headers?: Record<string, string>) =>
  postJson(`${server.address}/auth/login`, body, headers);
const refresh = (cookie: string) =>
  fetch(`${server.address}/auth/refresh`, { method: 'POST', headers: { cookie: `phoenix-refresh-token=${cookie}` } });
const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());

describe('sign-in by password', () => {
  test('rejects every request without a valid credential', async () => {
    for (const path of ['/v1/projects', '/graphql?query={projectCount}', '/v1/traces', '/events']) {
      const method = path === '/v1/traces' ? 'POST' : 'GET';
      const response = await fetch(server.address + path, { method });
      assert.equal(response.status, 401, path);
      assert.equal(await response.text(), 'Invalid token');
      assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/);
    }
    assert.equal((await fetch(`${server.address}/healthz`)).status, 200);
    assert.equal((await server.as({ bearer: 'x.y.z' }).call('GET', '/v1/projects')).status, 401);
  });

  test('the first administrator signs in on this machine with the documented password, and not through a proxy', async () => {
    const response = await login({ email: ' Admin@LOCALHOST ', password: 'admin' });
    assert.equal(response.status, 204);
    const { access } = sessionOf(response);
    const cookie = server.as({ cookie: `phoenix-access-token=${access}` });
    assert.deepEqual((await cookie.graphql('{viewer {username passwordNeedsReset role {name}}}')).data, {
      viewer: { username: 'admin', passwordNeedsReset: true, role: { name: 'ADMIN' } },
    });
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
      const forwarded = await login({ email: 'admin@localhost', password: 'admin' }, { [name]: '10.0.0.1' });
      assert.equal(forwarded.status, 403, name);
      assert.match(await forwarded.text(), /only on the machine of the server/);
    }
  });

  test('tokens are JWTs with the kind and row id, and a different text at each sign-in', async () => {
    const first = await server.newUser('tokens', 'MEMBER');
    const second = await server.signIn('tokens@example.com', 'word-1');
    assert.match(payloadOf(first.access).jti, /^AccessToken:\d+$/);
    assert.match(payloadOf(first.refresh).jti, /^RefreshToken:\d+$/);
    assert.notEqual(payloadOf(first.access).jti, payloadOf(second.access).jti);
    assert.deepEqual(Object.keys(payloadOf(first.access)), ['jti', 'rnd']);
  });

  test('cookies are hidden from scripts and other sites', async () => {
    const cookies = (await login({ email: 'admin@localhost', password: 'admin' })).headers.getSetCookie();
    assert.equal(cookies.length, 2);
    for (const cookie of cookies) assert.match(cookie, /; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  test('an unknown account, a wrong password and a missing field have the texts of the contract', async () => {
    await server.newUser('texts', 'VIEWER');
    for (const [body, status, text] of [
      [{ email: 'unknown@example.com', password: 'word-1' }, 401, 'Invalid email and/or password'],
      [{ email: 'texts@example.com', password: 'wrong' }, 401, 'Invalid email and/or password'],
      [{ email: 'system@localhost', password: 'x' }, 401, 'Invalid email and/or password'],
      [{ email: 'texts@example.com', password: 'x'.repeat(5_000) }, 401, 'Invalid email and/or password'],
      [{ email: 'texts@example.com' }, 401, 'Email and password required'],
      [[], 422, 'The body must be a JSON object'],
    ] as const) {
      const response = await login(body);
      assert.deepEqual([response.status, await response.text()], [status, text]);
    }
    const broken = await fetch(`${server.address}/auth/login`, { method: 'POST', body: '{' });
    assert.equal(broken.status, 422);
  });

  test('five failures lock an account, also an unknown one, and for the right password', async () => {
    await server.newUser('locked', 'MEMBER');
    for (const email of ['locked@example.com', 'ghost@example.com']) {
      const statuses = [];
      for (let attempt = 0; attempt < 6; attempt++) statuses.push((await login({ email, password: 'bad' })).status);
      assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429], email);
    }
    const locked = await login({ email: 'LOCKED@example.com', password: 'word-1' });
    assert.equal(locked.status, 429);
    assert.equal(await locked.text(), 'Too many failed login attempts. Please try again later.');
  });

  test('attempts at the same time count, too', async () => {
    await server.newUser('parallel', 'MEMBER');
    const attempts = Array.from({ length: 30 }, () => login({ email: 'parallel@example.com', password: 'bad' }));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 401).length, 5);
  });

  test('right passwords at the same time are no failures of each other', async () => {
    await server.newUser('workers', 'MEMBER');
    const attempts = Array.from({ length: 20 }, () => login({ email: 'workers@example.com', password: 'word-1' }));
    assert.deepEqual(new Set((await Promise.all(attempts)).map(({ status }) => status)), new Set([204]));
  });

  test('failures of many accounts from one address lock no one while limits of requests are off', async () => {
    await server.newUser('in-the-office', 'MEMBER');
    for (let index = 0; index < 20; index++)
      assert.equal((await login({ email: `colleague${index}@example.com`, password: 'bad' })).status, 401);
    assert.equal((await login({ email: 'in-the-office@example.com', password: 'word-1' })).status, 204);
  });

  test('a success clears the failures', async () => {
    await server.newUser('clears', 'MEMBER');
    for (let round = 0; round < 2; round++) {
      for (let attempt = 0; attempt < 4; attempt++) await login({ email: 'clears@example.com', password: 'bad' });
      await server.signIn('clears@example.com', 'word-1');
    }
  });
});

describe('a session', () => {
  test('is refreshed with a new pair, and the former access token ends', async () => {
    const session = await server.newUser('refreshed', 'MEMBER');
    const response = await refresh(session.refresh);
    assert.equal(response.status, 204);
    const next = sessionOf(response);
    assert.equal((await server.as({ bearer: session.access }).call('GET', '/v1/user')).status, 401);
    assert.equal((await server.as({ bearer: next.access }).call('GET', '/v1/user')).status, 200);
  });

  test('a refresh token that is sent again at once is rejected, and the session goes on', async () => {
    const session = await server.newUser('replayed', 'MEMBER');
    const next = sessionOf(await refresh(session.refresh));
    const again = await refresh(session.refresh);
    assert.deepEqual([again.status, await again.text()], [401, 'Invalid refresh token']);
    assert.equal((await server.as({ bearer: next.access }).call('GET', '/v1/user')).status, 200);
  });

  test('two refreshes at the same time give one pair', async () => {
    const session = await server.newUser('twice', 'MEMBER');
    const both = await Promise.all([refresh(session.refresh), refresh(session.refresh)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [204, 401]);
  });

  test('ends 30 days after the sign-in, although it is in use', async () => {
    const session = await server.newUser('lasting', 'MEMBER');
    const ofUser = "user_id = (select id from users where username = 'lasting')";
    const setEnd = (end: string) =>
      query(server.databaseUrl, `update sessions set expires_at = ${end} where ${ofUser}`);
    const days = 'round(extract(epoch from expires_at - created_at) / 86400)::int as days';
    assert.deepEqual(await query(server.databaseUrl, `select ${days} from sessions where ${ofUser}`), [{ days: 30 }]);

    await setEnd("now() + interval '60 s'");
    const response = await refresh(session.refresh);
    assert.equal(response.status, 204);
    for (const cookie of response.headers.getSetCookie())
      assert.ok(Number(/; Max-Age=(\d+);/.exec(cookie)?.[1]) <= 60, 'no token outlives the session');
    await setEnd('now()');
    const late = await refresh(sessionOf(response).refresh);
    assert.deepEqual([late.status, await late.text()], [401, 'Expired refresh token']);
  });

  test('a refresh token proves nothing elsewhere, and an access token cannot be refreshed', async () => {
    const session = await server.newUser('kinds', 'MEMBER');
    assert.equal((await server.as({ bearer: session.refresh }).call('GET', '/v1/user')).status, 401);
    const response = await refresh(session.access);
    assert.deepEqual([response.status, await response.text()], [401, 'Invalid refresh token']);
    const missing = await fetch(`${server.address}/auth/refresh`, { method: 'POST' });
    assert.deepEqual([missing.status, await missing.text()], [401, 'Missing refresh token']);
  });

  test('ends with all others of the user at a sign-out, and keys stay', async () => {
    const first = await server.newUser('leaves', 'MEMBER');
    const second = await server.signIn('leaves@example.com', 'word-1');
    const { json } = await server
      .as({ bearer: first.access })
      .call('POST', '/v1/user/api_keys', { data: { name: 'k' } });
    const { key } = (json as { data: { key: string } }).data;
    const response = await fetch(`${server.address}/auth/logout`, {
      redirect: 'manual',
      headers: { cookie: `phoenix-access-token=${first.access}` },
    });
    assert.deepEqual([response.status, response.headers.get('location')], [302, '/login']);
    const deletions = response.headers.getSetCookie();
    for (const cookie of deletions) assert.match(cookie, /^[\w-]+=""; Max-Age=0; Path=\/;/);
    assert.deepEqual(
      deletions.map((cookie) => /^phoenix-(.*)=""/.exec(cookie)?.[1]),
      ['access-token', 'refresh-token', 'oauth2-state', 'oauth2-nonce', 'oauth2-code-verifier'],
    );
    assert.equal((await server.as({ bearer: second.access }).call('GET', '/v1/user')).status, 401);
    assert.equal((await refresh(second.refresh)).status, 401);
    assert.equal((await server.as({ bearer: key }).call('GET', '/v1/user')).status, 200);
  });

  test('is listed to its user, who can end it', async () => {
    const first = await server.newUser('lists', 'MEMBER');
    const second = await server.signIn('lists@example.com', 'word-1');
    const client = server.as({ bearer: second.access });
    const { data } = await client.graphql('{viewer {sessions {id isCurrent userAgent}}}');
    const { sessions } = (data as { viewer: { sessions: { id: string; isCurrent: boolean }[] } }).viewer;
    assert.deepEqual(sessions.map(({ isCurrent }) => isCurrent).sort(), [false, true]);
    const other = sessions.find(({ isCurrent }) => !isCurrent)!;
    const ended = await client.graphql(`mutation {endUserSession(id: "${other.id}") {sessionId}}`);
    assert.deepEqual(ended.errors, []);
    assert.equal((await server.as({ bearer: first.access }).call('GET', '/v1/user')).status, 401);
    assert.equal((await client.call('GET', '/v1/user')).status, 200);
    const foreign = await server.newUser('foreign', 'MEMBER');
    const denied = await server
      .as({ bearer: foreign.access })
      .graphql(`mutation {endUserSession(id: "${other.id}") {sessionId}}`);
    assert.deepEqual(denied.errors, ['Session not found']);
  });

  test('is neither begun nor used by a page of another site, and scripts without an origin may write', async () => {
    const user = await server.newUser('lured', 'MEMBER');
    const write = (name: string, headers: Record<string, string>) =>
      postJson(
        `${server.address}/v1/projects`,
        { name },
        { cookie: `phoenix-access-token=${user.access}`, ...headers },
      );
    const evil = { origin: 'https://evil.example' };
    const ofOtherSites: readonly Record<string, string>[] = [
      ...[evil, { origin: 'null' }, { referer: 'https://evil.example/page' }],
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of ofOtherSites) {
      const lured = await login({ email: 'lured@example.com', password: 'word-1' }, headers);
      assert.equal(lured.status, 403, JSON.stringify(headers));
      assert.deepEqual(lured.headers.getSetCookie(), []);
      assert.equal((await write('planted', headers)).status, 403, JSON.stringify(headers));
    }
    const signedOut = await fetch(`${server.address}/auth/refresh`, {
      method: 'POST',
      headers: { ...evil, cookie: `phoenix-refresh-token=${user.refresh}` },
    });
    assert.equal(signedOut.status, 403);
    assert.equal((await write('own', { origin: server.address })).status, 200);
    assert.equal((await write('script', {})).status, 200);
    const { text } = await server.admin.call('GET', '/v1/projects');
    assert.ok(!text.includes('planted'));
  });

  test('an Authorization header that is no bearer token wins over a good cookie', async () => {
    const { access } = await server.newUser('headers', 'MEMBER');
    const request = (authorization: string) =>
      fetch(`${server.address}/v1/user`, { headers: { authorization, cookie: `phoenix-access-token=${access}` } });
    assert.equal((await request('Basic eDp5')).status, 401);
    assert.equal((await request(`bearer ${access}`)).status, 200);
  });
});
