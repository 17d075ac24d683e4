import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../src/base/log.ts';
import { Journal, type JournalOptions } from '../../../src/ingest/journal/journal.ts';
import type { RecordHead } from '../../../src/ingest/journal/journal-format.ts';
import { type DamagedRegion, readJournal } from '../../../src/ingest/journal/journal-reader.ts';

const tempDirs: string[] = [];
// Runs at the end instead of in hooks, which run in the order of their creation: a directory would be deleted before
// its journal closes.
process.on('exit', () => {
  for (const dir of tempDirs) rmSync(dir, { recursive: true, force: true });
});

/** A directory that is deleted when the tests end. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'spandrel-ingest-'));
  tempDirs.push(dir);
  return dir;
}

export const openTestJournal = (dir: string, options: Partial<JournalOptions> = {}): Promise<Journal> =>
  Journal.open({
    dir,
    log: silentLog,
    segmentBytes: 64 * 1024,
    onFatal: (error) => {
      throw error;
    },
    ...options,
  });

export const HEAD: RecordHead = { kind: 'spans', receivedAtMs: 1_700_000_000_000, spanCount: 1 };

/** Result of reading a journal: payloads as text, and the damage. */
export function readAll(
  dir: string,
  toPosition: number,
  fromPosition = 0,
): { texts: string[]; damage: DamagedRegion[] } {
  const texts: string[] = [];
  const damage: DamagedRegion[] = [];
  for (const item of readJournal(dir, fromPosition, toPosition)) {
    if (item.kind === 'record') texts.push(Buffer.from(item.record.payload).toString());
    else damage.push(item.region);
  }
  return { texts, damage };
}

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
