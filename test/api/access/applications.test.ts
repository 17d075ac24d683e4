import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { authorizationCodeGrant, refreshTokenGrant, tokenRevocation } from 'openid-client';
import { credentialRepository } from '../../../src/metadata-store/access/credentials.ts';
import { cleanUpAfter, openTestStore, query } from '../../metadata-store/fixtures.ts';
import {
  approve,
  CLI,
  consentOf,
  decide,
  discover,
  giveAccess,
  locationOf,
  newRequest,
  REDIRECT,
  refresh,
} from './application.ts';
import { openSignedInServer, postJson, type Session, type SignedInServer } from './signed-in-server.ts';

let server: SignedInServer;
let user: Session;
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openSignedInServer({ after: cleanUp });
  user = await server.newUser('owner', 'MEMBER');
});

const statusOf = async (bearer: string) => (await server.as({ bearer }).call('GET', '/v1/user')).status;
const grantsOf = async (session: Session) => {
  const { data } = await server
    .as({ bearer: session.access })
    .graphql(
      '{viewer {oauth2GrantCount oauth2Grants {id clientName clientId isFirstParty scopes resource lastUsedAt}}}',
    );
  // biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
  return (data as any).viewer.oauth2Grants as { id: string; clientName: string; scopes: string[] }[];
};

describe('an application', () => {
  test('finds the server by each of its documents', async () => {
    const get = async (path: string) => (await (await fetch(server.address + path)).json()) as Record<string, unknown>;
    const metadata = await get('/.well-known/oauth-authorization-server');
    assert.equal(metadata.issuer, server.address);
    assert.deepEqual(metadata.code_challenge_methods_supported, ['S256']);
    assert.deepEqual(metadata.token_endpoint_auth_methods_supported, ['none']);
    assert.deepEqual(await get('/.well-known/openid-configuration'), metadata);
    assert.deepEqual((await get('/.well-known/oauth-protected-resource')).resource, server.address);
    const mcp = await get('/.well-known/oauth-protected-resource/mcp');
    assert.deepEqual([mcp.resource, mcp.authorization_servers], [`${server.address}/mcp`, [server.address]]);
    assert.match(await (await fetch(`${server.address}/auth.md`)).text(), /POST http.*\/oauth2\/token/);
    const unknown = await fetch(`${server.address}/.well-known/other`, { headers: { accept: 'text/html,*/*' } });
    assert.equal(unknown.status, 404);
  });

  test('learns from a 401 where it gets access, and may read that from any site', async () => {
    const rejected = await fetch(`${server.address}/v1/projects`);
    assert.equal(
      rejected.headers.get('www-authenticate'),
      `Bearer realm="Spandrel", resource_metadata="${server.address}/.well-known/oauth-protected-resource"`,
    );
    for (const path of ['/.well-known/oauth-authorization-server', '/oauth2/token', '/oauth2/register']) {
      const preflight = await fetch(server.address + path, {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
      });
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*', path);
      assert.equal(preflight.headers.get('access-control-allow-credentials'), null, path);
    }
  });

  test('gets tokens, uses, refreshes and revokes them', async () => {
    const config = await discover(server);
    const { url, verifier, state } = await newRequest(config, { scope: 'read write' });
    const back = await approve(server, user, url);
    assert.deepEqual([back.origin + back.pathname, back.searchParams.get('iss')], [REDIRECT, server.address]);
    const first = await authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state });
    assert.equal(first.scope, 'read write');
    const me = await server.as({ bearer: first.access_token }).call('GET', '/v1/user');
    assert.equal((me.json as { data: { username: string } }).data.username, 'owner');
    assert.match(JSON.stringify(await grantsOf(user)), /"clientName":"Command-line client","clientId":"phoenix-cli"/);

    const second = await refreshTokenGrant(config, first.refresh_token!);
    assert.equal(await statusOf(first.access_token), 401, 'a refresh replaces the access token');
    assert.equal(await statusOf(second.access_token), 200);
    await tokenRevocation(config, second.refresh_token!);
    assert.equal(await statusOf(second.access_token), 401);
    await assert.rejects(refreshTokenGrant(config, second.refresh_token!), { error: 'invalid_grant' });
    assert.deepEqual(await grantsOf(user), []);
  });

  test('that registers itself is shown by its name, and is not part of the product', async () => {
    const response = await postJson(`${server.address}/oauth2/register`, {
      client_name: '<img src=x onerror=alert(1)> & Sons',
      redirect_uris: ['https://app.example/cb', 'com.example.app:/cb'],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    });
    assert.equal(response.status, 201);
    const client = (await response.json()) as { client_id: string; grant_types: string[] };
    assert.match(client.client_id, /^px_dcr_[0-9A-Za-z]{22}$/);
    assert.deepEqual(client.grant_types, ['authorization_code', 'refresh_token']);
    const config = await discover(server, client.client_id);
    for (const redirect_uri of ['https://app.example/cb', 'com.example.app:/cb']) {
      const request = await newRequest(config, { redirect_uri });
      const text = await consentOf(request.url, user);
      const details = await server
        .as({ cookie: `phoenix-access-token=${user.access}` })
        .call('GET', `/oauth2/consent/data?request=${text}`);
      const shown = details.json as { client: { name: string; isFirstParty: boolean }; target: object };
      assert.deepEqual([shown.client.name, shown.client.isFirstParty], ['<img src=x onerror=alert(1)> & Sons', false]);
      assert.ok((await approve(server, user, request.url)).href.startsWith(`${redirect_uri}?code=`));
    }
  });

  test('learns that the user has denied', async () => {
    const { url, state } = await newRequest(await discover(server));
    const request = await consentOf(url, user);
    const response = await decide(server, user, { request, decision: 'deny' });
    const back = new URL(((await response.json()) as { redirect_to: string }).redirect_to);
    assert.equal(back.searchParams.get('error'), 'access_denied');
    assert.equal(back.searchParams.get('state'), state);
    assert.equal(back.searchParams.get('code'), null);
  });

  test('is sent to the sign-in page first, with the way back', async () => {
    const { url } = await newRequest(await discover(server));
    const location = new URL(await locationOf(url), server.address);
    assert.equal(location.pathname, '/login');
    assert.equal(location.searchParams.get('returnUrl'), `/oauth2/authorize${url.search}`);
  });

  test('is not given a session by cookie, by sign-in or by refresh', async () => {
    const tokens = await giveAccess(server, user);
    const asSession = await fetch(`${server.address}/auth/refresh`, {
      method: 'POST',
      headers: { cookie: `phoenix-refresh-token=${tokens.refresh_token}` },
    });
    assert.equal(asSession.status, 401);
    assert.equal((await refresh(server, user.refresh)).json.error, 'invalid_grant', 'nor the other way round');
    await sendLogout(tokens.access_token, tokens.refresh_token);
    assert.equal(await statusOf(user.access), 200, 'it cannot sign out its user');
    assert.equal(
      (await refresh(server, tokens.refresh_token)).status,
      200,
      'a failed use as a session changes nothing',
    );
    const { sessions } = (
      (await server.as({ bearer: user.access }).graphql('{viewer {sessions {isCurrent}}}')).data as {
        viewer: { sessions: object[] };
      }
    ).viewer;
    assert.deepEqual(sessions, [{ isCurrent: true }]);
  });

  const sendLogout = (access: string, refreshToken: string) =>
    fetch(`${server.address}/auth/logout`, {
      redirect: 'manual',
      headers: { cookie: `phoenix-access-token=${access}; phoenix-refresh-token=${refreshToken}` },
    });

  test('of others creates no keys, and the command-line client creates keys of its user only', async () => {
    const registered = await postJson(`${server.address}/oauth2/register`, { redirect_uris: [REDIRECT] });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const admin = await server.newUser('keys', 'ADMIN');
    const [other, cli] = [await giveAccess(server, admin, { clientId }), await giveAccess(server, admin)];
    const create = async (token: string, path: string) =>
      (await server.as({ bearer: token }).call('POST', path, { data: { name: 'key' } })).status;
    assert.equal(await create(other.access_token, '/v1/user/api_keys'), 403);
    assert.equal(await create(cli.access_token, '/v1/user/api_keys'), 201);
    assert.equal(await create(cli.access_token, '/v1/system/api_keys'), 403);
  });
});

