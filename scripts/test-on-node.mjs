#!/usr/bin/env node
// Runs the tests on another Node, which npm brings: node scripts/test-on-node.mjs 22 [options and filters of test.mjs]
//
// In a copy of this checkout with packages of its own: npm installs native packages for the Node that it runs on.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [version, ...args] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version ?? '') || process.platform !== 'linux') {
  console.error(
    'usage, on Linux: node scripts/test-on-node.mjs <version of Node, such as 22> [options and filters of test.mjs]',
  );
  process.exit(2);
}
const dir = mkdtempSync(join(tmpdir(), 'spandrel-node-'));
// With the usual mode of a checkout, because tests of root also run as other users, who must be able to enter it.
chmodSync(dir, 0o755);
try {
  process.exitCode = run();
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function run() {
  const node = `node-linux-${process.arch}`;
  writeFileSync(join(dir, 'package.json'), '{"private":true}');
  if (!succeeds(dir, 'npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', `${node}@${version}`)) return 1;
  // First in the path, so that npm and programs that call `node` use it too.
  process.env.PATH = `${join(dir, 'node_modules', node, 'bin')}:${process.env.PATH}`;
  const copy = copyCheckout();
  succeeds(copy, 'node', '--version');
  if (!succeeds(copy, 'node', 'scripts/install.mjs')) return 1;
  return succeeds(copy, 'node', 'scripts/test.mjs', ...args) ? 0 : 1;
}

/** Copies the files that git tracks or would track, and the Python environment of the client tests. */
function copyCheckout() {
  const copy = join(dir, 'checkout');
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const path of stdout.split('\0').filter((path) => path && existsSync(join(ROOT, path)))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
  if (existsSync(join(ROOT, '.venv'))) symlinkSync(join(ROOT, '.venv'), join(copy, '.venv'));
  return copy;
}

function succeeds(cwd, command, ...args) {
  return spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}
