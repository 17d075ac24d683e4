import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

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

describe('the Python clients', { skip }, () => {
  let server: ServerProcess;
  let dataDir: string;

  before(async () => {
    dataDir = await makeDataDir();
    server = await startServer({ dataDir });
  });

  after(async () => {
    await server.stop();
    await removeDataDir(dataDir);
  });

  test('read back what they and register() have sent, over HTTP and gRPC', async () => {
    const { code, output } = await run(server);

    assert.equal(code, 0, output);
    assert.match(output, /Ran \d\d tests/);
  });
});

function run(server: ServerProcess): Promise<{ code: number | null; output: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SERVICE|PHOENIX|OTEL|PYTHON)/.test(name));
  const child = spawn(PYTHON, ['-B', '-m', 'unittest', 'discover', '--verbose', '--start-directory', TESTS], {
    env: { ...Object.fromEntries(inherited), SERVER_URL: server.url, GRPC_ENDPOINT: `http://${server.grpcAddress}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString('utf8') }));
  });
}
