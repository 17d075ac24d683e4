import { type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { UsageError } from '../../command-line/command.ts';

/** Folders of tools and of what they make. Folders whose names begin with a dot are left out too. */
const SKIPPED = new Set([
  'node_modules',
  'dist',
  'build',
  'out',
  'target',
  'venv',
  'env',
  '__pycache__',
  'site-packages',
  'coverage',
]);
const SOURCES = new Set(['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.py', '.ipynb']);
const FILE_COUNT_MAX = 100_000;
const FILE_BYTES_MAX = 5_000_000;

/**
 * A file, or the files of a folder that may name the public packages. Links are not followed.
 *
 * @throws {UsageError} for a path that does not exist, or too many files
 */
export function findFiles(given: string): string[] {
  const found: string[] = [];
  const visit = (path: string, isGiven: boolean) => {
    const stat = lstatSync(path);
    if (stat.isDirectory()) {
      for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)))
        if (!isSkipped(entry)) visit(join(path, entry.name), false);
    } else if (stat.isFile() && stat.size <= FILE_BYTES_MAX && (isGiven || isOfInterest(path))) {
      found.push(path);
      if (found.length > FILE_COUNT_MAX)
        throw new UsageError(`There are more than ${FILE_COUNT_MAX} files. Name the folders to look into.`);
    }
  };
  if (!existsSync(given)) throw new UsageError(`There is no file or folder ${given}.`);
  visit(given, true);
  return found;
}

const isSkipped = (entry: Dirent): boolean =>
  entry.isDirectory() && (entry.name.startsWith('.') || SKIPPED.has(entry.name));

const isOfInterest = (path: string): boolean => SOURCES.has(extname(path)) || isManifest(basename(path));

/** package.json, pyproject.toml and requirements. */
export const isManifest = (name: string): boolean =>
  name === 'package.json' || name === 'pyproject.toml' || isRequirements(name);

export const isRequirements = (name: string): boolean =>
  /^(?:.*[-_.])?(?:requirements|constraints)(?:[-_.].*)?\.(?:txt|in)$/i.test(name);
