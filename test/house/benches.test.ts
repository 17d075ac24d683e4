import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ROOT } from './repository.ts';

/** Against a bench that hangs; a machine that does much else may take long. */
const BENCH_MS_MAX = 300_000;
const DIR = join(ROOT, 'dist/bench');
const benches = readdirSync(DIR, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.bench.js'))
  .sort();

describe('benches at a tiny size', () => {
  for (const path of benches) {
    test(`runs ${path}`, { timeout: BENCH_MS_MAX }, async (t) => {
      const child = spawn(process.execPath, ['--enable-source-maps', join(DIR, path)], {
        env: { ...process.env, SMOKE: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
        // A group of its own, so that servers which a bench has started go with it.
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
    // All of it has ended.
  }
}
