import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cleanUpAfter } from '../metadata-store/fixtures.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../e2e/server-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PYTHON = join(ROOT, '.venv/bin/python');
const PACKAGE = join(ROOT, 'clients/python/client');
const TESTS = join(PACKAGE, 'tests');
const SETUP = join(ROOT, 'scripts/python-clients.sh');

/** Creates .venv. Returns its message if this machine has no Python, the only reason to skip the tests. */
function reasonToSkip(): string | false {
  const { status, stderr } = spawnSync('bash', [SETUP], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${SETUP} failed:\n${stderr}`);
  return existsSync(PYTHON) ? false : stderr.trim();
}

const skip = reasonToSkip();

describe('the Python client', { skip }, () => {
  let server: ServerProcess;

  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const dataDir = await makeDataDir();
    cleanUp(() => removeDataDir(dataDir));
    server = await startServer({ dataDir });
    cleanUp(async () => {
      await server.stop();
    });
  });

  for (const file of skip ? [] : readdirSync(TESTS).filter((name) => /^test_.*\.py$/.test(name))) {
    test(`passes ${file}`, async () => {
      const { code, output } = await run([PYTHON, '-B', '-m', 'unittest', '--verbose', file.replace(/\.py$/, '')]);

      assert.equal(code, 0, output);
      assert.match(output, /Ran \d+ tests?/);
    });
  }

  const run = (command: readonly string[]): Promise<{ code: number | null; output: string }> =>
    new Promise((resolve, reject) => {
      const inherited = Object.entries(process.env).filter(
        ([name]) => !/^(SERVICE|PHOENIX|SPANDREL|OTEL|PYTHON)/.test(name),
      );
      const child = spawn(command[0]!, command.slice(1), {
        cwd: TESTS,
        env: { ...Object.fromEntries(inherited), SERVER_URL: server.url, PYTHONPATH: PACKAGE },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const chunks: Buffer[] = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString('utf8') }));
    });
});
