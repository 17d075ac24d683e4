// A process that starts loads several hundred modules and compiles them, and a browser of its own takes another second. So
// a whole run puts neighboring test files into one process, which imports them one after another.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './dist.mjs';

const GROUPS = join(ROOT, 'dist/test-groups');
/** Folders whose files take long. Their groups run before the others, so that the last groups of a run end at about the same time. */
const FILE_COUNTS_OF_SLOW = { web: 11, e2e: 7, clients: 8 };
/**
 * Of the files of the other folders, whose processes spend more time on loading than on tests. The last groups of a run are small, so
 * that no process has a long group to do after the others have ended.
 */
const FILE_COUNT = 50;
const LAST_FILE_COUNT = 10;
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

/**
 * Files to run instead of these test files: each imports one or some of them. Node runs the files that it is given in the order
 * of their names, so a name begins with its place.
 *
 * @returns {{ path: string, files: string[] }[]}
 */
export function groupTests(paths) {
  rmSync(GROUPS, { recursive: true, force: true });
  mkdirSync(GROUPS, { recursive: true });
  const nameOf = (path) => relative(join(ROOT, 'dist/test'), path).replace(/\.test\.js$/, '');
  const alone = ALONE.flatMap((name) => paths.filter((path) => nameOf(path) === name));
  const rest = paths.filter((path) => !alone.includes(path));
  const isSlow = (path) => nameOf(path).split('/')[0] in FILE_COUNTS_OF_SLOW;
  const slow = Object.entries(FILE_COUNTS_OF_SLOW).flatMap(([folder, fileCount]) =>
    divide(
      folder,
      rest.filter((path) => nameOf(path).startsWith(`${folder}/`)),
      fileCount,
    ),
  );
  const others = divide(
    'others',
    rest.filter((path) => !isSlow(path)),
    FILE_COUNT,
    LAST_FILE_COUNT,
  );
  const groups = [
    ...alone.map((path) => ({ name: nameOf(path).replaceAll('/', '-'), files: [path] })),
    ...slow,
    ...others,
  ];
  return groups.map(({ name, files }, index) => {
    const path = join(GROUPS, `${String(index + 1).padStart(2, '0')}-${name}.test.js`);
    writeFileSync(path, files.map((file) => `import '${relative(GROUPS, file)}';\n`).join(''));
    return { path, files };
  });
}

/** Groups of `fileCount` files. The last ones are a third of the files that are left, and at least `lastFileCount`. */
function divide(name, files, fileCount, lastFileCount = fileCount) {
  const groups = [];
  for (let at = 0; at < files.length; ) {
    const leftCount = Math.ceil((files.length - at) / 3);
    const to = at + Math.min(fileCount, Math.max(lastFileCount, leftCount));
    groups.push({ name: `${name}-${groups.length + 1}`, files: files.slice(at, to) });
    at = to;
  }
  return groups;
}
