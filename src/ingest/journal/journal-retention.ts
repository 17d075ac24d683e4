import { stat, unlink } from 'node:fs/promises';
import { listSegments } from './journal-segments.ts';

export interface JournalGrace {
  /** A segment whose last write is more recent than this is kept … */
  readonly graceMs: number;
  /** … as long as all segments that are kept only for this reason have at most this many bytes. */
  readonly graceBytesMax: number;
}

/**
 * Removes the segments that end before `position`, except those within the grace. The newest segment is always kept.
 * Returns the number of freed bytes.
 */
export async function removeSegmentsBefore(dir: string, position: number, grace: JournalGrace): Promise<number> {
  const segments = await listSegments(dir);
  const unneeded = segments.filter((_, index) => (segments[index + 1]?.firstPosition ?? Infinity) <= position);
  const removable: { path: string; size: number }[] = [];
  let keptBytes = 0;
  // Starts with the newest, so that the remaining segments have no gaps.
  for (const { path } of unneeded.reverse()) {
    const { size, mtimeMs } = await stat(path);
    keptBytes += size;
    const isKept = removable.length === 0 && Date.now() - mtimeMs < grace.graceMs && keptBytes <= grace.graceBytesMax;
    if (!isKept) removable.push({ path, size });
  }
  for (const { path } of removable.reverse()) await unlink(path);
  return removable.reduce((sum, { size }) => sum + size, 0);
}
