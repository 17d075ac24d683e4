import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout that these tests were built in. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Paths of all files below a folder, sorted. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();

/** Paths that git tracks; undefined outside of a git checkout, as in an archive of the sources. */
export function trackedFiles(): string[] | undefined {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.split('\0').filter(Boolean) : undefined;
}
