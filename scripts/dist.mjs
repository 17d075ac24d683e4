// dist/ holds what tsc makes of the four source folders. Its stamp says of which sources, by their content: a checkout
// changes the times of files, so these would tell nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, 'stamp.json');
const SERVER_FOLDERS = ['src', 'native-bindings'];
const SOURCE_FOLDERS = [...SERVER_FOLDERS, 'test', 'bench'];

/** Whether the server must be built again; tests and benches may be older. */
export function isServerStale() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8')).server !== hashSources(SERVER_FOLDERS);
  } catch {
    return true;
  }
}

/** Type check and compilation of everything; false when tsc found errors, which it has printed. */
export function build() {
  const server = hashSources(SERVER_FOLDERS);
  rmSync(STAMP, { force: true });
  if (!existsSync(join(DIST, 'src/main.js'))) rmSync(join(DIST, 'tsconfig.tsbuildinfo'), { force: true });
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  if (spawnSync(process.execPath, [tsc], { cwd: ROOT, stdio: 'inherit' }).status !== 0) return false;
  copyOtherFiles();
  removeOutputsWithoutSource();
  writeFileSync(STAMP, JSON.stringify({ server }));
  return true;
}

/** Compiled files below a folder of dist whose names end so, by path. */
export function listBuilt(folder, ending) {
  return listFiles(join(DIST, folder)).filter((path) => path.endsWith(ending));
}

function hashSources(folders) {
  const hash = createHash('sha256');
  const files = folders.flatMap((folder) => listFiles(join(ROOT, folder)));
  for (const path of [...files, join(ROOT, 'tsconfig.json'), join(ROOT, 'package-lock.json')]) {
    const content = readFileSync(path);
    hash.update(`${relative(ROOT, path)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** What code reads beside it (SQL, fixtures) stands beside it in dist too. */
function copyOtherFiles() {
  for (const path of SOURCE_FOLDERS.flatMap((folder) => listFiles(join(ROOT, folder)))) {
    if (/\.tsx?$/.test(path)) continue;
    const target = join(DIST, relative(ROOT, path));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(path, target);
  }
}

/** A test whose source is gone must not go on running. */
function removeOutputsWithoutSource() {
  for (const path of SOURCE_FOLDERS.flatMap((folder) => listFiles(join(DIST, folder)))) {
    const source = join(ROOT, relative(DIST, path)).replace(/\.map$/, '');
    if (!existsSync(source) && !existsSync(source.replace(/\.js$/, '.ts'))) rmSync(path);
  }
}

function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      if (entry.name === '__pycache__') return [];
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFiles(path) : [path];
    })
    .sort();
}
