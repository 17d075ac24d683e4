#!/usr/bin/env node
// Runs the tests on another Node, which npm brings: node scripts/test-on-node.mjs 22 [filters of test.mjs]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [version, ...filters] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version ?? '') || process.platform !== 'linux') {
  console.error('usage, on Linux: node scripts/test-on-node.mjs <version of Node, such as 22> [filters]');
  process.exit(2);
}
const dir = mkdtempSync(join(tmpdir(), 'spandrel-node-'));
try {
  writeFileSync(join(dir, 'package.json'), '{"private":true}');
  const name = `node-linux-${process.arch}`;
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`];
  if (spawnSync('npm', install, { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0) process.exit(1);
  const other = join(dir, 'node_modules', name, 'bin/node');
  spawnSync(other, ['--version'], { stdio: 'inherit' });
  const test = fileURLToPath(new URL('test.mjs', import.meta.url));
  // Tests that call `node` by name must meet the same one.
  const env = { ...process.env, PATH: `${join(dir, 'node_modules', name, 'bin')}:${process.env.PATH}` };
  process.exitCode = spawnSync(other, [test, ...filters], { env, stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
