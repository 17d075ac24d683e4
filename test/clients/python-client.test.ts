import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { cleanUpAfter } from '../metadata-store/fixtures.ts';
import { freePort, makeDataDir, removeDataDir, type ServerProcess, startServer } from '../e2e/server-process.ts';
import { otherPythons, PANDAS_3, PYTHON, passPythonTests, ROOT, reasonToSkip, runCommand } from './python-process.ts';

const PACKAGE = join(ROOT, 'clients/python/client');
const TESTS = join(PACKAGE, 'tests');

const skip = reasonToSkip();

describe('the Python client', { skip }, () => {
  /** The one of all tests here; one of them kills it and starts it again at the same address. */
  let server: ServerProcess;
  let restart: () => Promise<ServerProcess>;

  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const ports = { http: await freePort(), grpc: await freePort() };
    const dataDir = await makeDataDir();
    cleanUp(() => removeDataDir(dataDir));
    restart = () => startServer({ dataDir, ports });
    server = await restart();
    cleanUp(async () => {
      await server.stop();
    });
  });

  test('passes its tests, in one process', async (t) => {
    const { count } = await passPythonTests(t, TESTS, { cwd: TESTS, env: environment() });

    assert.ok(count >= 100, `${count} tests`);
  });

  test('passes its tests of frames with pandas 3', async (t) => {
    const only = ['StructuredColumns', 'test_spans.Spans', 'test_reads_what_the_public_client_reads', 'test_sessions'];
    const env = { ...environment(), PYTHONPATH: `${PANDAS_3}:${PACKAGE}` };

    const { count } = await passPythonTests(t, TESTS, { cwd: TESTS, env, only });

    assert.ok(count >= 15, `${count} tests`);
  });

  test('loses no result when the server is killed in the middle of an experiment', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'killed-server-'));
    cleanUp(() => removeDataDir(folder));
    const experiment = run([PYTHON, '-B', 'slow_experiment.py', 'run', folder], {
      SPANDREL_OUTBOX_DIR: join(folder, 'outbox'),
    });
    await untilLines(join(folder, 'calls'), 60);
    await server.kill9();
    server = await restart();

    const { code, output } = await experiment;

    assert.equal(code, 0, output);
    assert.match(output, /The server is away; results wait on disk/);
    assert.match(
      output,
      /200 runs, 0 failed, 200 evaluations\n {2}right: 200 evaluations, mean score 1\.000 \(True: 200\)/,
    );
    assert.deepEqual(
      readLines(join(folder, 'calls')).sort((a, b) => Number(a) - Number(b)),
      Array.from({ length: 200 }, (_, number) => String(number)),
    );
  });

  test('works from its wheel in an empty environment of each Python, as its README shows', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'python-wheel-'));
    cleanUp(() => removeDataDir(folder));
    const built = await run([PYTHON, '-m', 'hatchling', 'build', '-t', 'wheel', '-d', folder], {}, PACKAGE);
    assert.equal(built.code, 0, built.output);
    const [wheel = ''] = readdirSync(folder);
    assert.match(wheel, /^spandrel_client-.*-py3-none-any\.whl$/);
    await copyFile(join(PACKAGE, 'README.md'), join(folder, 'README.md'));

    const follow = async (python: string) => {
      const environment = join(folder, python.replace(/\W/g, '-'));
      const own = join(environment, 'bin/python');
      const steps = [
        [python, '-m', 'venv', '--without-pip', environment],
        [
          ...[
            PYTHON,
            '-m',
            'pip',
            '--python',
            own,
            'install',
            '--quiet',
            '--disable-pip-version-check',
            '--no-compile',
          ],
          ...['--no-index', '--find-links', join(ROOT, '.venv/wheels'), join(folder, wheel)],
        ],
        [own, '-W', 'error', join(TESTS, 'follow_readme.py'), 'README.md'],
      ];
      await take(steps, own, environment);
    };
    // The extras: their packages are those of .venv, at versions that the wheel accepts.
    const withExtras = async () => {
      const target = join(folder, 'extras');
      const install = [
        PYTHON,
        '-m',
        'pip',
        'install',
        '--quiet',
        '--disable-pip-version-check',
        '--no-deps',
        '--no-compile',
      ];
      const steps = [
        [...install, '--target', target, join(folder, wheel)],
        [PYTHON, '-B', join(TESTS, 'check_extras.py')],
        [PYTHON, '-B', join(TESTS, 'follow_readme.py'), 'README.md', 'extra'],
        // The plugin is found by its entry point.
        [PYTHON, '-B', '-m', 'pytest', '-q', '-p', 'no:phoenix', '--spandrel-accept', 'x >= 0', '--version'],
      ];
      await take(steps, PYTHON, target, { PYTHONPATH: target, SPANDREL_SPILL_DIR: join(folder, 'spans') });
    };
    const take = async (
      steps: readonly (readonly string[])[],
      own: string,
      environment: string,
      more: Readonly<Record<string, string>> = {},
    ) => {
      const env = {
        SPANDREL_ENDPOINT: server.url,
        SPANDREL_OUTBOX_DIR: join(folder, 'outbox'),
        PYTHONPATH: '',
        ...more,
      };
      for (const step of steps) {
        const { code, output } = await run(step, env, folder);
        assert.equal(code, 0, `${step.join(' ')}\n${output}`);
        if (step[0] === own && step.includes('README.md')) {
          assert.match(output, new RegExp(`followed \\d+ blocks with ${environment}`));
        }
      }
    };
    await Promise.all([...findPythons().map(follow), withExtras()]);
  });

  const environment = () => ({
    SERVER_URL: server.url,
    SERVER_GRPC_URL: `http://${server.grpcAddress}`,
    PYTHONPATH: PACKAGE,
  });
  const run = (command: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = TESTS) =>
    runCommand(command, { cwd, env: { ...environment(), ...env } });
});

/** Pythons from 3.10 on that this machine has, one of each version. */
const findPythons = (): readonly string[] => [...otherPythons().map(({ path }) => path), PYTHON];

const readLines = (path: string): string[] => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []);

async function untilLines(path: string, count: number): Promise<void> {
  for (const deadline = Date.now() + 60_000; readLines(path).length < count; ) {
    if (Date.now() > deadline) throw new Error(`${path} has less than ${count} lines after a minute`);
    await setTimeout(20);
  }
}
