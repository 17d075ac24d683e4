import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { silentLog } from '../../src/base/log.ts';
import { openTokenSource, type TokenSource } from '../../src/metadata-store/database/cloud-identity.ts';
import { openDb } from '../../src/metadata-store/database/database.ts';
import { parseDatabaseUrl } from '../../src/metadata-store/database/database-url.ts';
import { openPool } from '../../src/metadata-store/database/pool.ts';
import { reachDatabase } from '../../src/metadata-store/database/reach-database.ts';
import { hasDebianPostgres, openDebianPostgres } from './debian-postgres.ts';
import { type CleanUp, cleanUpAfter } from './fixtures.ts';

const SESSION = { log: silentLog, clientName: 'test' };

test('a package that is not installed is named', async () => {
  await assert.rejects(
    openTokenSource({ kind: 'aws' }, () => import(String('@spandrel/not-installed'))),
    /SERVICE_POSTGRES_USE_AWS_IAM_AUTH needs the package @aws-sdk\/rds-signer, which is not installed/,
  );
  await assert.rejects(
    openTokenSource({ kind: 'azure', scope: 's' }, () => import(String('@spandrel/not-installed'))),
    /USE_AZURE_MANAGED_IDENTITY needs the package @azure\/identity/,
  );
});

test('a URL with tokens is used over TLS alone, as strictly as it specifies', () => {
  const tokens: TokenSource = async () => 'token';
  const attempts = (parameters: string) =>
    parseDatabaseUrl(`postgresql://u@h/d${parameters}`, tokens).tlsAttempts.map((tls) =>
      tls === false ? 'plain' : tls.rejectUnauthorized,
    );

  for (const parameters of ['', '?sslmode=prefer', '?sslmode=allow', '?sslmode=require', '?sslmode=disable']) {
    assert.deepEqual(attempts(parameters), [false], parameters);
  }
  assert.deepEqual(attempts('?sslmode=verify-full'), [undefined]);
});

/** Sets variables of the environment until the test ends. Those of the machine that a library would read are unset. */
function setEnvironment(t: TestContext, variables: Readonly<Record<string, string>>): void {
  const before = { ...process.env };
  for (const name of Object.keys(process.env))
    if (/^(AWS|AZURE|IDENTITY|MSI|IMDS)_/.test(name)) delete process.env[name];
  Object.assign(process.env, variables);
  t.after(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
    Object.assign(process.env, before);
  });
}

