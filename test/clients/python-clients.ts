import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, openTestPostgres } from '../metadata-store/fixtures.ts';
import { ADMIN_SECRET, postJson, SECRET, sessionOf, toClient } from '../api/access/signed-in-server.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../e2e/server-process.ts';
import { passPythonTests, ROOT, reasonToSkip } from './python-process.ts';

const TESTS = join(ROOT, 'test/clients/python');

/**
 * Runs the tests of the public Python clients against a server. With an external Postgres, the server has sign-in, and the clients a key,
 * which they take from their environment.
 *
 * @param only texts of the names of the tests to run; all if it is empty
 */
export function testPythonClients(database: 'embedded' | 'external', only: readonly string[], claim: string): void {
  const skip = reasonToSkip();
  describe(`the Python clients, on ${database} Postgres`, { skip }, () => {
    let server: ServerProcess;

    const cleanUp = cleanUpAfter(after);
    before(async () => {
      const env: Record<string, string> = {};
      if (database === 'external') {
        env.SERVICE_SQL_DATABASE_URL = await (await openTestPostgres(cleanUp)).newDatabase();
        Object.assign(env, { SERVICE_ENABLE_AUTH: 'true', SERVICE_SECRET: SECRET, SERVICE_ADMIN_SECRET: ADMIN_SECRET });
      }
      const dataDir = await makeDataDir({ isEmpty: database === 'external' });
      cleanUp(() => removeDataDir(dataDir));
      server = await startServer({ dataDir, env });
      cleanUp(async () => {
        await server.stop();
      });
    });

    test(`read ${claim}`, async (t) => {
      const key = database === 'external' ? await newKey(server) : undefined;
      const env = {
        SERVER_URL: server.url,
        GRPC_ENDPOINT: `http://${server.grpcAddress}`,
        ...(key && { PHOENIX_API_KEY: key }),
      };

      const { count } = await passPythonTests(t, TESTS, { cwd: ROOT, env, only });

      assert.ok(count >= 10, `${count} tests`);
    });
  });
}

/** A key of a member. */
async function newKey({ url }: ServerProcess): Promise<string> {
  const user = { auth_method: 'LOCAL', email: 'py@example.com', username: 'py', role: 'MEMBER', password: 'word-1' };
  const { status } = await toClient(url, { bearer: ADMIN_SECRET }).call('POST', '/v1/users', { user });
  assert.equal(status, 201);
  const { access } = sessionOf(await postJson(`${url}/auth/login`, { email: user.email, password: user.password }));
  const { json } = await toClient(url, { bearer: access }).call('POST', '/v1/user/api_keys', { data: { name: 'py' } });
  return (json as { data: { key: string } }).data.key;
}
