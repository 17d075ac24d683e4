import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setAsideDir } from './journal-segments.ts';

/** Keeps a copy of these bytes and returns its path. Named by position, so that a second replay makes no second copy. */
export async function setAside(journalDir: string, name: string, bytes: Uint8Array): Promise<string> {
  const dir = setAsideDir(journalDir);
  const path = join(dir, name);
  await mkdir(dir, { recursive: true });
  await writeFile(`${path}.partial`, bytes, { flush: true });
  await rename(`${path}.partial`, path);
  return path;
}

/** As `setAside`, for worker threads. */
export function setAsideSync(journalDir: string, name: string, bytes: Uint8Array): string {
  const dir = setAsideDir(journalDir);
  const path = join(dir, name);
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${path}.partial`, bytes, { flush: true });
  renameSync(`${path}.partial`, path);
  return path;
}
