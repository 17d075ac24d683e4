import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../metadata-store/fixtures.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../e2e/server-process.ts';
import { otherPythons, PANDAS_3, PYTHON, passPythonTests, ROOT, reasonToSkip, runCommand } from './python-process.ts';

const PACKAGE = join(ROOT, 'clients/python/evals');
const CLIENT = join(ROOT, 'clients/python/client');
const TESTS = join(PACKAGE, 'tests');

const skip = reasonToSkip();

describe('the Python evaluation library', { skip }, () => {
  let server: ServerProcess;

  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const dataDir = await makeDataDir();
    cleanUp(() => removeDataDir(dataDir));
    // The server asks fake models on this machine.
    server = await startServer({ dataDir, env: { SERVICE_ALLOW_PRIVATE_MODEL_ADDRESSES: 'true' } });
    cleanUp(async () => {
      await server.stop();
    });
  });

  test('passes its tests, in one process', async (t) => {
    const options = ['-W', 'ignore'];

    const { count, output } = await passPythonTests(t, TESTS, { cwd: TESTS, env: environment(), options });

    assert.ok(count >= 100, `${count} tests`);
    assert.doesNotMatch(output, /never awaited|was destroyed|Exception ignored/);
  });

  test('passes its tests of frames with pandas 3', async (t) => {
    const env = { ...environment(), PYTHONPATH: `${PANDAS_3}:${environment().PYTHONPATH}` };

    const { count } = await passPythonTests(t, TESTS, {
      cwd: TESTS,
      env,
      options: ['-W', 'ignore'],
      only: ['test_frames'],
    });

    assert.ok(count >= 5, `${count} tests`);
  });

  test('is imported in little time and without the packages that it can do without', async () => {
    const check =
      'import sys, spandrel_evals; names = set(sys.modules); print(sorted(names & {"pydantic", "httpx", "pandas", "openai", "opentelemetry", "asyncio"}))';

    const { code, output } = await run([PYTHON, '-B', '-c', check]);

    assert.equal(code, 0, output);
    assert.equal(output.trim(), '[]');
  });

  test('works on the other Pythons of this machine', async (t) => {
    const pythons = otherPythons();
    if (pythons.length === 0) return t.skip('no other Python from 3.10 is installed');
    const wheels = readdirSync(join(ROOT, '.venv/wheels')).filter((name) => name.endsWith('-none-any.whl'));
    const shared = [PACKAGE, TESTS, ...wheels.map((name) => join(ROOT, '.venv/wheels', name))];

    for (const { version, path, packages } of pythons) {
      const env = { PYTHONPATH: [packages, ...shared].join(':') };
      const { code, output } = await run([path, '-B', '-W', 'ignore', join(TESTS, 'check_python.py')], env);

      assert.equal(code, 0, `${version}\n${output}`);
    }
  });

  test('works from its wheel in an empty environment, as its README shows', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'python-evals-wheel-'));
    cleanUp(() => removeDataDir(folder));
    const built = await run([PYTHON, '-m', 'hatchling', 'build', '-t', 'wheel', '-d', folder], {}, PACKAGE);
    assert.equal(built.code, 0, built.output);
    const [wheel = ''] = readdirSync(folder);
    assert.match(wheel, /^spandrel_evals-.*-py3-none-any\.whl$/);
    await copyFile(join(PACKAGE, 'README.md'), join(folder, 'README.md'));
    const environment = join(folder, 'environment');
    const own = join(environment, 'bin/python');
    const pip = [
      PYTHON,
      '-m',
      'pip',
      '--python',
      own,
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--no-compile',
    ];

    for (const step of [
      [PYTHON, '-m', 'venv', '--without-pip', environment],
      [...pip, '--no-index', '--find-links', join(ROOT, '.venv/wheels'), join(folder, wheel)],
      [own, '-W', 'error', join(TESTS, 'follow_readme.py'), 'README.md'],
    ]) {
      const { code, output } = await run(step, { PYTHONPATH: CLIENT, SPANDREL_ENDPOINT: server.url }, folder);
      assert.equal(code, 0, `${step.join(' ')}\n${output}`);
      if (step[0] === own) assert.match(output, /followed \d+ blocks/);
    }
  });

  const environment = () => ({ SERVER_URL: server.url, PYTHONPATH: `${PACKAGE}:${CLIENT}:${TESTS}` });
  const run = (command: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = TESTS) =>
    runCommand(command, { cwd, env: { ...environment(), ...env } });
});
