// A process that starts loads several hundred modules and compiles them, and a browser of its own takes another second. So
// a whole run puts neighboring test files into one process, which imports them one after another.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './dist.mjs';

const GROUPS = join(ROOT, 'dist/test-groups');
/** Few enough that the last groups of a run end at about the same time. */
const FILE_COUNT_MAX = 5;
/** Files that take longest, or whose subject is the process itself. They start first and have a process each. */
const ALONE = [
  'house/benches',
  'e2e/crash',
  'e2e/memory-limit',
  'e2e/parts-of-other-age',
  'e2e/check',
  'clients/python',
  'metadata-store/embedded-postgres',
  'span-store/open-span-store',
  'span-store/duckdb/open-database',
  'span-store/thread/store-worker',
];

/** Files to run instead of these test files: some of them, and files that import the others. */
export function groupTests(paths) {
  rmSync(GROUPS, { recursive: true, force: true });
  mkdirSync(GROUPS, { recursive: true });
  const nameOf = (path) => relative(join(ROOT, 'dist/test'), path).replace(/\.test\.js$/, '');
  const alone = ALONE.flatMap((name) => paths.filter((path) => nameOf(path) === name));
  const folders = new Map();
  for (const path of paths.filter((path) => !alone.includes(path))) {
    const folder = nameOf(path).split('/')[0];
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  return [...alone, ...[...folders].flatMap(([folder, files]) => writeGroups(folder, files))];
}

function writeGroups(folder, files) {
  const groups = [];
  for (let at = 0; at < files.length; at += FILE_COUNT_MAX) {
    const path = join(GROUPS, `${folder}-${groups.length + 1}.test.js`);
    const imports = files.slice(at, at + FILE_COUNT_MAX).map((file) => `import '${relative(GROUPS, file)}';\n`);
    writeFileSync(path, imports.join(''));
    groups.push(path);
  }
  return groups;
}
