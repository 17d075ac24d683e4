/**
 * How fast does the Python evaluation library ask a model, and what does it lose? Import, a model with a latency of 200 ms, a model in the
 * process, a million rows, a limit of 100 requests a second with bursts of refusals, the cache, and a run that is killed; beside the
 * public library where it has the same, for at most a minute each. Each measurement is a process of its own, with a fake model in
 * another, and its table is printed at once. `COUNT` divides the sizes, `ONLY` names some of the measurements. Needs `.venv`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPythonRuns, PYTHON } from './python-runs.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DIVISOR = process.env.SMOKE ? 500 : Number(process.env.COUNT ?? 1);
const IMPORT_COUNT = process.env.SMOKE ? 1 : 3;
const ONLY = process.env.ONLY?.split(',');
const ENV = { HOME: process.env.HOME ?? '', PYTHONPATH: join(ROOT, 'clients/python/evals') };
const MODULES = ['spandrel_evals', 'phoenix.evals', 'openai', 'httpx', 'pandas'];
const LATENCY = ['--latency', '0.2'];
const RATE = 100;
/** Refused for 300 ms of every 5 s. */
const LIMIT = ['--latency', '0.05', '--requests-per-second', `${RATE}`, '--refusal-bursts', '5', '0.3'];
const IDEAL = 64 / 0.2;
/** For runs of the public library, which may take hours behind a limit. */
const PUBLIC_MS_MAX = 60_000;

interface Measured {
  readonly seconds: number;
  readonly mib: number;
  readonly errors?: number;
  readonly cpu?: number;
  readonly firstSecond?: number;
  readonly refused?: number;
  readonly twice?: number;
  /** Whether it was ended before it was done. */
  readonly isLonger?: boolean;
}

const rows: Record<string, string | number>[] = [];
const isWanted = (what: string) => ONLY === undefined || ONLY.includes(what);
const sizeOf = (count: number) => Math.max(1, Math.ceil(count / DIVISOR));

function add(what: string, library: string, count: number, measured: Measured, result: string, goal: string): void {
  rows.push({
    what,
    library,
    rows: count,
    s: `${measured.isLonger ? 'more than ' : ''}${measured.seconds.toFixed(3)}`,
    'rows/s': `${measured.isLonger ? 'less than ' : ''}${Math.round(count / measured.seconds)}`,
    errors: measured.errors ?? '',
    MiB: Number.isNaN(measured.mib) ? '' : Math.round(measured.mib),
    result,
    goal,
  });
}

function print(): void {
  if (rows.length > 0) console.table(rows.splice(0));
}

async function withModel(options: readonly string[], run: (url: string) => Promise<void>): Promise<void> {
  const child: ChildProcess = spawn(PYTHON, ['-B', '-m', 'spandrel_evals.fake_model', '--port', '0', ...options], {
    env: { PATH: process.env.PATH, ...ENV },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString()));
      child.once('exit', (code) => reject(new Error(`the fake model ended with ${code}`)));
    });
    await run(/http:\/\/[\d.:]+/.exec(line)?.[0] ?? '');
  } finally {
    child.kill();
  }
}

const bytesOf = (path: string): number =>
  statSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
    : statSync(path).size;

async function bench(): Promise<void> {
  const python = openPythonRuns('python_evals.py', { env: ENV, modules: MODULES });
  const measure = async (library: string, what: string, count: number, url = ''): Promise<Measured> => {
    const msMax = library === 'public' ? { msMax: PUBLIC_MS_MAX } : {};
    const found = await python.measure<Measured>({ args: [library, what, count, url], ...msMax });
    return found ?? { seconds: PUBLIC_MS_MAX / 1_000, mib: Number.NaN, isLonger: true };
  };
  try {
    await measureAll(measure);
  } finally {
    python.close();
  }
}

type Measure = (library: string, what: string, count: number, url?: string) => Promise<Measured>;

