/**
 * What does a panel of a dashboard cost? Prints the first and the median time, and the CPU time, of one read per kind of
 * panel, over a week of spans in 42 bins.
 *
 *   SIZE=2000000 node dist/bench/span-store/span-metrics.bench.js     DIR=… keeps the store there and uses it again
 */
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseSpanFilter } from '../../src/filter/spans/parse-span-filter.ts';
import type { SpanMetricQuery } from '../../src/span-store/contract/span-metrics.ts';
import { AgentBatches, openBenchStore } from './agent-batches.ts';
import { ROUNDS_HEADING, timeRounds } from './time-rounds.ts';

const isSmoke = process.env.SMOKE !== undefined;
const STORED_COUNT = isSmoke ? 2_000 : Number(process.env.SIZE ?? 500_000);
const ROUND_COUNT = isSmoke ? 1 : 9;
const BATCH_ROW_COUNT = isSmoke ? 500 : 8_000;
const WEEK_NS = 7n * 86_400_000_000_000n;

const batches = new AgentBatches(BATCH_ROW_COUNT);
const batchCount = Math.ceil(STORED_COUNT / BATCH_ROW_COUNT);
const [beginning = 0n] = batches.batch(0).startTimeUnixNano;
const { store, dir } = await openBenchStore(process.env.DIR);
try {
  for (let position = await store.appliedPosition(); position < batchCount; ) {
    const batch = batches.batch(position);
    const shift = beginning + (WEEK_NS * BigInt(position)) / BigInt(batchCount) - batch.startTimeUnixNano[0]!;
    for (let row = 0; row < batch.rowCount; row++) {
      batch.startTimeUnixNano[row]! += shift;
      batch.endTimeUnixNano[row]! += shift;
    }
    await store.append(batch, ++position);
  }
  await store.checkpoint();
  // Block filters are built after the writer.
  while ((await store.stats()).unindexedBlockCount > 0) await delay(100);
  console.log(`${STORED_COUNT.toLocaleString('en')} spans over 7 days`);
  console.log(ROUNDS_HEADING);
  const bins = { scale: 'HOUR', scaleCount: 4, intervals: [{ beforeMs: Infinity, offsetMs: 0 }] } as const;
  const isLlm = parseSpanFilter("span_kind == 'LLM'");
  const range = { startTimeUnixNano: beginning, endTimeUnixNano: beginning + WEEK_NS };
  const base = { projectId: 1, groupLimit: 8, ...range } as const;
  const panels: readonly (readonly [what: string, query: SpanMetricQuery])[] = [
    ['count of spans', { ...base, metric: 'spans', aggregates: ['count'] }],
    ['traces by time', { ...base, metric: 'traces', aggregates: ['count'], bins }],
    ['three percentiles by time', { ...base, metric: 'latency', aggregates: ['p50', 'p90', 'p99'], bins }],
    [
      'tokens by model and time',
      { ...base, metric: 'tokens', aggregates: ['sum'], groupBy: { column: 'model' }, bins },
    ],
    [
      'percentile by kind and time',
      { ...base, metric: 'latency', aggregates: ['p95'], groupBy: { column: 'kind' }, bins },
    ],
    [
      'percentile by kind, filtered',
      { ...base, metric: 'latency', aggregates: ['p95'], groupBy: { column: 'name' }, filter: isLlm },
    ],
    [
      'spans by an attribute and time',
      { ...base, metric: 'spans', aggregates: ['count'], groupBy: { path: ['llm', 'system'] }, bins },
    ],
    ['most expensive sessions', { ...base, metric: 'tokens', aggregates: ['sum'], groupBy: { column: 'session' } }],
    ['most expensive traces', { ...base, metric: 'tokens', aggregates: ['sum'], groupBy: { column: 'trace' } }],
  ];
  for (const [what, query] of panels) await timeRounds(what, ROUND_COUNT, () => store.findSpanMetric(query));
} finally {
  await store.close();
}
if (process.env.DIR === undefined) await rm(dir, { recursive: true, force: true });
