import { readdirSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A segment of the journal: the file that holds the positions from `firstPosition` to the next segment's. */
export interface Segment {
  readonly firstPosition: number;
  readonly path: string;
}

/** Digits of the largest position, 2^53 - 1, so that names sort as positions do. */
const POSITION_DIGITS = 16;

export const segmentPath = (dir: string, firstPosition: number): string =>
  join(dir, `${String(firstPosition).padStart(POSITION_DIGITS, '0')}.segment`);

/** The segment that is made ahead of need has no position yet. */
export const spareSegmentPath = (dir: string): string => join(dir, 'spare.segment');

/** Where damaged bytes, and records that cannot be decoded, are kept for people to look at. */
export const setAsideDir = (dir: string): string => join(dir, 'set-aside');

/** By position, oldest first. */
export const listSegments = async (dir: string): Promise<Segment[]> => toSegments(dir, await readdir(dir));

/** As `listSegments`, for worker threads. */
export const listSegmentsSync = (dir: string): Segment[] => toSegments(dir, readdirSync(dir));

/** A file's name is durable once its directory is synced. */
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
