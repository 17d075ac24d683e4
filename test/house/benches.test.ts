import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type ServerProcess, startServer } from '../e2e/server-process.ts';
import { ROOT } from './repository.ts';

/** Time limit for a bench that hangs; benches may take long on a busy machine. */
const BENCH_MS_MAX = 300_000;
/** Benches of a process. If one of them ends it, those after it fail, too. */
const BENCH_COUNT = 20;
/** The flags of V8 with which a long run of tests saves processor time (`scripts/test.mjs`), without the modules that it preloads. */
const V8_FLAGS = process.execArgv.filter((flag) => !flag.startsWith('--import'));
const DIR = join(ROOT, 'dist/bench');
const RUN_BENCHES = fileURLToPath(new URL('run-benches.js', import.meta.url));
const benches = readdirSync(DIR, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.bench.js'))
  .sort();

describe('benches at a tiny size', () => {
  let server: ServerProcess;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  for (let from = 0; from < benches.length; from += BENCH_COUNT) {
    const paths = benches.slice(from, from + BENCH_COUNT);
    let running: RunningBenches | undefined;
    const start = () => {
      running ??= runBenches(paths, server);
      return running;
    };
    for (const path of paths) {
      test(`runs ${path}`, { timeout: BENCH_MS_MAX }, async (t) => {
        let isOver = false;
        t.after(() => {
          if (!isOver) running?.kill();
        });
        const { problem, output } = await start().ended(path);
        isOver = true;

        assert.equal(problem, '', output);
      });
    }
    test(`leaves nothing behind that keeps a process from its end, after ${paths.at(-1)}`, {
      timeout: BENCH_MS_MAX,
    }, async (t) => {
      t.after(() => running?.kill());

      assert.equal(await start().exitCode, 0);
    });
  }
});

interface RunningBenches {
  /** Resolves when a bench has ended, with its problem, which is empty if there is none. */
  ended(path: string): Promise<{ readonly problem: string; readonly output: string }>;
  readonly exitCode: Promise<number | null>;
  /** Kills the process and the servers that its benches have started. */
  kill(): void;
}

function runBenches(paths: readonly string[], { pid, url, grpcAddress, dataDir }: ServerProcess): RunningBenches {
  const mark = randomUUID();
  const child = spawn(process.execPath, [...V8_FLAGS, RUN_BENCHES, mark, ...paths.map((path) => join(DIR, path))], {
    // The benches that accept any server share one, because a start takes longer than most of them.
    env: { ...process.env, SMOKE: '1', BENCH_SERVER: JSON.stringify({ pid, url, grpcAddress, dataDir }) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that servers of a bench end with it.
    detached: true,
  });
  const exitCode = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let output = '';
  const read = () => output;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output += text;
    });
  }
  return {
    exitCode,
    async ended(path) {
      const problemOf = () => findProblem(read(), mark, join(DIR, path));
      const isOver = exitCode.then(() => true);
      while (problemOf() === undefined) {
        const next = new Promise<boolean>((resolve) => child.stdout.once('data', () => resolve(false)));
        if (await Promise.race([isOver, next])) break;
      }
      return { problem: problemOf() ?? 'the process has ended before it', output: read() };
    },
    kill: () => killGroup(child),
  };
}

function findProblem(output: string, mark: string, path: string): string | undefined {
  for (const line of output.split('\n').slice(0, -1)) {
    if (!line.startsWith(`${mark} `)) continue;
    const ended = JSON.parse(line.slice(mark.length)) as { readonly path: string; readonly problem: string };
    if (ended.path === path) return ended.problem;
  }
  return undefined;
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes of the group have ended.
  }
}
