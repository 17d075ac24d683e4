import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpanStore } from './span-store/contract/span-store.ts';

/** Bytes on disk of the span store, without its free space, and of the files below some directories. */
export async function usedBytes(spanStore: Pick<SpanStore, 'stats'>, dirs: readonly string[]): Promise<number> {
  const sizes = await Promise.all(dirs.map(directoryBytes));
  const { diskBytes, freeBytes } = await spanStore.stats();
  return sizes.reduce((sum, bytes) => sum + bytes, diskBytes - freeBytes);
}

/** Bytes on disk of the files below a directory. A file that is deleted during the count adds nothing. */
async function directoryBytes(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries.map(async (entry) => {
    if (!entry.isFile()) return 0;
    const file = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    return file ? file.blocks * 512 : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}
