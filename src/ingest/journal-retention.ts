import { stat, unlink } from 'node:fs/promises';
import { listSegments } from './journal-segments.ts';

export interface JournalGrace {
  /** A segment whose last write is younger than this stays, … */
  readonly graceMs: number;
  /** … as long as those that stay for this reason alone have at most so many bytes. */
  readonly graceBytesMax: number;
}

/**
 * Removes the segments that lie wholly before `position`, but for the grace; the newest segment always stays.
 * Returns the bytes that were freed.
 */
export async function removeSegmentsBefore(dir: string, position: number, grace: JournalGrace): Promise<number> {
  const segments = await listSegments(dir);
  const unneeded = segments.filter((_, index) => (segments[index + 1]?.firstPosition ?? Infinity) <= position);
  const removable: { path: string; size: number }[] = [];
  let keptBytes = 0;
  // From the newest on, so that what stays is one stretch without holes.
  for (const { path } of unneeded.reverse()) {
    const { size, mtimeMs } = await stat(path);
    keptBytes += size;
    const isKept = removable.length === 0 && Date.now() - mtimeMs < grace.graceMs && keptBytes <= grace.graceBytesMax;
    if (!isKept) removable.push({ path, size });
  }
  for (const { path } of removable.reverse()) await unlink(path);
  return removable.reduce((sum, { size }) => sum + size, 0);
}
