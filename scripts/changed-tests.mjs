// Which test files a change concerns, those that it concerns most first: test files that changed, then those in the folder of test/
// that mirrors a changed file's folder or that import a changed file, then those that import it through other files.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ROOT } from './dist.mjs';

const SOURCE_FOLDERS = ['src', 'test', 'native-bindings', 'bench'];
/** Further from a change than any import. */
const FAR = 1_000;

/**
 * @param {string | undefined} base a commit; undefined for the changes since the branch left main, committed or not, or on main for what
 *   is not committed, else the last commit
 * @returns {{ tests: string[], changed: string[] }} paths from the root, with the suffix `.test.ts`
 */
export function findChangedTests(base) {
  const changed = base === undefined ? listChanged() : git('diff', '--name-only', base, 'HEAD');
  const distances = measureDistances(changed);
  const distanceOf = (test) =>
    changed.includes(test)
      ? 0
      : Math.min(distances.get(test) ?? FAR + 1, ...changed.map((path) => mirrorDistance(path, test)));
  const tests = [...new Set(SOURCE_FOLDERS.flatMap(listSources))]
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => ({ path, distance: distanceOf(path) }))
    .filter(({ distance }) => distance <= FAR)
    .sort((one, other) => one.distance - other.distance);
  return { tests: tests.map(({ path }) => path), changed };
}

/**
 * The newest commit of main that is 12 hours older than HEAD, as a session of work is shorter; for a checkout in which HEAD is main.
 * CHANGED_SINCE names another.
 */
export function findBase() {
  if (process.env.CHANGED_SINCE) return process.env.CHANGED_SINCE;
  const [seconds] = git('log', '-1', '--format=%ct', 'HEAD');
  const before = `--before=${Number(seconds) - 12 * 3_600}`;
  return git('rev-list', '--first-parent', '-1', before, 'HEAD')[0] ?? git('rev-list', '--max-parents=0', 'HEAD')[0];
}

/** Files that import a file, directly or through others. */
export function listImporters(path) {
  return new Set(measureDistances([path]).keys());
}

/** How many imports a file is away from the nearest of `paths`. */
function measureDistances(paths) {
  const importers = findImporters();
  const distances = new Map(paths.map((path) => [path, 0]));
  for (const [path, distance] of distances) {
    for (const importer of importers.get(path) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}

let known;
function findImporters() {
  if (known !== undefined) return known;
  known = new Map();
  for (const path of SOURCE_FOLDERS.flatMap(listSources)) {
    for (const target of listImports(path)) known.set(target, [...(known.get(target) ?? []), path]);
  }
  return known;
}

/** Tests of a folder are in the folder of test/ with its name. Those in the browser mirror pages by name, and those of clients nothing. */
function mirrorDistance(changed, test) {
  const folder = dirname(changed)
    .replace(/^src\//, 'test/')
    .replace(/^test\/web\/pages\//, 'test/web/');
  const isMirrored = (name) => name.split('/').length > 1 && `${dirname(test)}/`.startsWith(`${name}/`);
  if (changed.startsWith('src/') && (isMirrored(folder) || isMirrored(folder.replace('test/web/', 'test/web/pages/'))))
    return 1;
  if (changed.startsWith('src/web/') && test.startsWith('test/web/')) return FAR;
  if (changed.startsWith('clients/') && test.startsWith('test/clients/')) return FAR;
  return Number.POSITIVE_INFINITY;
}

function listChanged() {
  const base = git('merge-base', 'HEAD', 'main')[0];
  const head = git('rev-parse', 'HEAD')[0];
  const pending = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  const isOnMain = base === undefined || base === head;
  const committed =
    isOnMain && pending.length > 0 ? [] : git('diff', '--name-only', isOnMain ? 'HEAD~1' : base, 'HEAD');
  return [...new Set([...pending, ...committed])];
}

/** Lines that git prints. */
export const git = (...args) =>
  spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .stdout.split('\n')
    .filter((line) => line !== '');

const listSources = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));

function listImports(path) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport|\bimport\(|new URL\()\s*['"](\.[^'"]+)['"]/g)].flatMap(
    ([, specifier]) => {
      const target = relative(ROOT, resolve(ROOT, dirname(path), specifier));
      return [target, target.replace(/\.js$/, '.ts')].find((each) => existsSync(join(ROOT, each))) ?? [];
    },
  );
}
