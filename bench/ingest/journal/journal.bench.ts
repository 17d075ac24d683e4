/**
 * How many acknowledgements per second does the journal reach, by number of senders and record size, compared with a
 * file that is appended to and synced once per request?
 */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../src/base/log.ts';
import { Journal } from '../../../src/ingest/journal/journal.ts';
import type { RecordHead } from '../../../src/ingest/journal/journal-format.ts';

const RUN_MS = process.env.SMOKE ? 20 : 500;
/** The speed of shared disks varies, so the two alternate. */
const ROUND_COUNT = process.env.SMOKE ? 1 : 3;
const HEAD: RecordHead = { kind: 'spans', receivedAtMs: 0, spanCount: 500 };

interface Rate {
  readonly recordCount: number;
  readonly syncCount: number;
  readonly ms: number;
}

async function journalRate(dir: string, senderCount: number, body: Uint8Array): Promise<Rate> {
  let syncCount = 0;
  const onFatal = (error: Error) => {
    throw error;
  };
  const journal = await Journal.open({ dir, log: silentLog, onFatal, onCommit: () => syncCount++ });
  const rate = await runSenders(senderCount, () => journal.append(HEAD, body));
  await journal.close();
  return { ...rate, syncCount };
}

async function baselineRate(dir: string, senderCount: number, body: Uint8Array): Promise<Rate> {
  const file = await open(join(dir, 'baseline'), 'a');
  let turn: Promise<unknown> = Promise.resolve();
  // One request after the other: two writers of one file would share their syncs by chance.
  const append = () => {
    turn = turn.then(async () => {
      await file.write(body);
      await file.datasync();
    });
    return turn;
  };
  const rate = await runSenders(senderCount, append);
  await file.close();
  return { ...rate, syncCount: rate.recordCount };
}

async function runSenders(senderCount: number, send: () => Promise<unknown>) {
  const startMs = performance.now();
  let recordCount = 0;
  const sender = async () => {
    while (performance.now() - startMs < RUN_MS) {
      await send();
      recordCount++;
    }
  };
  await Promise.all(Array.from({ length: senderCount }, sender));
  return { recordCount, ms: performance.now() - startMs };
}

async function inTempDir(run: (dir: string) => Promise<Rate>): Promise<Rate> {
  const dir = await mkdtemp(join(tmpdir(), 'spandrel-bench-'));
  try {
    return await run(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const best = (rates: readonly Rate[]): Rate =>
  rates.reduce((one, other) => (other.recordCount / other.ms > one.recordCount / one.ms ? other : one));

function describe(what: string, { recordCount, syncCount, ms }: Rate, bodyBytes: number): void {
  const perSecond = (recordCount / ms) * 1000;
  const figures = [
    `${perSecond.toFixed(0).padStart(7)} records/s`,
    `${((perSecond * bodyBytes) / 1e6).toFixed(0).padStart(5)} MB/s`,
    `${(recordCount / syncCount).toFixed(1).padStart(6)} records a sync`,
    `${(ms / syncCount).toFixed(2).padStart(6)} ms a sync`,
  ];
  console.log(`${what.padEnd(34)} ${figures.join('  ')}`);
}

for (const bodyBytes of [2_000, 700_000]) {
  const body = Uint8Array.from({ length: bodyBytes }, (_, index) => (index * 2_654_435_761) >>> 24);
  for (const senderCount of [1, 4, 16, 64]) {
    const journal: Rate[] = [];
    const baseline: Rate[] = [];
    for (let round = 0; round < ROUND_COUNT; round++) {
      journal.push(await inTempDir((dir) => journalRate(dir, senderCount, body)));
      baseline.push(await inTempDir((dir) => baselineRate(dir, senderCount, body)));
    }
    const name = `${bodyBytes / 1000} KB, ${senderCount} senders`;
    describe(`${name}, journal`, best(journal), bodyBytes);
    describe(`${name}, sync a request`, best(baseline), bodyBytes);
  }
}
