import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { allowInsecureRequests, authorizationCodeGrant, dynamicClientRegistration, None } from 'openid-client';
import { cleanUpAfter, temporaryDirectory, until } from '../metadata-store/fixtures.ts';
import { approve, discover, giveAccess, newRequest, REDIRECT, refresh } from '../api/access/application.ts';
import { postJson, SECRET, sessionOf, toClient } from '../api/access/signed-in-server.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const MAIN = fileURLToPath(new URL('../../server/main.js', import.meta.url));

describe('applications of the built server', () => {
  const cleanUp = cleanUpAfter(after);

  test('register themselves, and keep their access over a restart and a kill, unless it was revoked', async () => {
    const dataDir = await temporaryDirectory(cleanUp);
    const env = { SERVICE_ENABLE_AUTH: 'true', SERVICE_SECRET: SECRET };
    let server: ServerProcess = await startServer({ dataDir, env });
    cleanUp(() => server.kill9());
    const at = { address: server.url };
    const reopen = async (end: (running: ServerProcess) => Promise<unknown>) => {
      const { ports } = server;
      await end(server);
      server = await startServer({ dataDir, env, ports });
    };
    const statusOf = async (bearer: string) => (await toClient(server.url, { bearer }).call('GET', '/v1/user')).status;
    const session = sessionOf(
      await postJson(`${server.url}/auth/login`, { email: 'admin@localhost', password: 'admin' }),
    );

    const registered = await dynamicClientRegistration(
      new URL(server.url),
      { client_name: 'Agent', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
      None(),
      { execute: [allowInsecureRequests], algorithm: 'oauth2' },
    );
    const clientId = registered.clientMetadata().client_id;
    const [kept, revoked] = [
      await giveAccess(at, session, { clientId }),
      await giveAccess(at, session, { clientId, resource: server.url }),
    ];
    const used = await refresh(at, kept.refresh_token, clientId);
    const config = await discover(at, clientId);
    const { url, verifier, state } = await newRequest(config);
    const back = await approve(at, session, url);

    await reopen((running) => running.stop());
    assert.equal(await statusOf(String(used.json.access_token)), 200);
    assert.equal(await statusOf(kept.access_token), 401, 'a refresh has replaced it');
    const late = await authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state });
    assert.equal(await statusOf(late.access_token), 200, 'a code from before the restart');
    const grantOf = (token: string) =>
      fetch(`${server.url}/oauth2/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token, client_id: clientId }),
      });
    assert.equal((await grantOf(revoked.refresh_token)).status, 200);

    await reopen((running) => running.kill9());
    assert.equal(await statusOf(revoked.access_token), 401);
    assert.equal((await refresh(at, revoked.refresh_token, clientId)).json.error, 'invalid_grant');
    assert.equal(await statusOf(late.access_token), 200);
    const replay = await refresh(at, kept.refresh_token, clientId);
    assert.equal(replay.json.error, 'invalid_grant', 'a replay is noticed after a restart, too');
    assert.equal(await statusOf(String(used.json.access_token)), 401);

    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'user', 'end-sessions', 'admin@localhost'], {
      env: { ...process.env, SERVICE_WORKING_DIR: dataDir, SERVICE_SECRET: SECRET },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    await until('the server has noticed', async () => (await statusOf(late.access_token)) === 401);
  });
});
