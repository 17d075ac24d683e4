/**
 * Does the usage of a prompt cost more with more stored spans? A store has 2,000 calls of three versions among SIZE other
 * spans. Prints the first and the median time, and the CPU time, of a read of a week.
 *
 *   SIZE=1000000 node dist/bench/span-store/prompt-usage.bench.js     DIR=… keeps the store there and uses it again
 */
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { PROMPT_VERSION_ATTRIBUTES } from '../../src/semconv/prompt-attributes.ts';
import { toIntervals } from '../../src/model/time/time-bins.ts';
import { spanColumns } from '../../test/fixtures/span-columns.ts';
import { AgentBatches, openBenchStore } from './agent-batches.ts';
import { ROUNDS_HEADING, timeRounds } from './time-rounds.ts';

const isSmoke = process.env.SMOKE !== undefined;
const STORED_COUNT = isSmoke ? 2_000 : Number(process.env.SIZE ?? 100_000);
const ROUND_COUNT = isSmoke ? 1 : 9;
const BATCH_ROW_COUNT = isSmoke ? 500 : 8_000;
const CALL_COUNT = isSmoke ? 100 : 2_000;
const VERSIONS = [1, 2, 3].map((rowId) => Buffer.from(`PromptVersion:${rowId}`).toString('base64'));

const { store, dir } = await openBenchStore(process.env.DIR);
try {
  const batches = new AgentBatches(BATCH_ROW_COUNT);
  const batchCount = Math.ceil(STORED_COUNT / BATCH_ROW_COUNT);
  const start = batches.batch(0).startTimeUnixNano[0]!;
  // The calls are in the middle.
  const middle = batchCount >> 1;
  for (let position = await store.appliedPosition(); position <= batchCount; ) {
    await store.append(position === middle ? calls(start) : batches.batch(position), ++position);
  }
  await store.checkpoint();
  while ((await store.stats()).unindexedBlockCount > 0) await delay(100);
  const step = { scale: 'HOUR', scaleCount: 6 } as const;
  const bins = { ...step, intervals: toIntervals(step, { offsetMs: 0, changes: [] }) };
  const week = { startTimeUnixNano: start - 1n, endTimeUnixNano: start + 7n * 86_400_000_000_000n };
  console.log(`${STORED_COUNT.toLocaleString('en')} spans`);
  console.log(ROUNDS_HEADING);
  const query = { ...week, paths: PROMPT_VERSION_ATTRIBUTES, bins };
  await timeRounds(`${CALL_COUNT} calls of 3 versions`, ROUND_COUNT, () =>
    store.aggregateByValue({ ...query, values: VERSIONS }),
  );
  await timeRounds('no calls of 100 versions', ROUND_COUNT, () =>
    store.aggregateByValue({ ...query, values: Array.from({ length: 100 }, (_, index) => `${VERSIONS[0]}${index}`) }),
  );
  const { aggregates } = await store.aggregateByValue({ ...query, values: VERSIONS });
  const total = aggregates
    .filter((one) => one.startTimeUnixMicro === null)
    .reduce((sum, one) => sum + one.spanCount, 0);
  console.log(`${total} calls found`);
} finally {
  await store.close();
}
if (process.env.DIR === undefined) await rm(dir, { recursive: true, force: true });

function calls(start: bigint) {
  return spanColumns(
    Array.from({ length: CALL_COUNT }, (_, index) => ({
      traceId: `f${index.toString(16).padStart(31, '0')}`,
      spanId: `f${index.toString(16).padStart(15, '0')}`,
      project: 'default',
      start: start + BigInt(index) * 60_000_000_000n,
      end: start + BigInt(index) * 60_000_000_000n + 800_000_000n,
      spanKind: 'LLM' as const,
      tokens: [100, 20] as const,
      attributes: { llm: { prompt_template: { version: VERSIONS[index % VERSIONS.length] } } },
    })),
  );
}
