import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cleanUpAfter, openTestPostgres } from '../metadata-store/fixtures.ts';
import { ADMIN_SECRET, postJson, SECRET, sessionOf, toClient } from '../api/access/signed-in-server.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../e2e/server-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PYTHON = `${ROOT}.venv/bin/python`;
const TESTS = `${ROOT}test/clients/python`;
const SETUP = `${ROOT}scripts/python-clients.sh`;

/** Makes .venv; its own words when that machine has no Python, which is the one reason not to run these tests. */
function reasonToSkip(): string | false {
  const { status, stderr } = spawnSync('bash', [SETUP], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${SETUP} failed:\n${stderr}`);
  return existsSync(PYTHON) ? false : stderr.trim();
}

const skip = reasonToSkip();

/**
 * Metadata is all that the other database holds, so only tests of what is there run on it again. That server has sign-in, and
 * the clients a key, which they take from their environment.
 */
const VARIANTS = [
  { database: 'embedded', only: [], claim: 'what they and register() have sent, over HTTP and gRPC' },
  { database: 'external', only: ['Datasets', 'Experiments', 'Prompts'], claim: 'datasets, experiments and prompts' },
] as const;

for (const { database, only, claim } of VARIANTS) {
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

    test(`read ${claim}`, async () => {
      const { code, output } = await run(server, only, database === 'external' ? await newKey(server) : undefined);

      assert.equal(code, 0, output);
      assert.match(output, /Ran \d\d tests/);
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

function run(
  server: ServerProcess,
  only: readonly string[],
  key: string | undefined,
): Promise<{ code: number | null; output: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SERVICE|PHOENIX|OTEL|PYTHON)/.test(name));
  const chosen = only.flatMap((name) => ['-k', name]);
  const child = spawn(
    PYTHON,
    ['-B', '-m', 'unittest', 'discover', '--verbose', '--start-directory', TESTS, ...chosen],
    {
      env: {
        ...Object.fromEntries(inherited),
        SERVER_URL: server.url,
        GRPC_ENDPOINT: `http://${server.grpcAddress}`,
        ...(key && { PHOENIX_API_KEY: key }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString('utf8') }));
  });
}
