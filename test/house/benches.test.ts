import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ServerProcess, startServer } from '../e2e/server-process.ts';
import { ROOT } from './repository.ts';

/** Time limit for a bench that hangs; benches may take long on a busy machine. */
const BENCH_MS_MAX = 300_000;
const DIR = join(ROOT, 'dist/bench');
const benches = readdirSync(DIR, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.bench.js'))
  .sort();

describe('benches at a tiny size', () => {
  let server: ServerProcess;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  for (const path of benches) {
    test(`runs ${path}`, { timeout: BENCH_MS_MAX }, async (t) => {
      const { pid, url, grpcAddress, dataDir } = server;
      const child = spawn(process.execPath, [join(DIR, path)], {
        // The benches that accept any server share one, because a start takes longer than most of them.
        env: { ...process.env, SMOKE: '1', BENCH_SERVER: JSON.stringify({ pid, url, grpcAddress, dataDir }) },
        stdio: ['ignore', 'pipe', 'pipe'],
        // A separate process group, so that servers of the bench end with it.
        detached: true,
      });
      t.after(() => killGroup(child.pid));
      const output: Buffer[] = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));

      const exitCode = await new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('close', resolve);
      });

      assert.equal(exitCode, 0, Buffer.concat(output).toString('utf8'));
    });
  }
});

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes of the group have ended.
  }
}
