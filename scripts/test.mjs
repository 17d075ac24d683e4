#!/usr/bin/env node
// Everything that must hold before a change goes in.
//
//   node scripts/test.mjs                   build, lint, import check, all tests
//   node scripts/test.mjs otlp server/grpc  build, and the tests with one of these in their path
//   node scripts/test.mjs --changed         build, and the tests that a change concerns (changed-tests.mjs)
//
// TEST_CONCURRENCY is the number of processes of tests that run at a time.
import { spawn, spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { findChangedTests } from './changed-tests.mjs';
import { build, listBuilt, ROOT } from './dist.mjs';
import { groupTests } from './group-tests.mjs';
import { describeMissingAbilities } from './machine.mjs';
import { makeTemplateData } from './template-data.mjs';
import { makeTestFolder } from './test-folder.mjs';

// Files that start a server or a browser wait a quarter of their time: one more than there are cores fills it.
const CONCURRENCY = Number(process.env.TEST_CONCURRENCY ?? 3);
/** For the processes of a run of many tests. Together, they save a sixth of its processor time. */
const V8_FLAGS = [
  // Such a process makes much garbage, most of which a larger young generation never copies, and a larger old one seldom marks.
  '--max-semi-space-size=64',
  '--initial-old-space-size=512',
  // It runs much code, each part of which seldom: V8 optimizes a function after 64 times as much work as usual. Newer ones lack the option.
  ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=4325376'] : []),
];
const isChangedOnly = process.argv.includes('--changed');
const filters = process.argv.slice(2).filter((argument) => argument !== '--changed');
const failed = [];
// A developer's own settings must not reach the servers that tests start.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SERVICE|PHOENIX)_/.test(name)));

if (!step('build', build)) process.exit(1);
if (filters.length === 0 && !isChangedOnly) {
  // One beside another, because most of them use one core.
  await Promise.all([
    check('lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '.'),
    check('types of the web interface', 'scripts/generate-web-types.mjs', '--check'),
    check('types and operations of the clients', 'scripts/generate-client-types.mjs', '--check'),
    check('judges of the evaluation packages', 'scripts/copy-judges.mjs', '--check'),
    check('imports', 'scripts/check-imports.mjs'),
  ]);
}
const missing = describeMissingAbilities();
for (const line of missing) console.log(`This machine has ${line}.`);

const tests = chooseTests();
const isLongRun = tests.length >= 20;
const folder = makeTestFolder();
env.TEST_FOLDER = folder.dir;
const [template] = await Promise.all([makeTemplateData(env, folder.dir), isLongRun && cacheCode()]);
env.TEST_TEMPLATE_DIR = template.dir;
const { startSharedPostgres } = await import('../dist/test/shared-postgres.js');
const postgres = await startSharedPostgres(template.dir, folder.dir);
env.TEST_POSTGRES_URL = postgres.url;
if (failed.length > 0) console.log(`Failed before the tests: ${failed.join(', ')}; see above.`);
// Last, so that its summary ends the output.
step('tests', () =>
  node(
    // Loading the source maps takes 0.2 s a file, so only a run of few tests has lines of the sources in its stack traces.
    ...(isLongRun ? [] : ['--enable-source-maps']),
    // Node passes these on to the process of each file.
    `--import=${new URL('processor-time.mjs', import.meta.url)}`,
    ...(isLongRun ? [`--import=${new URL('light-test-hooks.mjs', import.meta.url)}`, ...V8_FLAGS] : []),
    '--test',
    `--test-reporter=${new URL('slowest-files.mjs', import.meta.url)}`,
    '--test-reporter-destination=stdout',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-concurrency=${CONCURRENCY}`,
    ...(isLongRun ? groupTests(tests) : tests),
  ),
);
await postgres.close();
folder.remove();
process.exitCode = failed.length === 0 ? 0 : 1;

function chooseTests() {
  const all = listBuilt('test', '.test.js');
  const nameOf = (path) => relative(join(ROOT, 'dist/test'), path);
  if (filters.length > 0) {
    const chosen = all.filter((path) => filters.some((filter) => nameOf(path).includes(filter)));
    if (chosen.length > 0) return chosen;
    console.error(`No test has ${filters.join(' or ')} in its path.`);
    process.exit(2);
  }
  if (!isChangedOnly) return all;
  const { tests: changedTests, changed } = findChangedTests();
  const names = new Set(changedTests.map((path) => path.replace(/^test\//, '').replace(/\.ts$/, '.js')));
  const chosen = all.filter((path) => names.has(nameOf(path)));
  console.log(`${changed.length} changed files concern ${chosen.length} of ${all.length} test files.`);
  console.log(
    'Tests that start the whole server are among them only when they or their helpers changed: run npm test, too.',
  );
  if (chosen.length > 0) return chosen;
  process.exit(failed.length === 0 ? 0 : 1);
}

/** Keeps the compiled code of the threads of servers for V8_FLAGS, because the processes of tests start hundreds of them. */
function cacheCode() {
  const args = [...V8_FLAGS, join(ROOT, 'scripts/cache-code.mjs')];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve) => child.once('error', resolve).once('close', resolve));
}

function step(name, run) {
  const startedAt = performance.now();
  const isFine = run();
  if (!isFine) failed.push(name);
  if (name !== 'tests') report(name, isFine, startedAt);
  return isFine;
}

/** Runs a program beside others. Its output is printed when it has ended. */
async function check(name, path, ...args) {
  const startedAt = performance.now();
  const stdio = ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, [join(ROOT, path), ...args], { cwd: ROOT, env, stdio });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const code = await new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  if (code !== 0) failed.push(name);
  process.stdout.write(Buffer.concat(output));
  report(name, code === 0, startedAt);
}

function report(name, isFine, startedAt) {
  console.log(`${isFine ? 'ok' : 'FAILED'}  ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
}

function node(...args) {
  return spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}
