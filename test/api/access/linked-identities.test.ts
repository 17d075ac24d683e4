import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { answerForms, CLIENT_SECRET, type OidcServer, startOidcServer } from '../../identity/oidc/oidc-server.ts';
import { hasWayToSignIn } from '../../../src/domain/access/linked-identities.ts';
import { cookiesOf, toHeader } from './provider-sign-in.ts';
import { openSignedInServer, postJson, type Session, type SignedInServer, sessionOf } from './signed-in-server.ts';

describe('a linked identity', () => {
  let idp: OidcServer;
  let server: SignedInServer;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    idp = await startOidcServer();
    cleanUp(() => idp.stop());
    server = await openSignedInServer(
      { after: cleanUp },
      {
        settings: {
          DISABLE_RATE_LIMIT: 'true',
          ROOT_URL: 'http://127.0.0.1:6006',
          OAUTH2_IDP_CLIENT_ID: 'spandrel',
          OAUTH2_IDP_CLIENT_SECRET: CLIENT_SECRET,
          OAUTH2_IDP_OIDC_CONFIG_URL: idp.configUrl,
          OAUTH2_IDP_USE_PKCE: 'true',
          OAUTH2_IDP_ROLE_ATTRIBUTE_PATH: 'roles[0]',
        },
      },
    );
  });

  type Cookies = Map<string, string>;
  const withSession = (session: Session, cookies: Cookies = new Map()) =>
    toHeader(new Map([...cookies, ['phoenix-access-token', session.access]]));

  const send = (path: string, cookie: string, body: object = {}, headers: Record<string, string> = {}) =>
    postJson(`${server.address}/oauth2/idp/${path}`, body, { cookie, ...headers });

  /** Goes to the provider and back to the callback. Returns the query that the profile page sends, and the cookies. */
  async function goToProvider(session: Session, account: string) {
    const started = await send('link', withSession(session));
    assert.equal(started.status, 200, await started.clone().text());
    const { authorization_url: url } = (await started.json()) as { authorization_url: string };
    const cookies = cookiesOf(started);
    const callback = await answerForms(url, account);
    // Browsers send no strict cookie with a redirect of another site.
    const back = await fetch(`${server.address}${callback.pathname}${callback.search}`, {
      redirect: 'manual',
      headers: { cookie: toHeader(cookies) },
    });
    const location = back.headers.get('location') ?? '';
    assert.match(location, /^\/profile\?.*linking=idp/);
    return { cookies, query: location.slice('/profile?'.length) };
  }

  async function link(session: Session, account: string): Promise<object> {
    const { cookies, query } = await goToProvider(session, account);
    const response = await send('link/finish', withSession(session, cookies), { query });
    return (await response.json()) as object;
  }

  /** The viewer of a new sign-in at the provider, or the code of its failure. */
  async function signIn(account: string): Promise<unknown> {
    const started = await fetch(`${server.address}/oauth2/idp/login`, { redirect: 'manual' });
    const callback = await answerForms(started.headers.get('location') ?? '', account);
    const response = await fetch(`${server.address}${callback.pathname}${callback.search}`, {
      redirect: 'manual',
      headers: { cookie: toHeader(cookiesOf(started)) },
    });
    if (response.status !== 302) return response.headers.get('location');
    const { data } = await server
      .as({ bearer: sessionOf(response).access })
      .graphql('{viewer {username email authMethod role {name}}}');
    return (data as { viewer: unknown }).viewer;
  }

  const identitiesOf = async (session: Session) => {
    const { data } = await server
      .as({ bearer: session.access })
      .graphql('{viewer {linkedIdentities {id provider issuer email}}}');
    return (data as { viewer: { linkedIdentities: { id: string; email: string }[] } }).viewer.linkedIdentities;
  };

  const unlink = (session: Session, id: string) =>
    server.as({ bearer: session.access }).graphql(`mutation {unlinkIdentity(id: "${id}") {identityId}}`);

  test('signs in to a local account, which keeps its password, email and role, until it is unlinked', async () => {
    idp.accounts.set('ann-at-idp', { email: 'ann@elsewhere.example', roles: ['ADMIN'] });
    const ann = await server.newUser('ann', 'MEMBER');
    assert.deepEqual(await link(ann, 'ann-at-idp'), { linked: 'idp' });

    const [identity] = await identitiesOf(ann);
    assert.equal(identity?.email, 'ann@elsewhere.example');
    const local = { username: 'ann', email: 'ann@example.com', authMethod: 'LOCAL', role: { name: 'MEMBER' } };
    assert.deepEqual(await signIn('ann-at-idp'), local);
    assert.ok((await server.signIn('ann@example.com', 'word-1')).access);
    assert.deepEqual(await link(ann, 'ann-at-idp'), { linked: 'idp' }, 'again');
    assert.equal((await identitiesOf(ann)).length, 1);

    assert.deepEqual((await unlink(ann, identity.id)).errors, []);
    assert.deepEqual(await identitiesOf(ann), []);
    idp.accounts.set('ann-at-idp', { email: 'ann@elsewhere.example', name: 'Another', roles: ['VIEWER'] });
    assert.equal(((await signIn('ann-at-idp')) as { username: string }).username, 'Another', 'a new account');
    const { json } = await server.admin.call('GET', '/v1/audit_log?username=ann');
    const entries = (json as { data: { action: string; before: object | null; after: object | null }[] }).data;
    const fields = { provider: 'idp', issuer: idp.issuer, email: 'ann@elsewhere.example' };
    assert.deepEqual(
      entries
        .filter(({ action }) => action.startsWith('identity.'))
        .map(({ action, before: old, after: now }) => [action, old ?? now]),
      [
        ['identity.unlink', fields],
        ['identity.link', fields],
      ],
    );
  });

  test('belongs to one account only', async () => {
    idp.accounts.set('bob-at-idp', { email: 'bob@elsewhere.example' });
    idp.accounts.set('own', { email: 'own@elsewhere.example', name: 'own' });
    const [bob, cleo] = [await server.newUser('bob', 'MEMBER'), await server.newUser('cleo', 'ADMIN')];
    await link(bob, 'bob-at-idp');
    await signIn('own');
    for (const account of ['bob-at-idp', 'own']) {
      assert.deepEqual(await link(cleo, account), { error: 'identity_in_use' }, account);
    }
    assert.deepEqual(await identitiesOf(cleo), []);
    const [identity] = await identitiesOf(bob);
    assert.deepEqual((await unlink(cleo, identity!.id)).errors, ['Linked identity not found']);
    assert.equal((await identitiesOf(bob)).length, 1);
    const { json } = await server.admin.call('GET', '/v1/audit_log?action=identity.link&outcome=DENIED&username=cleo');
    assert.equal((json as { data: unknown[] }).data.length, 2);
  });

  test('is linked only by the session that began, with its own state', async () => {
    idp.accounts.set('dan-at-idp', { email: 'dan@elsewhere.example' });
    const dan = await server.newUser('dan', 'MEMBER');
    const again = await server.signIn('dan@example.com', 'word-1');
    const eve = await server.newUser('eve', 'MEMBER');
    for (const other of [eve, again]) {
      const { cookies, query } = await goToProvider(dan, 'dan-at-idp');
      const response = await send('link/finish', withSession(other, cookies), { query });
      assert.deepEqual([response.status, await response.json()], [409, { error: 'session_changed' }]);
    }
    // A state of a sign-in, of another browser, and one that was changed.
    const signInStart = await fetch(`${server.address}/oauth2/idp/login`, { redirect: 'manual' });
    const ofSignIn = cookiesOf(signInStart);
    const callback = await answerForms(signInStart.headers.get('location') ?? '', 'dan-at-idp');
    const { cookies, query } = await goToProvider(dan, 'dan-at-idp');
    const forged = `${Buffer.from(JSON.stringify({ idp: 'idp', returnUrl: '', sessionRowId: 1 })).toString('base64url')}.x`;
    for (const [sent, text] of [
      [ofSignIn, callback.search.slice(1)],
      [ofSignIn, query],
      [cookies, callback.search.slice(1)],
      [new Map([...cookies, ['phoenix-oauth2-state', forged]]), `code=x&state=${encodeURIComponent(forged)}`],
      [new Map<string, string>(), query],
    ] as const) {
      const response = await send('link/finish', withSession(dan, new Map(sent)), { query: text });
      assert.deepEqual([response.status, await response.json()], [409, { error: 'invalid_state' }]);
    }
    for (const each of [dan, eve]) assert.deepEqual(await identitiesOf(each), []);
    const rejected = await send('link/finish', withSession(dan, cookies), {
      query: `${query.replace(/code=[^&]*/, 'error=access_denied')}&error_description=<b>`,
    });
    assert.deepEqual(await rejected.json(), { error: 'oauth_error' }, 'no text of the provider');
  });

  test('needs a session and a page of this server', async () => {
    const fay = await server.newUser('fay', 'ADMIN');
    const key = await server
      .as({ cookie: withSession(fay) })
      .graphql('mutation {createUserApiKey(input: {name: "k"}) {jwt}}');
    const { jwt } = (key.data as { createUserApiKey: { jwt: string } }).createUserApiKey;
    for (const path of ['link', 'link/finish']) {
      assert.equal((await send(path, '')).status, 401);
      assert.equal((await send(path, '', {}, { authorization: `Bearer ${jwt}` })).status, 403);
      const hostile = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      assert.equal((await send(path, withSession(fay), {}, hostile)).status, 403);
    }
    const unknown = await postJson(`${server.address}/oauth2/__proto__/link`, {}, { cookie: withSession(fay) });
    assert.deepEqual(await unknown.json(), { error: 'unknown_idp' });
    const [byKey] = (
      await server.as({ bearer: jwt }).graphql('mutation {unlinkIdentity(id: "VXNlcklkZW50aXR5OjE=") {identityId}}')
    ).errors;
    assert.equal(byKey, 'Only a signed-in person can link identities');
  });
});

test('the last way to sign in is needed', () => {
  const ways = { allowsPasswords: false, hasDirectory: false, identityProviders: [{ name: 'idp', clientId: 'c' }] };
  const local = { authMethod: 'LOCAL', oauth2ClientId: null } as const;
  const remote = { authMethod: 'OAUTH2', oauth2ClientId: 'c' } as const;
  const directory = { authMethod: 'LDAP', oauth2ClientId: null } as const;

  assert.equal(hasWayToSignIn(local, [], ways), false);
  assert.equal(hasWayToSignIn(local, [], { ...ways, allowsPasswords: true }), true);
  assert.equal(hasWayToSignIn(local, [{ provider: 'idp' }], ways), true);
  assert.equal(hasWayToSignIn(local, [{ provider: 'removed' }], ways), false);
  assert.equal(hasWayToSignIn(remote, [], ways), true);
  assert.equal(hasWayToSignIn({ ...remote, oauth2ClientId: 'removed' }, [], ways), false);
  assert.equal(hasWayToSignIn(directory, [], ways), false);
  assert.equal(hasWayToSignIn(directory, [], { ...ways, hasDirectory: true }), true);
});