/** An endpoint for credentials of a machine. Returns its URL and the requests that it has received. */
async function openMachine(t: TestContext, response: object) {
  const requests: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];
  const server = createServer(({ url = '', headers }, reply) => {
    requests.push({ url, headers });
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

test('the library of AWS signs a token with the credentials of the container', async (t) => {
  const { url, requests } = await openMachine(t, {
    AccessKeyId: 'AKIDEXAMPLE',
    SecretAccessKey: 'a-secret-access-key',
    Token: 'session-token',
    Expiration: new Date(Date.now() + 3_600_000).toISOString(),
  });
  setEnvironment(t, {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/credentials`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: 'of-the-container',
    AWS_REGION: 'eu-central-1',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  });
  const tokens = await openTokenSource({ kind: 'aws' });

  const token = await tokens({ host: 'db.example.com', port: 5432, user: 'spandrel' });

  assert.match(token, /^db\.example\.com:5432\/\?/);
  const fields = new URL(`https://${token}`).searchParams;
  assert.deepEqual(
    ['Action', 'DBUser', 'X-Amz-Expires', 'X-Amz-Security-Token', 'X-Amz-Algorithm'].map((name) => fields.get(name)),
    ['connect', 'spandrel', '900', 'session-token', 'AWS4-HMAC-SHA256'],
  );
  assert.match(fields.get('X-Amz-Credential') ?? '', /^AKIDEXAMPLE\/\d{8}\/eu-central-1\/rds-db\/aws4_request$/);
  assert.match(fields.get('X-Amz-Signature') ?? '', /^[0-9a-f]{64}$/);
  assert.ok(!token.includes('a-secret-access-key'));
  assert.deepEqual(
    requests.map(({ url: path, headers }) => [path, headers.authorization]),
    [['/credentials', 'of-the-container']],
  );
});

test('the library of AWS without credentials is a database that is away', async (t) => {
  setEnvironment(t, {
    ...{ AWS_EC2_METADATA_DISABLED: 'true', AWS_REGION: 'eu-central-1' },
    ...{ AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' },
  });
  const tokens = await openTokenSource({ kind: 'aws' });

  await assert.rejects(tokens({ host: 'db.example.com', port: 5432, user: 'spandrel' }), {
    message: /^AWS gives no token for Postgres: /,
    code: '08006',
  });
});

describe('Postgres 15 with tokens', { skip: !hasDebianPostgres }, () => {
  /** An endpoint as a cloud has it, which returns the current password as the token. */
  async function openTokenEndpoint(cleanUp: CleanUp) {
    let requestCount = 0;
    let token: string | undefined = 'secret';
    const server = createServer((_request, response) => {
      requestCount++;
      response.writeHead(token === undefined ? 503 : 200).end(token);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUp(async () => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const targets: object[] = [];
    class Signer {
      constructor(target: object) {
        targets.push(target);
      }
      async getAuthToken() {
        const response = await fetch(url);
        if (!response.ok) throw new Error(`status ${response.status}`);
        return response.text();
      }
    }
    return {
      tokens: await openTokenSource({ kind: 'aws' }, async () => ({ Signer })),
      targets,
      requestCount: () => requestCount,
      setToken: (next: string | undefined) => {
        token = next;
      },
    };
  }

  test('the library of Azure logs in with the token of a managed identity', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const { url, requests } = await openMachine(t, {
      access_token: 'secret',
      expires_on: String(Math.floor(Date.now() / 1_000) + 7_200),
      resource: 'https://ossrdbms-aad.database.windows.net',
      token_type: 'Bearer',
    });
    setEnvironment(t, { IDENTITY_ENDPOINT: `${url}/msi/token`, IDENTITY_HEADER: 'of-the-machine' });
    const { port } = await openDebianPostgres(cleanUp);
    const scope = 'https://ossrdbms-aad.database.windows.net/.default';
    const tokens = await openTokenSource({ kind: 'azure', scope });
    const pool = openPool(
      await reachDatabase(parseDatabaseUrl(`postgresql://postgres@localhost:${port}/postgres`, tokens), SESSION),
      SESSION,
    );
    cleanUp(() => pool.end());

    const { rows } = await pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');

    assert.deepEqual(rows, [{ ssl: true }]);
    const [request] = requests;
    assert.equal(request?.headers['x-identity-header'], 'of-the-machine');
    assert.match(decodeURIComponent(request?.url ?? ''), /resource=https:\/\/ossrdbms-aad\.database\.windows\.net/);
  });

  test('each connection uses a new token, over TLS', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const { port } = await openDebianPostgres(cleanUp);
    const endpoint = await openTokenEndpoint(cleanUp);
    const address = parseDatabaseUrl(`postgresql://postgres@localhost:${port}/postgres`, endpoint.tokens);
    const pool = openPool(await reachDatabase(address, SESSION), SESSION);
    cleanUp(() => pool.end());
    const before = endpoint.requestCount();

    const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    for (const client of clients) {
      const { rows } = await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
      assert.deepEqual(rows, [{ ssl: true }]);
      client.release();
    }
    await pool.query('select 1');

    assert.equal(endpoint.requestCount() - before, 3, 'a connection that is reused needs no token');
    assert.deepEqual(endpoint.targets[0], { hostname: 'localhost', port, username: 'postgres' });
  });

  test('a cloud without tokens is a database that is away, and works again by itself', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const { port } = await openDebianPostgres(cleanUp);
    const endpoint = await openTokenEndpoint(cleanUp);
    const address = parseDatabaseUrl(`postgresql://postgres@localhost:${port}/postgres`, endpoint.tokens);
    const pool = openPool(await reachDatabase(address, SESSION), SESSION);
    cleanUp(() => pool.end());
    const db = openDb(pool, SESSION);
    const read = () => db.introspection.getSchemas();

    endpoint.setToken(undefined);
    await assert.rejects(read(), { code: 'STORE_UNAVAILABLE' });
    endpoint.setToken('wrong-t0ken');
    await assert.rejects(read(), (error: Error) => !error.message.includes('wrong-t0ken'));
    endpoint.setToken('secret');

    assert.ok((await read()).length > 0);
  });
});
