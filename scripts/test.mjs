#!/usr/bin/env node
// What must hold before a change goes in.
//
//   node scripts/test.mjs                   build, lint, import check, and the tests of the first tier (test-tiers.mjs)
//   node scripts/test.mjs --all             the same with all tests
//   node scripts/test.mjs --ci              the same with what CI adds to the first tier (choose-tests.mjs)
//   node scripts/test.mjs --changed         build, and the tests that a change concerns (changed-tests.mjs)
//   node scripts/test.mjs otlp server/grpc  build, and the tests with one of these in their path
//
// TEST_CONCURRENCY is the number of processes of tests that run at a time.
import { spawn } from 'node:child_process';
import { join, relative } from 'node:path';
import { chooseTests } from './choose-tests.mjs';
import { build, listBuilt, ROOT } from './dist.mjs';
import { groupTests } from './group-tests.mjs';
import { describeMissingAbilities } from './machine.mjs';
import { countTests, FLAKY_COUNT_MAX, listFlaky, rerunFailed } from './rerun-failed.mjs';
import { runTestFiles, V8_FLAGS } from './run-test-files.mjs';
import { makeTemplateData } from './template-data.mjs';
import { makeTestFolder } from './test-folder.mjs';

const filters = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const scope = process.argv.find((argument) => argument.startsWith('--'))?.slice(2) ?? 'first';
/** A run that decides on a change: it has the checks beside tests, and runs once more what failed. */
const isWhole = filters.length === 0 && scope !== 'changed';
if (!['first', 'all', 'ci', 'changed'].includes(scope)) {
  console.error(`Unknown option --${scope}.`);
  process.exit(2);
}
const failed = [];
// A developer's own settings must not reach the servers that tests start.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SERVICE|PHOENIX)_/.test(name)));

if (!step('build', build)) process.exit(1);
if (isWhole) {
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

const tests = listTests();
const isLongRun = tests.length >= 20;
const folder = makeTestFolder();
env.TEST_FOLDER = folder.dir;
const [template] = await Promise.all([makeTemplateData(env, folder.dir), isLongRun && cacheCode()]);
env.TEST_TEMPLATE_DIR = template.dir;
const { startSharedPostgres } = await import('../dist/test/shared-postgres.js');
const postgres = await startSharedPostgres(template.dir, folder.dir);
env.TEST_POSTGRES_URL = postgres.url;
if (failed.length > 0) console.log(`Failed before the tests: ${failed.join(', ')}; see above.`);
const startedAt = performance.now();
const processes = isLongRun ? groupTests(tests) : tests.map((path) => ({ path, files: [path] }));
const results = runTestFiles(
  processes.map(({ path }) => path),
  { isLong: isLongRun, env },
);
if (results === undefined) failed.push('tests');
const runAlone = (path) => runTestFiles([path], { isLong: false, env });
const end = isWhole && results ? rerunFailed(results, processes, runAlone) : countTests(results?.tests ?? []);
await postgres.close();
folder.remove();
summarize(end);

/** Prints the last lines of a run, and sets the exit code. */
function summarize({ passed, failed: failedCount, skipped, flaky }) {
  const isTooFlaky = flaky.length > FLAKY_COUNT_MAX;
  if (failedCount > 0 || isTooFlaky) failed.push('tests');
  report('tests', !failed.includes('tests'), startedAt);
  for (const line of flaky) console.log(`flaky: ${line}`);
  if (isTooFlaky) console.log(`More than ${FLAKY_COUNT_MAX} tests were flaky, so they count as failed.`);
  const listed = isWhole ? listFlaky(flaky) : [];
  if (listed.length > 0)
    console.log(`To be mended, in test/flaky-tests.txt:\n${listed.map((line) => `  ${line}`).join('\n')}`);
  if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}; see above.`);
  const flakyCount = isTooFlaky ? flaky.length : 0;
  console.log(`${passed - flakyCount} passed, ${failedCount + flakyCount} failed, ${skipped} skipped`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function listTests() {
  const all = listBuilt('test', '.test.js');
  const nameOf = (path) => relative(join(ROOT, 'dist/test'), path).replace(/\.test\.js$/, '');
  if (filters.length > 0) {
    const texts = filters.map((filter) => filter.replace(/\.js$/, '.ts'));
    const chosen = all.filter((path) => texts.some((text) => `${nameOf(path)}.test.ts`.includes(text)));
    if (chosen.length > 0) return chosen;
    console.error(`No test has ${filters.join(' or ')} in its path.`);
    process.exit(2);
  }
  const names = new Set(chooseTests(all.map(nameOf), scope));
  if (names.size === 0) process.exit(failed.length === 0 ? 0 : 1);
  return all.filter((path) => names.has(nameOf(path)));
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
  report(name, isFine, startedAt);
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
