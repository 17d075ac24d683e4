/**
 * How long does it take to delete a day of thirty, is the space reused, and how does it affect readers?
 *
 *   SIZE=5000000 node dist/bench/span-store/delete-range.bench.js
 */
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { measure as measures, totalOf } from '../../src/span-store/contract/aggregate.ts';
import type { Deletion } from '../../src/span-store/contract/writer.ts';
import { AgentBatches, cpuMs, openBenchStore } from './agent-batches.ts';

const isSmoke = process.env.SMOKE !== undefined;
const STORED_COUNT = isSmoke ? 3_000 : Number(process.env.SIZE ?? 500_000);
const BATCH_ROW_COUNT = isSmoke ? 100 : 16_000;
const DAY_COUNT = 30;
const ALL = { what: 'tracesOfProject', projectId: 1, withSessions: false } as const;

const batches = new AgentBatches(BATCH_ROW_COUNT);
const batchCount = Math.ceil(STORED_COUNT / batches.rowCount);
const { store, dir } = await openBenchStore();
let position = 0;
try {
  for (let number = 0; number < batchCount; number++) await store.append(batches.batch(number), ++position);
  await store.checkpoint();
  const query = {
    grain: 'traces',
    projectId: 1,
    measures: {
      traceCount: measures.rows,
      spanCount: measures.sum('spanCount'),
      firstStart: measures.earliest('startTime'),
      lastStart: measures.latest('startTime'),
    },
  } as const;
  const sums = totalOf(await store.aggregate(query));
  const [first, last] = [sums.firstStart ?? 0n, sums.lastStart ?? 0n];
  const dayEnd = (day: number) => first + ((last - first) * BigInt(day)) / BigInt(DAY_COUNT);
  console.log(`${sums.spanCount.toLocaleString('en')} spans, ${sums.traceCount.toLocaleString('en')} traces`);

  const day = (number: number): Deletion => ({ ...ALL, endTimeUnixNano: dayEnd(number) });
  await measure('the oldest day of thirty', day(1));
  await measure('the next', day(2));
  await measure('a day in the middle', {
    ...ALL,
    startTimeUnixNano: dayEnd(15),
    endTimeUnixNano: dayEnd(16),
  });
  await measure('all but the newest half by count', { ...ALL, exceptNewestCount: Math.floor(sums.traceCount / 2) });
  const before = (await store.stats()).diskBytes;
  for (let number = 0; number < Math.floor(batchCount / 3); number++) {
    await store.append(batches.batch(batchCount + number), ++position);
  }
  await store.checkpoint();
  const { diskBytes } = await store.stats();
  console.log(`file after a third came again: ${mib(before)} before, ${mib(diskBytes)} after`);
  await measure('all, with sessions', { ...ALL, withSessions: true });
} finally {
  await store.close();
  await rm(dir, { recursive: true, force: true });
}

async function measure(what: string, deletion: Deletion): Promise<void> {
  const spansBefore = (await store.stats()).spanCount;
  const usedBefore = await usedBytes();
  const readers = watchReads();
  await delay(isSmoke ? 5 : 500);
  const startedAt = performance.now();
  const cpuBefore = cpuMs();
  await store.delete(deletion, ++position);
  const deletedAt = performance.now();
  await store.checkpoint();
  const checkpointedAt = performance.now();
  const cpu = cpuMs() - cpuBefore;
  const { alone, meanwhile } = await readers.stop(startedAt);
  const count = spansBefore - (await store.stats()).spanCount;
  console.log(
    `${what}: ${count.toLocaleString('en')} spans in ${ms(deletedAt - startedAt)}, checkpoint ${ms(checkpointedAt - deletedAt)}, ` +
      `CPU with readers ${ms(cpu)}; ${mib(usedBefore)} used before, ${mib(await usedBytes())} after; ` +
      `newest page of 100: slowest ${ms(alone)} alone, ${ms(meanwhile)} meanwhile`,
  );
}

/** Reads the newest page repeatedly. Returns the slowest read before and after a time. */
function watchReads() {
  let isStopping = false;
  const reads: { from: number; to: number }[] = [];
  const loop = (async () => {
    while (!isStopping) {
      const from = performance.now();
      await store.findSpans({ projectId: 1, limit: 100 });
      reads.push({ from, to: performance.now() });
      await delay(5);
    }
  })();
  const slowest = (some: typeof reads) => some.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  return {
    async stop(startedAt: number) {
      isStopping = true;
      await loop;
      return {
        alone: slowest(reads.filter(({ to }) => to < startedAt)),
        meanwhile: slowest(reads.filter(({ to }) => to >= startedAt)),
      };
    },
  };
}

async function usedBytes(): Promise<number> {
  const { diskBytes, freeBytes } = await store.stats();
  return diskBytes - freeBytes;
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}
function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}
