// Installs the packages that the lockfile names. As a command: node scripts/install.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
// No package needs its install scripts, so they are not run.
const COMMON = ['install', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

// npm omits native packages for other versions of Node, so an installation is valid only for the version that created
// it.
const INSTALLED_FOR = join(ROOT, 'node_modules/.installed-for-node');

/** Whether node_modules is missing, older than the lockfile, or was installed with another version of Node. */
export function isInstallStale() {
  const installed = join(ROOT, 'node_modules/.package-lock.json');
  if (existsSync(INSTALLED_FOR) && readFileSync(INSTALLED_FOR, 'utf8') !== process.versions.modules) return true;
  return !existsSync(installed) || statSync(join(ROOT, 'package-lock.json')).mtimeMs > statSync(installed).mtimeMs;
}

/**
 * Does not use `npm ci`, which rejects a lockfile without the binaries of another platform, because some registry
 * mirrors lack some of them. If the lockfile lacks the binaries of this platform, the second attempt takes them from
 * the registry.
 *
 * @returns {string | undefined} the problem
 */
export function install() {
  const problem = npm('--no-save') ?? (loadsNatively() ? undefined : npm('--no-package-lock'));
  if (problem !== undefined) return problem;
  if (!loadsNatively()) return `no DuckDB binary is available for ${process.platform}-${process.arch}`;
  writeFileSync(INSTALLED_FOR, process.versions.modules);
  return undefined;
}

function npm(flag) {
  const { status, error } = spawnSync('npm', [...COMMON, flag], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  return status === 0
    ? undefined
    : `npm install failed${error ? `: ${error.message}` : ''}; check the network connection`;
}

/** In a separate process, because a loaded binary could not be replaced. */
function loadsNatively() {
  const path = createRequire(join(ROOT, 'package.json')).resolve('@duckdb/node-bindings');
  return spawnSync(process.execPath, ['-e', `require(${JSON.stringify(path)})`], { stdio: 'ignore' }).status === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = install();
  if (problem !== undefined) console.error(problem);
  process.exitCode = problem === undefined ? 0 : 1;
}
