import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { SpandrelError } from '../../../src/model/errors.ts';
import type { GroupCommit, Journal } from '../../../src/ingest/journal/journal.ts';
import { removeSegmentsBefore } from '../../../src/ingest/journal/journal-retention.ts';
import { segmentPath, spareSegmentPath } from '../../../src/ingest/journal/journal-segments.ts';
import { verifyJournal } from '../../../src/ingest/journal/verify-journal.ts';
import { HEAD, openTestJournal, readAll, seededRandom, tempDir } from './journal-fixtures.ts';

const appendText = (journal: Journal, text: string) => journal.append(HEAD, Buffer.from(text));

describe('a journal', () => {
  test('returns all appended records in order after it was closed and reopened', async (t) => {
    const dir = tempDir();
    const journal = await openTestJournal(dir);
    const positions = [
      await appendText(journal, 'one'),
      await appendText(journal, ''),
      await appendText(journal, 'three'),
    ];
    await journal.close();

    const again = await openTestJournal(dir);
    t.after(() => again.close());

    assert.equal(again.durablePosition, positions[2]);
    assert.deepEqual(readAll(dir, again.durablePosition), { texts: ['one', '', 'three'], damage: [] });
    assert.deepEqual(readAll(dir, again.durablePosition, positions[0]).texts, ['', 'three']);
  });

  test('continues in further segments, and accepts a record that is larger than a segment', async (t) => {
    const dir = tempDir();
    const journal = await openTestJournal(dir, { segmentBytes: 4096 });
    t.after(() => journal.close());
    const texts = ['a', 'b', 'c', 'd', 'e'].map((letter, index) => letter.repeat(index === 2 ? 50_000 : 1500));

    for (const text of texts) await appendText(journal, text);

    assert.ok(readdirSync(dir).length >= 3);
    assert.deepEqual(readAll(dir, journal.durablePosition), { texts, damage: [] });
    assert.deepEqual(verifyJournal(dir).damaged, []);
    assert.equal(verifyJournal(dir).recordCount, 5);
  });

  test('shares one fdatasync among a thousand appends, and acknowledges them in order', async (t) => {
    const commits: GroupCommit[] = [];
    const dir = tempDir();
    const journal = await openTestJournal(dir, { segmentBytes: 8 << 20, onCommit: (commit) => commits.push(commit) });
    t.after(() => journal.close());
    const texts = Array.from({ length: 1000 }, (_, index) => `record ${index}`);
    const acknowledged: string[] = [];

    await Promise.all(texts.map((text) => appendText(journal, text).then(() => acknowledged.push(text))));

    assert.equal(commits.length, 1);
    assert.equal(commits[0]!.recordCount, 1000);
    assert.deepEqual(acknowledged, texts);
    assert.deepEqual(readAll(dir, journal.durablePosition).texts, texts);
  });

  test('collects appends during a sync into the next group', async (t) => {
    const commits: GroupCommit[] = [];
    const journal = await openTestJournal(tempDir(), { onCommit: (commit) => commits.push(commit) });
    t.after(() => journal.close());

    const first = appendText(journal, 'first');
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, ...Array.from({ length: 20 }, (_, index) => appendText(journal, `late ${index}`))]);

    assert.deepEqual(
      commits.map(({ recordCount }) => recordCount),
      [1, 20],
    );
  });

  test('accepts an append from a caller that was just acknowledged', async (t) => {
    const dir = tempDir();
    const journal = await openTestJournal(dir);
    t.after(() => journal.close());
    const appendAfter = async (hops: number) => {
      await appendText(journal, 'first');
      for (let hop = 0; hop < hops; hop++) await undefined;
      await appendText(journal, 'second');
    };

    await Promise.all(Array.from({ length: 12 }, (_, hops) => appendAfter(hops)));

    assert.equal(readAll(dir, journal.durablePosition).texts.length, 24);
  });

  test("continues after the store's position when the store has more than the journal", async (t) => {
    const dir = tempDir();
    const journal = await openTestJournal(dir);
    await appendText(journal, 'before');
    await journal.close();

    const again = await openTestJournal(dir, { startPosition: 1_000_000 });
    t.after(() => again.close());
    const position = await appendText(again, 'after');

    assert.ok(position > 1_000_000);
    assert.deepEqual(readAll(dir, position, 1_000_000), { texts: ['after'], damage: [] });
  });

  test('rejects appends after close', async () => {
    const journal = await openTestJournal(tempDir());
    const before = appendText(journal, 'before');
    await journal.close();

    await before;
    await assert.rejects(appendText(journal, 'after'), { code: 'SHUTTING_DOWN' });
  });

  test('acknowledges nothing after a failed fdatasync, and requests the end of the process', async () => {
    const fatal: Error[] = [];
    let fails = false;
    const openFile = async (path: string, flags: string) => {
      const file = await open(path, flags);
      const datasync = file.datasync.bind(file);
      file.datasync = () => (fails ? Promise.reject(new Error('EIO: i/o error, fdatasync')) : datasync());
      return file;
    };
    const journal = await openTestJournal(tempDir(), { openFile, onFatal: (error) => fatal.push(error) });
    await appendText(journal, 'good');
    const durablePosition = journal.durablePosition;

    fails = true;
    const results = await Promise.allSettled([appendText(journal, 'lost'), appendText(journal, 'lost too')]);
    fails = false;

    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(fatal.length, 1);
    assert.equal(journal.durablePosition, durablePosition);
    await assert.rejects(appendText(journal, 'later'), { code: 'SHUTTING_DOWN' });
    await journal.close();
  });

  test('rejects with DISK_FULL while writes fail, leaves no trace of them, and resumes automatically', async (t) => {
    const dir = tempDir();
    let fails = false;
    const openFile = async (path: string, flags: string): Promise<FileHandle> => {
      const file = await open(path, flags);
      const writev = file.writev.bind(file);
      file.writev = (async (buffers: Uint8Array[], offset: number) => {
        if (!fails) return writev(buffers, offset);
        // As a disk that fills up does it: a whole record and a part of the next get there.
        await file.write(Buffer.concat(buffers), 0, 150, offset);
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      }) as FileHandle['writev'];
      return file;
    };
    const journal = await openTestJournal(dir, { openFile, probeMs: 5 });
    t.after(() => journal.close());
    await appendText(journal, 'kept');

    fails = true;
    const refused = await Promise.allSettled([appendText(journal, 'refused'), appendText(journal, 'refused too')]);
    const refusedAtOnce = await Promise.allSettled([appendText(journal, 'refused at once')]);
    fails = false;
    while (journal.rejection) await new Promise((resolve) => setTimeout(resolve, 5));
    await appendText(journal, 'kept too');

    for (const result of [...refused, ...refusedAtOnce]) {
      assert.ok(result.status === 'rejected' && result.reason instanceof SpandrelError);
      assert.equal(result.reason.code, 'DISK_FULL');
    }
    assert.deepEqual(readAll(dir, journal.durablePosition), { texts: ['kept', 'kept too'], damage: [] });
    assert.equal(verifyJournal(dir).tornBytes, 0);
  });
});

