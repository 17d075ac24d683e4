import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isSmoke } from '../whole-server/measure.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const PYTHON = join(ROOT, '.venv/bin/python');
const FORK_RUNS = join(ROOT, 'test/clients/python/fork_runs.py');

export interface PythonRun {
  /** Arguments after the path of the program. */
  readonly args: readonly (string | number)[];
  /** The program is ended after this time, at full size. */
  readonly msMax?: number;
}

/** Runs a Python program, each time in a process of its own. */
export interface PythonRuns {
  /** Returns the JSON of the last line that the program prints, or undefined if it took longer than `msMax`. */
  measure<Measured>(run: PythonRun): Promise<Measured | undefined>;
  close(): void;
}

/**
 * A measurement starts a new Python. At the tiny size of a test run, whose figures nobody reads, it is a fork of a process that has
 * imported `modules` once, because imports would take most of the time.
 */
export function openPythonRuns(
  script: string,
  { env, modules }: { readonly env: Readonly<Record<string, string>>; readonly modules: readonly string[] },
): PythonRuns {
  const environment = { PATH: process.env.PATH ?? '', ...env };
  const path = join(ROOT, 'bench/clients', script);
  const read = <Measured>(args: PythonRun['args'], { status, stdout, stderr }: Ended): Measured => {
    if (status !== 0) throw new Error(`${script} ${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured;
  };
  if (!isSmoke) {
    return {
      async measure({ args, msMax }) {
        const ended = spawnSync(PYTHON, ['-B', path, ...args.map(String)], {
          encoding: 'utf8',
          env: environment,
          ...(msMax !== undefined && { timeout: msMax }),
        });
        if (ended.error && 'code' in ended.error && ended.error.code === 'ETIMEDOUT') return undefined;
        return read(args, ended);
      },
      close: () => {},
    };
  }
  const child: ChildProcess = spawn(PYTHON, ['-B', FORK_RUNS, ...modules], {
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    async measure({ args }) {
      child.stdin!.write(`${JSON.stringify({ argv: [path, ...args.map(String)], env: environment, cwd: ROOT })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`the process that runs ${script} has ended`);
      return read(args, JSON.parse(value) as Ended);
    },
    close: () => child.stdin!.end(),
  };
}

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
