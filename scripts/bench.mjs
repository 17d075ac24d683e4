#!/usr/bin/env node
// Runs the benches, one after the other, each in its own process.
//
//   node scripts/bench.mjs [part of a path …]     SMOKE=1 runs them at a tiny size
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { build, listBuilt, ROOT } from './dist.mjs';

const filters = process.argv.slice(2);
if (!build()) process.exit(1);
const benches = listBuilt('bench', '.bench.js').filter(
  (path) => filters.length === 0 || filters.some((filter) => path.includes(filter)),
);
if (benches.length === 0) {
  console.error(`No path of a bench contains ${filters.join(' or ')}.`);
  process.exit(2);
}
for (const bench of benches) {
  console.log(`\n── ${relative(ROOT, bench)}`);
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', bench], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
