import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const PYTHON = join(ROOT, '.venv/bin/python');
/** Folder with pandas 3, to come before the packages of `.venv` in a search path. */
export const PANDAS_3 = join(ROOT, '.venv/pandas-3');
const SETUP = join(ROOT, 'scripts/python-clients.sh');
const RUN_TESTS = join(ROOT, 'test/clients/python/run_tests.py');
/** Settings of the developer, which the clients and the libraries of vendors would read. */
const SETTINGS = /^(SERVICE|PHOENIX|SPANDREL|OTEL|PYTHON|OPENAI|ANTHROPIC|GOOGLE)/;

/** Updates `.venv`. Nothing creates it but scripts/python-clients.sh, because tests ask for nothing beside Node: without it they skip. */
export function reasonToSkip(): string | false {
  if (!existsSync(PYTHON)) return `there is no .venv: ${SETUP} makes it`;
  const { status, stderr } = spawnSync('bash', [SETUP], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${SETUP} failed:\n${stderr}`);
  return false;
}

export interface OtherPython {
  /** Such as `3.14`. */
  readonly version: string;
  readonly path: string;
  /** What our evaluation library needs beside pure Python packages, for this version. */
  readonly packages: string;
}

/** The Pythons from 3.10 on that this machine has besides that of `.venv`, one of each version. */
export function otherPythons(): readonly OtherPython[] {
  const folder = join(ROOT, '.venv/pythons');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((version) => {
    const packages = join(folder, version);
    // Not the link, beside which a Python would look for its library.
    return { version, path: realpathSync(join(packages, 'python')), packages };
  });
}

export interface PythonOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command, such as `[PYTHON, '-c', '…']`, without settings of the developer. */
export const runCommand = (command: readonly string[], options: PythonOptions): Promise<Ended> =>
  start(command, options).ended;

/**
 * Runs the Python tests of a folder in one process, because each process would import the packages again. Each becomes a subtest of `t`.
 * With `only`, tests whose name contains one of these texts.
 */
export async function passPythonTests(
  t: TestContext,
  folder: string,
  { only = [], options = [], ...rest }: PythonOptions & { only?: readonly string[]; options?: readonly string[] },
): Promise<{ readonly count: number; readonly output: string }> {
  const { lines, ended } = start([PYTHON, '-B', ...options, RUN_TESTS, folder, ...only], rest);
  let count = 0;
  let running: Promise<void> | undefined;
  let end = (_: PythonResult) => {};
  const startTest = (name: string) => {
    const result = new Promise<PythonResult>((resolve) => {
      end = resolve;
    });
    running = t.test(name, async (subtest) => {
      const { problem, skipped } = await result;
      if (skipped !== null) subtest.skip(skipped);
      assert.equal(problem, '');
    });
    count++;
  };
  for await (const line of lines) {
    const event = JSON.parse(line) as { readonly test: string } | PythonResult;
    if ('test' in event) startTest(event.test);
    else {
      end(event);
      await running;
    }
  }
  const { code, output } = await ended;
  end({ problem: `the process ended with ${code} during this test\n${output}`, skipped: null });
  await running;
  assert.equal(code, 0, output);
  return { count, output };
}

interface PythonResult {
  readonly problem: string;
  /** Null if the test was not skipped. */
  readonly skipped: string | null;
}

function start(command: readonly string[], { cwd, env }: PythonOptions) {
  const inherited = Object.entries(process.env).filter(([name]) => !SETTINGS.test(name));
  const child = spawn(command[0]!, command.slice(1), {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString('utf8') }));
  });
  ended.catch(() => undefined);
  return { ended, lines: createInterface({ input: child.stdio[3] as Readable }) };
}
