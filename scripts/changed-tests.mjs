// Which tests a change concerns: those that import a changed file, directly or through other files, and those in the
// folder of test/ that mirrors a changed file's folder, or test/clients after a change of clients/.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ROOT } from './dist.mjs';

/**
 * Tests of the changes since the branch left main, committed or not. On main: of what is not committed, else of the last
 * commit.
 *
 * @returns {{ tests: string[], changed: string[] }} paths from the root, with the suffix `.test.ts`
 */
export function findChangedTests() {
  const changed = listChanged();
  const sources = ['src', 'test', 'native-bindings', 'bench'].flatMap((folder) => listSources(join(ROOT, folder)));
  const importers = new Map();
  for (const path of sources) {
    for (const target of listImports(path)) importers.set(target, [...(importers.get(target) ?? []), path]);
  }
  const concerned = new Set(changed);
  for (const path of concerned) for (const importer of importers.get(path) ?? []) concerned.add(importer);
  const folders = changed
    .filter((path) => path.startsWith('src/'))
    .map((path) => dirname(path.replace(/^src/, 'test')));
  const tests = sources.filter(
    (path) =>
      path.endsWith('.test.ts') &&
      (concerned.has(path) ||
        folders.some((folder) => folder !== 'test' && `${dirname(path)}/`.startsWith(`${folder}/`))),
  );
  // Tests in the browser mirror pages by name, not by folder.
  if (changed.some((path) => path.startsWith('src/web/'))) {
    tests.push(...sources.filter((path) => path.startsWith('test/web/') && path.endsWith('.test.ts')));
  }
  // Tests of the published clients are in one folder.
  if (changed.some((path) => path.startsWith('clients/'))) {
    tests.push(...sources.filter((path) => path.startsWith('test/clients/') && path.endsWith('.test.ts')));
  }
  return { tests: [...new Set(tests)], changed };
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

const git = (...args) =>
  spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line !== '');

const listSources = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => relative(ROOT, join(folder, name)));

function listImports(path) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport|\bimport\(|new URL\()\s*['"](\.[^'"]+)['"]/g)].flatMap(
    ([, specifier]) => {
      const target = relative(ROOT, resolve(ROOT, dirname(path), specifier));
      return [target, target.replace(/\.js$/, '.ts')].find((each) => existsSync(join(ROOT, each))) ?? [];
    },
  );
}