describe('a journal after a crash', () => {
  test('keeps all records but the last one, wherever it was torn', async () => {
    const dir = tempDir();
    const journal = await openTestJournal(dir);
    await appendText(journal, 'first');
    const lastPosition = await appendText(journal, 'second');
    const endPosition = await appendText(journal, 'the last one');
    await journal.close();
    const whole = readFileSync(segmentPath(dir, 0));

    const recordBytes = whole.readUInt32LE(lastPosition + 8);
    assert.ok(lastPosition + recordBytes <= endPosition);

    for (let cut = lastPosition; cut < lastPosition + recordBytes; cut++) {
      const torn = tempDir();
      const bytes = Buffer.from(whole);
      // Every second time the rest is noise instead of missing.
      if (cut % 2 === 0) writeFileSync(segmentPath(torn, 0), bytes.subarray(0, cut));
      else writeFileSync(segmentPath(torn, 0), bytes.fill(0x5a, cut));
      const again = await openTestJournal(torn);
      assert.equal(again.durablePosition, lastPosition, `cut at ${cut}`);
      await appendText(again, 'after');
      await again.close();
      assert.deepEqual(readAll(torn, again.durablePosition), { texts: ['first', 'second', 'after'], damage: [] });
    }
  });

  test('quarantines a damaged record, wherever a bit flipped, and returns the others', async () => {
    const dir = tempDir();
    const journal = await openTestJournal(dir);
    const from = await appendText(journal, 'first');
    const to = await appendText(journal, 'damaged');
    const endPosition = await appendText(journal, 'third');
    await journal.close();
    const path = segmentPath(dir, 0);
    const whole = readFileSync(path);
    const paddingBytes = to - from - whole.readUInt32LE(from + 8);

    for (let offset = from; offset < to - paddingBytes; offset++) {
      const damaged = Buffer.from(whole);
      damaged[offset]! ^= 1 << (offset % 8);
      writeFileSync(path, damaged);
      const again = await openTestJournal(dir);
      await again.close();

      const { texts, damage } = readAll(dir, endPosition);
      // Bytes 28 to 31 of a header are reserved, yet under the CRC.
      assert.deepEqual(texts, ['first', 'third'], `offset ${offset}`);
      assert.deepEqual(
        damage.map(({ position, endPosition }) => [position, endPosition]),
        [[from, to]],
      );
      assert.deepEqual(verifyJournal(dir).damaged, [{ position: from, bytes: to - from }]);
    }
  });

  test('does not accept records inside a payload that contains a journal', async () => {
    const dir = tempDir();
    const journal = await openTestJournal(dir);
    const from = await appendText(journal, 'first');
    const to = await journal.append(HEAD, readFileSync(segmentPath(dir, 0)).subarray(0, 4096));
    const endPosition = await appendText(journal, 'third');
    await journal.close();
    const bytes = readFileSync(segmentPath(dir, 0));
    bytes[from]! ^= 1;
    writeFileSync(segmentPath(dir, 0), bytes);

    const { texts, damage } = readAll(dir, endPosition);

    assert.deepEqual(texts, ['first', 'third']);
    assert.deepEqual([damage[0]!.position, damage[0]!.endPosition], [from, to]);
  });

  test('reports a segment that is missing', async () => {
    const dir = tempDir();
    const journal = await openTestJournal(dir, { segmentBytes: 4096 });
    for (const letter of ['a', 'b', 'c']) await appendText(journal, letter.repeat(3000));
    await journal.close();
    const firstPositions = readdirSync(dir).map((name) => Number.parseInt(name, 10));
    rmSync(segmentPath(dir, firstPositions[1]!));

    const { texts, damage } = readAll(dir, journal.durablePosition);

    assert.deepEqual(texts, ['a'.repeat(3000), 'c'.repeat(3000)]);
    assert.deepEqual(damage, [{ ...damage[0], position: firstPositions[1]!, endPosition: firstPositions[2]! }]);
  });

  test('restarts a segment whose first write is missing', async (t) => {
    const dir = tempDir();
    const journal = await openTestJournal(dir);
    const position = await appendText(journal, 'one');
    await journal.close();
    writeFileSync(segmentPath(dir, position), Buffer.alloc(4096));

    const again = await openTestJournal(dir);
    t.after(() => again.close());
    const endPosition = await appendText(again, 'two');

    assert.deepEqual(readAll(dir, endPosition), { texts: ['one', 'two'], damage: [] });
  });

  test('has every acknowledged record once and in order after random failures', async (t) => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
    t.diagnostic(`SEED=${seed}`);
    const random = seededRandom(seed);
    const below = (limit: number) => Math.floor(random() * limit);
    let dir = tempDir();
    let journal = await openTestJournal(dir, { segmentBytes: 32 * 1024 });
    /** What was acknowledged, and what was sent but cut off by a crash and may be there or not. */
    const expected: { text: string; isAcknowledged: boolean }[] = [];
    let serial = 0;

    for (let step = 0; step < 120; step++) {
      const pending = Array.from({ length: 1 + below(8) }, () => {
        const text = `${serial++}:${'x'.repeat(random() < 0.1 ? below(40_000) : below(2000))}`;
        const entry = { text, isAcknowledged: false };
        expected.push(entry);
        return appendText(journal, text).then(() => {
          entry.isAcknowledged = true;
        });
      });
      if (random() < 0.8) await Promise.all(pending);
      else {
        // Power goes while these are on their way: what is on the disk is a copy, with noise behind what was durable.
        const crashed = tempDir();
        const acknowledgedBefore = expected.filter((entry) => entry.isAcknowledged).length;
        if (random() < 0.5) await new Promise((resolve) => setImmediate(resolve));
        const durablePosition = journal.durablePosition;
        const acknowledged = new Set(expected.filter((entry) => entry.isAcknowledged));
        assert.ok(acknowledged.size >= acknowledgedBefore);
        copyWithTornTail(dir, crashed, durablePosition, random);
        await Promise.all(pending);
        await journal.close();
        for (const entry of expected) entry.isAcknowledged = acknowledged.has(entry);
        dir = crashed;
        journal = await openTestJournal(dir, { segmentBytes: 32 * 1024 });
        const { texts } = readAll(dir, journal.durablePosition);
        const found = new Set(texts);
        for (let index = expected.length - 1; index >= 0; index--) {
          const { text, isAcknowledged } = expected[index]!;
          if (found.has(text)) expected[index]!.isAcknowledged = true;
          else if (!isAcknowledged) expected.splice(index, 1);
        }
      }
      if (random() < 0.1) {
        await journal.close();
        journal = await openTestJournal(dir, { segmentBytes: 32 * 1024 });
      }
      if (step % 10 === 9) {
        const { texts } = readAll(dir, journal.durablePosition);
        assert.deepEqual(
          texts.map((text) => text.slice(0, 12)),
          expected.map(({ text }) => text.slice(0, 12)),
        );
        assert.deepEqual(
          texts,
          expected.map(({ text }) => text),
        );
      }
    }
    await journal.close();
  });
});

