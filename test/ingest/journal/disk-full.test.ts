import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { SpandrelError } from '../../../src/model/errors.ts';
import { HEAD, openTestJournal, readAll, tempDir } from './journal-fixtures.ts';

/** A file system in memory with this size in MiB. Undefined if this user may not mount one. */
function mountSmallDisk(mebibytes: number): string | undefined {
  const dir = join(tempDir(), 'disk');
  mkdirSync(dir);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', dir], { stdio: 'ignore' });
    return dir;
  } catch {
    return undefined;
  }
}

describe('a journal on a disk that fills up', () => {
  test('stops acknowledging, loses nothing that it acknowledged, and resumes when there is free space', async (t) => {
    const disk = mountSmallDisk(4);
    if (!disk) return t.skip('mounting a small disk needs root');
    t.after(() => execFileSync('umount', ['-l', disk]));
    const dir = join(disk, 'journal');
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(1024 * 1024));
    const journal = await openTestJournal(dir, { segmentBytes: 1024 * 1024, probeMs: 10 });
    const acknowledged: string[] = [];
    const send = async (text: string) => {
      await journal.append(HEAD, Buffer.from(text));
      acknowledged.push(text);
    };

    const rejections: unknown[] = [];
    for (let serial = 0; serial < 80; serial++) {
      await send(`${serial}:${'x'.repeat(60_000)}`).catch((error) => rejections.push(error));
    }
    const acknowledgedWhenFull = acknowledged.length;
    rmSync(ballast);
    while (journal.rejection) await new Promise((resolve) => setTimeout(resolve, 10));
    for (let serial = 0; serial < 3; serial++) await send(`late ${serial}`);
    const found = readAll(dir, journal.durablePosition);
    await journal.close();
    const again = await openTestJournal(dir, { segmentBytes: 1024 * 1024 });
    const foundAfterRestart = readAll(dir, again.durablePosition);
    await again.close();

    assert.ok(acknowledgedWhenFull > 20 && acknowledgedWhenFull < 60, `${acknowledgedWhenFull} acknowledged`);
    for (const error of rejections) assert.ok(error instanceof SpandrelError && error.code === 'DISK_FULL');
    assert.deepEqual(found, { texts: acknowledged, damage: [] });
    assert.deepEqual(foundAfterRestart, { texts: acknowledged, damage: [] });
    return undefined;
  });
});
