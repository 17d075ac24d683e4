import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
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

test('a URL with tokens is used over TLS alone, as strictly as it says', () => {
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