describe('removal of segments', () => {
  test('removes segments before the position and after their grace period, never the newest', async (t) => {
    const dir = tempDir();
    const journal = await openTestJournal(dir, { segmentBytes: 4096 });
    t.after(() => journal.close());
    for (const letter of ['a', 'b', 'c', 'd']) await appendText(journal, letter.repeat(3000));
    const segments = () =>
      readdirSync(dir)
        .filter((name) => /^\d/.test(name))
        .sort();
    const [first, second, third, fourth] = segments();
    const position = Number.parseInt(third!, 10);
    for (const name of segments()) utimesSync(join(dir, name), 0, 0);

    await removeSegmentsBefore(dir, position - 1, { graceMs: 0, graceBytesMax: 0 });
    assert.deepEqual(segments(), [second, third, fourth]);
    await removeSegmentsBefore(dir, position, { graceMs: Date.now() * 2, graceBytesMax: 1e9 });
    assert.deepEqual(segments(), [second, third, fourth]);
    await removeSegmentsBefore(dir, position, { graceMs: Date.now() * 2, graceBytesMax: 100 });
    assert.deepEqual(segments(), [third, fourth]);
    await removeSegmentsBefore(dir, Number.MAX_SAFE_INTEGER, { graceMs: 1000, graceBytesMax: 1e9 });
    assert.deepEqual(segments(), [fourth]);
    assert.ok(first);
  });
});

/** Everything durable, and of the rest of the last file some stretch, with noise in it. */
function copyWithTornTail(from: string, to: string, durablePosition: number, random: () => number): void {
  // The spare segment may get its name on another thread between the listing and the copy: what is left of one is noise.
  const spare = basename(spareSegmentPath(from));
  cpSync(from, to, { recursive: true, filter: (path) => basename(path) !== spare });
  if (random() < 0.5) writeFileSync(join(to, spare), Buffer.alloc(5_000, 0x5a));
  const last = readdirSync(to)
    .filter((name) => /^\d/.test(name))
    .sort()
    .at(-1)!;
  const path = join(to, last);
  const durableBytes = Math.max(0, durablePosition - Number.parseInt(last, 10));
  const bytes = readFileSync(path);
  const noiseFrom = durableBytes + Math.floor(random() * 4000);
  for (let at = noiseFrom; at < Math.min(bytes.length, noiseFrom + 3000); at++) bytes[at] = Math.floor(random() * 256);
  writeFileSync(path, bytes);
  if (random() < 0.3) truncateSync(path, Math.max(durableBytes, Math.floor(statSync(path).size * random())));
}
