import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cleanUpAfter, openTestPostgres } from '../metadata-store/fixtures.ts';
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

/** Metadata is all that the other database holds, so only tests of what is there run on it again. */
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
      if (database === 'external') env.SERVICE_SQL_DATABASE_URL = await (await openTestPostgres(cleanUp)).newDatabase();
      const dataDir = await makeDataDir();
      cleanUp(() => removeDataDir(dataDir));
      server = await startServer({ dataDir, env });
      cleanUp(async () => {
        await server.stop();
      });
    });

    test(`read ${claim}`, async () => {
      const { code, output } = await run(server, only);

      assert.equal(code, 0, output);
      assert.match(output, /Ran \d\d tests/);
    });
  });
}

function run(server: ServerProcess, only: readonly string[]): Promise<{ code: number | null; output: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SERVICE|PHOENIX|OTEL|PYTHON)/.test(name));
  const chosen = only.flatMap((name) => ['-k', name]);
  const child = spawn(
    PYTHON,
    ['-B', '-m', 'unittest', 'discover', '--verbose', '--start-directory', TESTS, ...chosen],
    {
      env: { ...Object.fromEntries(inherited), SERVER_URL: server.url, GRPC_ENDPOINT: `http://${server.grpcAddress}` },
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
