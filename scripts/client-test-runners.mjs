#!/usr/bin/env node
// Installs the test runners with which the published packages are tested, into clients/typescript/test-runners.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../clients/typescript/test-runners', import.meta.url));
const installed = join(FOLDER, 'node_modules/.package-lock.json');

const isStale =
  !existsSync(installed) || statSync(join(FOLDER, 'package-lock.json')).mtimeMs > statSync(installed).mtimeMs;
if (isStale) {
  // Not `npm ci`, which rejects a lockfile without the binaries of another platform.
  const flags = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  process.exitCode = spawnSync('npm', flags, { cwd: FOLDER, stdio: 'inherit' }).status ?? 1;
}
