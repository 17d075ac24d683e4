import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { ADMIN_DN, ADMIN_PASSWORD, noSlapd, PEOPLE, type Slapd, startSlapd } from '../../identity/ldap/slapd.ts';
import { CLIENT_SECRET, type OidcServer, startOidcServer } from '../../identity/oidc/oidc-server.ts';
import { cookiesOf, type ProviderSignIn, signInAtProvider, startSignIn } from './provider-sign-in.ts';
import { openSignedInServer, postJson, type SignedInServer, sessionOf } from './signed-in-server.ts';

describe('sign-in at an identity provider', () => {
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
          // The address that the provider knows; the test calls the server at its own.
          ROOT_URL: 'http://127.0.0.1:6006',
          OAUTH2_IDP_CLIENT_ID: 'spandrel',
          OAUTH2_IDP_CLIENT_SECRET: CLIENT_SECRET,
          OAUTH2_IDP_OIDC_CONFIG_URL: idp.configUrl,
          OAUTH2_IDP_USE_PKCE: 'true',
          OAUTH2_IDP_ROLE_ATTRIBUTE_PATH: 'roles[0]',
          OAUTH2_IDP_ROLE_MAPPING: 'boss:ADMIN,dev:MEMBER',
          OAUTH2_CLOSED_CLIENT_ID: 'spandrel',
          OAUTH2_CLOSED_CLIENT_SECRET: CLIENT_SECRET,
          OAUTH2_CLOSED_OIDC_CONFIG_URL: 'http://127.0.0.1:1/.well-known/openid-configuration',
        },
      },
    );
  });

  const start = (query = '', provider = 'idp') => startSignIn(server.address, provider, query);
  const signIn = (account: string, query = '', change?: ProviderSignIn['change']) =>
    signInAtProvider(server.address, { provider: 'idp', account, query, ...(change && { change }) });

  const viewerOf = async (response: Response) => {
    const { access } = sessionOf(response);
    const { data } = await server.as({ bearer: access }).graphql('{viewer {username email authMethod role {name}}}');
    return (data as { viewer: object }).viewer;
  };

  test('creates an account with the mapped role, and returns to the page', async () => {
    idp.accounts.set('ada', { email: 'Ada@example.com', name: 'Ada L', roles: ['dev'] });
    const response = await signIn('ada', '?returnUrl=/projects/x');
    assert.equal(response.status, 302);
    assert.equal(response.headers.get('location'), '/projects/x');
    assert.deepEqual(await viewerOf(response), {
      username: 'Ada L',
      email: 'ada@example.com',
      authMethod: 'OAUTH2',
      role: { name: 'MEMBER' },
    });
    for (const name of ['state', 'nonce', 'code-verifier']) {
      assert.equal(cookiesOf(response).get(`phoenix-oauth2-${name}`), '""', name);
    }
  });

  test('signs a user in whom the provider has sent over SCIM, until it deactivates the user', async () => {
    const scim = async (method: string, path: string, json: object) => {
      const reply = await server.admin.call(method, `/scim/v2${path}`, json);
      assert.ok(reply.status < 300, reply.text);
      return reply.json as { id: string };
    };
    const { id } = await scim('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'sent',
      emails: [{ value: 'sent@example.com', primary: true }],
    });
    idp.accounts.set('subject-of-sent', { email: 'Sent@example.com', name: 'Another name', roles: ['dev'] });
    assert.deepEqual(await viewerOf(await signIn('subject-of-sent')), {
      username: 'sent',
      email: 'sent@example.com',
      authMethod: 'OAUTH2',
      role: { name: 'MEMBER' },
    });
    await scim('PATCH', `/Users/${id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
    });
    const denied = await signIn('subject-of-sent');
    assert.equal(denied.headers.get('location'), '/login?error=sign_in_not_allowed');
  });

  test('changes the role with the next sign-in, and has entries in the audit log', async () => {
    idp.accounts.set('bob', { email: 'bob@example.com', name: 'Bob', roles: ['dev'] });
    const first = sessionOf(await signIn('bob'));
    idp.accounts.set('bob', { email: 'bob@example.com', name: 'Bob', roles: ['boss'] });
    await signIn('bob');
    const { data } = await server.as({ bearer: first.access }).graphql('{viewer {role {name}}}');
    assert.deepEqual(data, { viewer: { role: { name: 'ADMIN' } } });
    const { json } = await server.admin.call('GET', '/v1/audit_log?text=bob');
    const actions = (json as { data: { action: string }[] }).data.map(({ action }) => action);
    assert.deepEqual(actions, ['sign-in', 'user.update', 'sign-in', 'user.create']);
  });

  test('cookies of the way are hidden from scripts and last 15 minutes', async () => {
    const { headers } = await start();
    assert.equal(headers.getSetCookie().length, 3);
    for (const cookie of headers.getSetCookie()) {
      assert.match(cookie, /^phoenix-oauth2-\S+; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/);
    }
    assert.match(headers.get('location') ?? '', /code_challenge_method=S256/);
  });

  test('a state of another browser or provider, and one that was changed, are rejected', async () => {
    idp.accounts.set('eve', { email: 'eve@example.com' });
    const other = cookiesOf(await start());
    for (const change of [
      (cookies: Map<string, string>) => cookies.set('phoenix-oauth2-state', other.get('phoenix-oauth2-state') ?? ''),
      (_cookies: Map<string, string>, url: URL) =>
        url.searchParams.set('state', other.get('phoenix-oauth2-state') ?? ''),
      (cookies: Map<string, string>, url: URL) => {
        const forged = `${Buffer.from('{"idp":"idp","returnUrl":"//evil.example"}').toString('base64url')}.x`;
        cookies.set('phoenix-oauth2-state', forged);
        url.searchParams.set('state', forged);
      },
      (_cookies: Map<string, string>, url: URL) => {
        url.pathname = '/oauth2/closed/tokens';
      },
    ]) {
      const response = await signIn('eve', '', change);
      assert.deepEqual([response.status, response.headers.get('location')], [307, '/login?error=invalid_state']);
    }
    const missing = await fetch(`${server.address}/oauth2/idp/tokens?code=x&state=y`, { redirect: 'manual' });
    assert.equal(missing.status, 422);
    const { data } = await server.admin.graphql('{users {edges {node {email}}}}');
    assert.doesNotMatch(JSON.stringify(data), /eve@/);
  });

  test('no sign-in ends at another host', async () => {
    for (const url of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/%09/evil.example',
      'javascript:alert(1)',
    ]) {
      const response = await start(`?returnUrl=${encodeURIComponent(url)}`);
      assert.deepEqual(
        [response.status, response.headers.get('location')],
        [307, '/login?error=unsafe_return_url'],
        url,
      );
    }
  });

  test('failures lead to the page of sign-in with a code and no text of the provider', async () => {
    const unknown = await start('', 'nothing');
    assert.deepEqual([unknown.status, unknown.headers.get('location')], [307, '/login?error=unknown_idp']);
    const prototype = await start('', '__proto__');
    assert.equal(prototype.headers.get('location'), '/login?error=unknown_idp');
    const away = await start('', 'closed');
    assert.match(away.headers.get('location') ?? '', /^\/login\?error=(auth_failed|oauth_error)$/);
    await server.newUser('taken', 'MEMBER');
    idp.accounts.set('local', { email: 'taken@example.com' });
    const taken = await signIn('local');
    assert.equal(taken.headers.get('location'), '/login?error=email_in_use');
    const denied = await signIn('ada', '', (_cookies, url) => {
      url.searchParams.delete('code');
      url.searchParams.set('error', 'access_denied<script>');
    });
    assert.equal(denied.headers.get('location'), '/login?error=oauth_error');
  });
});

describe('sign-in at a directory', { skip: noSlapd }, () => {
  let slapd: Slapd;
  let server: SignedInServer;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    slapd = await startSlapd(cleanUp);
    const person = { objectClass: 'inetOrgPerson', cn: 'Ada', sn: 'L', displayName: 'Ada L', mail: 'ada@example.com' };
    await slapd.add(`uid=ada,${PEOPLE}`, { ...person, uid: 'ada', userPassword: 'pw of ada' });
    server = await openSignedInServer(
      { after: cleanUp },
      {
        settings: {
          LDAP_HOST: 'localhost',
          LDAP_PORT: String(slapd.port),
          LDAP_TLS_CA_CERT_FILE: slapd.certificates.caFile,
          LDAP_BIND_DN: ADMIN_DN,
          LDAP_BIND_PASSWORD: ADMIN_PASSWORD,
          LDAP_USER_SEARCH_BASE_DNS: JSON.stringify([PEOPLE]),
          LDAP_USER_SEARCH_FILTER: '(uid=%s)',
          LDAP_GROUP_ROLE_MAPPINGS: JSON.stringify([{ group_dn: '*', role: 'MEMBER' }]),
        },
      },
    );
  });

  const login = (username: string, password: string) =>
    postJson(`${server.address}/auth/ldap/login`, { username, password });

  test('starts a session with the mapped role', async () => {
    const response = await login(' ADA ', 'pw of ada');
    assert.equal(response.status, 204, await response.text());
    const { data } = await server
      .as({ bearer: sessionOf(response).access })
      .graphql('{viewer {username authMethod role {name}}}');
    assert.deepEqual(data, { viewer: { username: 'Ada L', authMethod: 'LDAP', role: { name: 'MEMBER' } } });
  });

  test('has one text for all failures, and locks a name after five', async () => {
    for (const [username, password] of [
      ['ada', 'wrong'],
      ['unknown', 'wrong'],
      ['*', 'pw of ada'],
      ['ada)(uid=*', 'pw of ada'],
    ] as const) {
      const response = await login(username, password);
      assert.deepEqual([response.status, await response.text()], [401, 'Invalid username and/or password'], username);
    }
    const empty = await login('ada', '');
    assert.deepEqual([empty.status, await empty.text()], [401, 'Username and password required']);
    const statuses = [];
    for (let attempt = 0; attempt < 6; attempt++) statuses.push((await login('mallory', 'wrong')).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  });

  test('a directory that is away lets no one in, and locks no one out', async () => {
    await slapd.kill();
    for (let attempt = 0; attempt < 7; attempt++) assert.equal((await login('ada', 'pw of ada')).status, 503);
    await slapd.start();
    assert.equal((await login('ada', 'pw of ada')).status, 204);
  });
});
