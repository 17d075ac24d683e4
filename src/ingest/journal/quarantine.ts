import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quarantineDir } from './journal-segments.ts';

/**
 * Writes a copy of these bytes and returns its path. The name contains the position, so a replay does not add a second
 * copy.
 */
export async function quarantine(journalDir: string, name: string, bytes: Uint8Array): Promise<string> {
  const dir = quarantineDir(journalDir);
  const path = join(dir, name);
  await mkdir(dir, { recursive: true });
  await writeFile(`${path}.partial`, bytes, { flush: true });
  await rename(`${path}.partial`, path);
  return path;
}

/** Like `quarantine`, for worker threads. */
export function quarantineSync(journalDir: string, name: string, bytes: Uint8Array): string {
  const dir = quarantineDir(journalDir);
  const path = join(dir, name);
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${path}.partial`, bytes, { flush: true });
  renameSync(`${path}.partial`, path);
  return path;
}