describe('the grant of an application', () => {
  test('is listed for its user and administrators, and is revoked by both and by no one else', async () => {
    const [owner, other, admin] = [
      await server.newUser('grants', 'VIEWER'),
      await server.newUser('others', 'MEMBER'),
      await server.newUser('boss', 'ADMIN'),
    ];
    const tokens = await giveAccess(server, owner);
    await giveAccess(server, owner);
    const grants = await grantsOf(owner);
    assert.equal(grants.length, 2);
    const as = ({ access }: Session) => server.as({ bearer: access });
    const list = '{oauth2Grants {id user {username}}}';
    assert.deepEqual((await as(other).graphql(list)).errors, ['Only admin can perform this action']);
    assert.match(JSON.stringify((await as(admin).graphql(list)).data), /"username":"grants"/);
    const node = `{node(id: "${grants[0]!.id}") {id}}`;
    assert.match((await as(other).graphql(node)).errors[0] ?? '', /not found/);
    assert.deepEqual((await as(owner).graphql(node)).errors, []);

    const revoke = 'mutation ($id: ID!) {revokeOAuth2Grant(input: {id: $id}) {grantId}}';
    const revokeAs = (session: Session, { id }: { id: string }) => as(session).graphql(revoke, { id });
    assert.deepEqual((await revokeAs(other, grants[0]!)).errors, ['OAuth2 grant not found']);
    assert.deepEqual((await revokeAs(owner, grants[0]!)).data, { revokeOAuth2Grant: { grantId: grants[0]!.id } });
    assert.deepEqual((await revokeAs(admin, grants[1]!)).errors, []);
    assert.deepEqual((await revokeAs(owner, grants[1]!)).errors, ['OAuth2 grant not found'], 'a second time');
    assert.equal(await statusOf(tokens.access_token), 401);
    assert.equal((await refresh(server, tokens.refresh_token)).json.error, 'invalid_grant');
    assert.deepEqual(await grantsOf(owner), []);
  });

  test('has the role of its user, survives a sign-out and a new role, and ends with the password', async () => {
    const owner = await server.newUser('role', 'MEMBER');
    const { access_token: token, refresh_token } = await giveAccess(server, owner);
    const patch = (input: object) =>
      server.admin.graphql('mutation ($input: PatchUserInput!) {patchUser(input: $input) {__typename}}', { input });
    await fetch(`${server.address}/auth/logout`, {
      redirect: 'manual',
      headers: { cookie: `phoenix-access-token=${owner.access}` },
    });
    assert.equal(await statusOf(owner.access), 401);
    assert.equal(await statusOf(token), 200);
    const write = () => server.as({ bearer: token }).call('POST', '/v1/projects', { name: 'of-an-app' });
    assert.equal((await write()).status, 200);
    await patch({ userId: owner.id, newRole: 'VIEWER' });
    assert.equal((await write()).status, 403);
    await patch({ userId: owner.id, newPassword: 'another-word-1' });
    assert.equal(await statusOf(token), 401);
    assert.equal((await refresh(server, refresh_token)).json.error, 'invalid_grant');
  });

  test('ends when the user changes the password, is deactivated or is deleted, and does not come back', async () => {
    for (const [name, end] of [
      [
        'changes',
        async ({ access }: Session) => {
          const { errors } = await server
            .as({ bearer: access })
            .graphql('mutation ($input: PatchViewerInput!) {patchViewer(input: $input) {__typename}}', {
              input: { currentPassword: 'word-1', newPassword: 'word-2' },
            });
          assert.deepEqual(errors, []);
        },
      ],
      [
        'deactivated',
        async () => {
          await query(server.databaseUrl, "update users set is_active = false where username = 'deactivated'");
          await query(server.databaseUrl, "update users set is_active = true where username = 'deactivated'");
          await server.ports.signIn?.credentials.sync();
        },
      ],
      [
        'deleted',
        async (session: Session & { readonly id: string }) => {
          assert.equal((await server.admin.call('DELETE', `/v1/users/${session.id}`)).status, 204);
        },
      ],
    ] as const) {
      const owner = await server.newUser(name, 'MEMBER');
      const tokens = await giveAccess(server, owner);
      const config = await discover(server);
      const { url, verifier, state } = await newRequest(config);
      const back = await approve(server, owner, url);
      await end(owner);
      assert.equal(await statusOf(tokens.access_token), 401, name);
      assert.equal((await refresh(server, tokens.refresh_token)).json.error, 'invalid_grant', name);
      const late = authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state });
      await assert.rejects(late, { error: 'invalid_grant' }, `${name}: a code from before`);
    }
  });

  test('is deleted a month after its end, and an application without a grant after a week', async () => {
    const owner = await server.newUser('sweep', 'MEMBER');
    await giveAccess(server, owner);
    const idOf = async (redirectUri: string) => {
      const response = await postJson(`${server.address}/oauth2/register`, { redirect_uris: [redirectUri] });
      return ((await response.json()) as { client_id: string }).client_id;
    };
    const [unused, used] = [await idOf(REDIRECT), await idOf(REDIRECT)];
    await giveAccess(server, owner, { clientId: used });
    const { db } = await openTestStore(cleanUp, { url: server.databaseUrl });
    const sweepIn = (days: number) => credentialRepository(db).sweep(new Date(Date.now() + days * 86_400_000));
    const left = async () => ({
      grants: await query(
        server.databaseUrl,
        `select client_id from oauth2_grants join users on users.id = user_id
         join oauth2_clients on oauth2_clients.id = oauth2_grants.oauth2_client_id where username = 'sweep' order by 1`,
      ),
      clients: await query(
        server.databaseUrl,
        `select client_id from oauth2_clients where client_id in ('${unused}', '${used}', '${CLI}') order by 1`,
      ),
    });
    const clients = (...ids: string[]) => ids.sort().map((id) => ({ client_id: id }));
    await sweepIn(6);
    assert.deepEqual(await left(), { grants: clients(CLI, used), clients: clients(CLI, used, unused) });
    await sweepIn(8);
    assert.deepEqual(await left(), { grants: clients(CLI, used), clients: clients(CLI, used) });
    // The grants end after 90 days.
    await sweepIn(119);
    assert.deepEqual(await left(), { grants: clients(CLI, used), clients: clients(CLI, used) });
    await sweepIn(121);
    assert.deepEqual(await left(), { grants: [], clients: clients(CLI) });
  });
});
