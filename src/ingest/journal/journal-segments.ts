import { readdirSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A segment of the journal: the file with the positions from `firstPosition` to the start of the next segment. */
export interface Segment {
  readonly firstPosition: number;
  readonly path: string;
}

/** Digits of the largest position, 2^53 - 1, so that names sort as positions do. */
const POSITION_DIGITS = 16;

export const segmentPath = (dir: string, firstPosition: number): string =>
  join(dir, `${String(firstPosition).padStart(POSITION_DIGITS, '0')}.segment`);

/** The segment that is created ahead of time has no position yet. */
export const spareSegmentPath = (dir: string): string => join(dir, 'spare.segment');

/** Folder with copies of damaged bytes and of records that cannot be decoded. */
export const quarantineDir = (dir: string): string => join(dir, 'quarantine');

/** Segments by position, the oldest first. */
export const listSegments = async (dir: string): Promise<Segment[]> => toSegments(dir, await readdir(dir));

/** Like `listSegments`, for worker threads. */
export const listSegmentsSync = (dir: string): Segment[] => toSegments(dir, readdirSync(dir));

/** The name of a file is durable after its directory is synced. */
export async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const toSegments = (dir: string, names: readonly string[]): Segment[] =>
  names
    .filter((name) => /^\d{16}\.segment$/.test(name))
    .sort()
    .map((name) => ({ firstPosition: Number.parseInt(name, 10), path: join(dir, name) }));