async function measureAll(measure: Measure): Promise<void> {
  if (isWanted('import')) {
    const best = async (library: string) => {
      let least = await measure(library, 'import', 1);
      for (let turn = 1; turn < IMPORT_COUNT; turn++) {
        const one = await measure(library, 'import', 1);
        if (one.seconds < least.seconds) least = one;
      }
      return least;
    };
    const [ours, theirs] = [await best('ours'), await best('public')];
    add('import', 'ours', 1, ours, `${(theirs.seconds / ours.seconds).toFixed(0)} times faster`, '< 0.1 s, 5 times');
    add('import', 'public', 1, theirs, '', '');
    print();
  }
  if (isWanted('latency')) {
    await withModel(LATENCY, async (url) => {
      for (const [library, what, total] of [
        ['ours', 'latency', 6_400],
        ['ours', 'latency-openai', 6_400],
        ['public', 'latency', 6_400],
      ] as const) {
        const count = sizeOf(total);
        const found = await measure(library, what, count, url);
        const share = `${found.isLonger ? 'less than ' : ''}${((100 * count) / found.seconds / IDEAL).toFixed(1)} % of ideal`;
        const first = found.firstSecond === undefined ? '' : `, ${found.firstSecond} in the first second`;
        add(what, library, count, found, share + first, '95 %');
      }
    });
    print();
  }
  if (isWanted('local')) {
    const count = sizeOf(20_000);
    const ours = await measure('ours', 'local', count);
    add('local', 'ours', count, ours, `${((1e6 * (ours.cpu ?? 0)) / count).toFixed(0)} µs CPU a row`, '1,500 rows/s');
    const theirs = await measure('public', 'local', sizeOf(5_000));
    const cpu = theirs.isLonger ? '' : `${((1e6 * (theirs.cpu ?? 0)) / sizeOf(5_000)).toFixed(0)} µs CPU a row`;
    add('local (a function)', 'public', sizeOf(5_000), theirs, cpu, '');
    print();
  }
  if (isWanted('stream')) {
    const count = sizeOf(1_000_000);
    const found = await measure('ours', 'stream', count);
    add('stream', 'ours', count, found, `${Math.round(found.mib)} MiB`, '< 300 MB');
    print();
  }
  if (isWanted('limit')) {
    const count = sizeOf(3_000);
    // The bucket is full at the start, and nothing is answered during the bursts.
    const ideal = Math.max(count - RATE, 1) / RATE / (1 - 0.3 / 5);
    for (const headers of [[], ['--no-limit-headers']]) {
      await withModel([...LIMIT, ...headers], async (url) => {
        const found = await measure('ours', 'limit', count, url);
        const refused = (100 * (found.refused ?? 0)) / (count + (found.refused ?? 0));
        const result = `${(found.seconds / ideal).toFixed(2)} of ideal, ${refused.toFixed(1)} % refused`;
        add(headers.length ? 'limit, not stated' : 'limit', 'ours', count, found, result, '1.15, 3 %');
      });
    }
    await withModel(LIMIT, async (url) => {
      const found = await measure('public', 'limit', sizeOf(1_000), url);
      add('limit', 'public', sizeOf(1_000), found, '', '');
    });
    print();
  }
  if (isWanted('cached')) {
    const count = sizeOf(20_000);
    add('cached', 'ours', count, await measure('ours', 'cached', count), '', '10,000 rows/s');
    print();
  }
  if (isWanted('killed')) {
    await withModel(['--latency', '0.02'], async (url) => {
      const count = sizeOf(10_000);
      const found = await measure('ours', 'killed', count, url);
      add('killed', 'ours', count, found, `${found.twice} asked twice`, '64');
    });
    print();
  }
  if (isWanted('install')) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-install-'));
    try {
      const { status, stderr } = spawnSync(
        PYTHON,
        [
          ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile', '--target', folder],
          ...['--no-index', '--find-links', join(ROOT, '.venv/wheels'), 'httpx', 'pydantic'],
        ],
        { encoding: 'utf8' },
      );
      if (status !== 0) throw new Error(stderr);
      const bytes = bytesOf(folder) + bytesOf(join(ROOT, 'clients/python/evals/spandrel_evals'));
      const size = { seconds: 1, mib: bytes / 2 ** 20 };
      add('install', 'ours', 1, size, `${(bytes / 1e6).toFixed(1)} MB`, '< 15 MB');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    print();
  }
}

if (existsSync(PYTHON)) await bench();
else console.log(`There is no ${PYTHON}: bash scripts/python-clients.sh`);
