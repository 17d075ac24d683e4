#!/usr/bin/env node
// Everything that must hold before a change goes in.
//
//   node scripts/test.mjs                   build, lint, import check, all tests
//   node scripts/test.mjs otlp server/grpc  build, and the tests with one of these in their path
import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { build, listBuilt, ROOT } from './dist.mjs';
import { describeMissingAbilities } from './machine.mjs';

// Files that start a server or a browser wait a quarter of their time: one more than there are cores fills it.
const CONCURRENCY = 3;
const filters = process.argv.slice(2);
const failed = [];

if (!step('build', build)) process.exit(1);
if (filters.length === 0) {
  step('lint', () => node(join(ROOT, 'node_modules/@biomejs/biome/bin/biome'), 'check', '.'));
  step('types of the web interface', () => node(join(ROOT, 'scripts/generate-web-types.mjs'), '--check'));
  step('imports', () => node(join(ROOT, 'scripts/check-imports.mjs')));
}
const missing = describeMissingAbilities();
for (const line of missing) console.log(`This machine has ${line}.`);

const tests = listBuilt('test', '.test.js').filter((path) => isChosen(relative(join(ROOT, 'dist/test'), path)));
if (tests.length === 0) {
  console.error(`No test has ${filters.join(' or ')} in its path.`);
  process.exit(2);
}
if (failed.length > 0) console.log(`Failed before the tests: ${failed.join(', ')}; see above.`);
// Last, so that its summary ends the output.
step('tests', () =>
  node('--enable-source-maps', '--test', '--test-reporter=spec', `--test-concurrency=${CONCURRENCY}`, ...tests),
);
process.exitCode = failed.length === 0 ? 0 : 1;

function isChosen(path) {
  return filters.length === 0 || filters.some((filter) => path.includes(filter));
}

function step(name, run) {
  const startedAt = performance.now();
  const isFine = run();
  if (!isFine) failed.push(name);
  if (name !== 'tests')
    console.log(`${isFine ? 'ok' : 'FAILED'}  ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  return isFine;
}

function node(...args) {
  // A developer's own settings must not reach the servers that tests start.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SERVICE|PHOENIX)_/.test(name)));
  return spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}
