// dist/ contains the output of tsc for the four source folders, which tests and benches run; dist/server and dist/web
// contain the output of Vite, which users run. Stamps identify the sources by their content, because a checkout changes
// the times of files.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, 'stamp.json');
/** Of a complete build. */
const BUILD_STAMP = join(DIST, 'build-stamp.json');
const WEB = join(ROOT, 'src/web');
const WEB_STAMP = join(DIST, 'web/stamp.json');
const SERVER_FOLDERS = ['src', 'native-bindings'];
/** The server's bundle contains the command line client and the tools of MCP. */
const BUNDLED_CLIENTS = ['client', 'evals', 'cli', 'mcp'].map((name) => `clients/typescript/${name}/src`);
/** Files besides the sources on which the outputs depend. */
const BUILD_FILES = [
  'tsconfig.json',
  'package-lock.json',
  'scripts/bundle-server.mjs',
  'scripts/cache-code.mjs',
  'scripts/record-code.cjs',
  'scripts/bundle-web.mjs',
  'scripts/bundle-cli.mjs',
  'scripts/dist.mjs',
];
const SOURCE_FOLDERS = [...SERVER_FOLDERS, 'test', 'bench'];
/** Published packages in the order of their imports. */
const CLIENT_PACKAGES = ['client', 'tracing', 'evals', 'cli', 'mcp']
  .map((name) => join(ROOT, 'clients/typescript', name))
  // The image is built without their manifests.
  .filter((folder) => existsSync(join(folder, 'tsconfig.json')));

/** Packages whose sources are in the bundle of the command line client, or whose types others use. */
const BUNDLED_PACKAGES = ['client', 'evals'].map((name) => join(ROOT, 'clients/typescript', name));

/** Whether the server must be built again. Tests and benches may be older. */
export function isServerStale() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8')).server !== hashSources([...SERVER_FOLDERS, ...BUNDLED_CLIENTS]);
  } catch {
    return true;
  }
}

/** Whether the web interface must be built again. */
export function isWebStale() {
  try {
    return JSON.parse(readFileSync(WEB_STAMP, 'utf8')).web !== hashFiles(listFiles(WEB));
  } catch {
    return true;
  }
}

/**
 * Type-checks and compiles everything that has changed since the last complete build. Prints errors and returns false if there
 * are any.
 */
export function build() {
  const sources = hashFiles([
    ...SOURCE_FOLDERS.flatMap((folder) => listFiles(join(ROOT, folder))),
    ...CLIENT_PACKAGES.flatMap((folder) => [...listFiles(join(folder, 'src')), join(folder, 'tsconfig.json')]),
  ]);
  const outputs = [BUILD_STAMP, STAMP, WEB_STAMP, ...CLIENT_PACKAGES.map((folder) => join(folder, 'dist/stamp.json'))];
  if (outputs.every(existsSync) && JSON.parse(readFileSync(BUILD_STAMP, 'utf8')).sources === sources) return true;
  rmSync(BUILD_STAMP, { force: true });
  const isBuilt =
    buildServer() &&
    node('node_modules/typescript/bin/tsc', '-p', WEB) &&
    (!isWebStale() || buildWeb()) &&
    buildClients();
  if (isBuilt) writeFileSync(BUILD_STAMP, JSON.stringify({ sources }));
  return isBuilt;
}

/** Builds the published packages that are stale. Returns false on failure. */
export const buildClients = () => CLIENT_PACKAGES.every(buildClientPackage);

/** Compiles a published package to its own dist, which `npm pack` packs. Returns false on failure. */
function buildClientPackage(folder) {
  const stamp = join(folder, 'dist/stamp.json');
  // Bundles contain the client package and the evaluation library.
  const folders = [folder, ...BUNDLED_PACKAGES].map((path) => join(path, 'src'));
  const sources = hashFiles([...folders.flatMap(listFiles), join(folder, 'tsconfig.json')]);
  if (existsSync(stamp) && JSON.parse(readFileSync(stamp, 'utf8')).sources === sources) return true;
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  if (!node('node_modules/typescript/bin/tsc', '-p', folder)) return false;
  if (folder.endsWith('cli') && !node('scripts/bundle-cli.mjs')) return false;
  writeFileSync(stamp, JSON.stringify({ sources }));
  return true;
}

/** Bundles the web interface. Returns false on failure. */
export function buildWeb() {
  rmSync(WEB_STAMP, { force: true });
  if (!node('scripts/bundle-web.mjs')) return false;
  writeFileSync(WEB_STAMP, JSON.stringify({ web: hashFiles(listFiles(WEB)) }));
  return true;
}

/**
 * Compiles the server, its tests and benches, and bundles the server. Prints errors and returns false if there are any.
 */
export function buildServer() {
  const server = hashSources([...SERVER_FOLDERS, ...BUNDLED_CLIENTS]);
  rmSync(STAMP, { force: true });
  if (!existsSync(join(DIST, 'src/main.js'))) rmSync(join(DIST, 'tsconfig.tsbuildinfo'), { force: true });
  if (!node('node_modules/typescript/bin/tsc')) return false;
  copyOtherFiles();
  removeOutputsWithoutSource();
  if (!node('scripts/bundle-server.mjs') || !node('scripts/cache-code.mjs')) return false;
  writeFileSync(STAMP, JSON.stringify({ server }));
  return true;
}

/** Paths of compiled files below a folder of dist with this ending. */
export function listBuilt(folder, ending) {
  return listFiles(join(DIST, folder)).filter((path) => path.endsWith(ending));
}

const node = (...args) => spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status === 0;

const isOfWeb = (path) => path.startsWith(WEB);

function hashSources(folders) {
  return hashFiles(folders.flatMap((folder) => listFiles(join(ROOT, folder))).filter((path) => !isOfWeb(path)));
}

function hashFiles(files) {
  const hash = createHash('sha256');
  for (const path of [...files, ...BUILD_FILES.map((name) => join(ROOT, name))]) {
    const content = readFileSync(path);
    hash.update(`${relative(ROOT, path)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Copies the files that code reads from its own folder (SQL, fixtures) to dist. */
function copyOtherFiles() {
  for (const path of SOURCE_FOLDERS.flatMap((folder) => listFiles(join(ROOT, folder)))) {
    if (/\.tsx?$/.test(path) || isOfWeb(path)) continue;
    const target = join(DIST, relative(ROOT, path));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(path, target);
  }
}

/** Removes compiled files without a source, so that a deleted test does not run. */
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
