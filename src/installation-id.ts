import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** File in the data directory, part of every backup. */
const FILE_NAME = 'installation-id';
const FORM = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * ID of a data directory, which all its copies and backups share. Undefined before the first start.
 *
 * @throws {Error} for a file without an ID
 */
export async function findInstallationId(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, FILE_NAME);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined || FORM.test(text.trim())) return text?.trim();
  throw new Error(
    `${path} contains no ID. Restore it from a backup. Without a backup, remove it and run 'spandrel db adopt' to assign the metadata database to this directory.`,
  );
}

/** Like `findInstallationId`, but creates the ID when there is none. */
export async function readInstallationId(dataDir: string): Promise<string> {
  const found = await findInstallationId(dataDir);
  if (found !== undefined) return found;
  const id = randomUUID();
  await writeDurably(dataDir, FILE_NAME, `${id}\n`, 0o644);
  return id;
}

/** Writes a file that appears under its name only when its whole content is on disk. */
export async function writeDurably(
  dir: string,
  name: string,
  content: string | Uint8Array,
  mode: number,
): Promise<void> {
  const path = join(dir, name);
  // An interrupted start may have left this file.
  await rm(`${path}.new`, { force: true });
  const file = await open(`${path}.new`, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  const handle = await open(dir);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
