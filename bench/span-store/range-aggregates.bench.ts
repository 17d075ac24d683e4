/**
 * What do the aggregates of a project cost, from memory and from the database, idle and while spans are appended?
 * Prints the first and the median time, and the CPU time, of each query about the last week without its first and last
 * half hour.
 *
 *   SIZE=2000000 node dist/bench/span-store/range-aggregates.bench.js     DIR=… keeps the store there and uses it again
 */
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { SpanColumns } from '../../src/columns/span-columns.ts';
import { measure } from '../../src/span-store/contract/aggregate.ts';
import type { AnnotationRecord } from '../../src/span-store/contract/annotations.ts';
import type { DuckdbSpanStore } from '../../src/span-store/open-span-store.ts';
import { AgentBatches, openBenchStore } from './agent-batches.ts';
import { ROUNDS_HEADING, timeRounds } from './time-rounds.ts';

const isSmoke = process.env.SMOKE !== undefined;
const STORED_COUNT = isSmoke ? 2_000 : Number(process.env.SIZE ?? 500_000);
const ROUND_COUNT = isSmoke ? 1 : 15;
const BATCH_ROW_COUNT = isSmoke ? 500 : 8_000;
const WEEK_NS = 7n * 86_400_000_000_000n;
const HALF_HOUR_NS = 1_800_000_000_000n;
/** Between two batches of 1,000 spans: 5,000 spans a second. */
const ARRIVAL_NS = 200_000_000n;

const LATENCIES = { latencies: measure.quantiles('latencyMs', [0.5, 0.99]) } as const;
const TRACE_SUMS = {
  count: measure.rows,
  tokensPrompt: measure.sum('tokensPrompt'),
  tokensCompletion: measure.sum('tokensCompletion'),
} as const;
const COST_SUMS = {
  tokensPrompt: measure.sum('costTokensPrompt'),
  tokensCompletion: measure.sum('costTokensCompletion'),
  promptPico: measure.sum('promptPico'),
  completionPico: measure.sum('completionPico'),
} as const;

const batches = new AgentBatches(BATCH_ROW_COUNT);
const arriving = new AgentBatches(isSmoke ? 10 : 1_000);
const batchCount = Math.ceil(STORED_COUNT / BATCH_ROW_COUNT);
const [beginning = 0n] = batches.batch(0).startTimeUnixNano;

const { store: first, dir } = await openBenchStore(process.env.DIR);
try {
  await fill(first);
} finally {
  await first.close();
}
console.log(`${STORED_COUNT.toLocaleString('en')} spans over 7 days`);
console.log(ROUNDS_HEADING);
for (const rangeSumBytes of [0, undefined]) {
  const { store } = await openBenchStore(dir, { rangeSumBytes });
  const from = rangeSumBytes === 0 ? 'from the database' : 'from memory';
  try {
    await untilQuiet(store);
    for (const [what, read] of questions(store)) await timeRounds(`${what}, ${from}`, ROUND_COUNT, read);
    let position = await store.appliedPosition();
    for (const [what, read] of questions(store)) {
      await timeRounds(`${what}, ${from}, after 1,000 spans`, ROUND_COUNT, read, async () => {
        await store.append(
          shifted(arriving, position, WEEK_NS + BigInt(position - batchCount) * ARRIVAL_NS),
          ++position,
        );
      });
    }
  } finally {
    await store.close();
  }
}
if (process.env.DIR === undefined) await rm(dir, { recursive: true, force: true });

/** Block filters are built after the writer. */
async function untilQuiet(store: DuckdbSpanStore): Promise<void> {
  while ((await store.stats()).unindexedBlockCount > 0) await delay(100);
}

async function fill(store: DuckdbSpanStore): Promise<void> {
  let position = await store.appliedPosition();
  for (; position < batchCount; ) {
    const delay = (WEEK_NS * BigInt(position)) / BigInt(batchCount);
    const batch = shifted(batches, position, delay);
    const [first] = batch.spanId;
    await store.append(batch, ++position, position % 10 === 0 ? [toRecord(first!, position)] : []);
  }
  await store.checkpoint();
}

/** An annotation of a span of every tenth batch. */
function toRecord(spanId: bigint, position: number): AnnotationRecord {
  return {
    position,
    receivedAtMs: 0,
    target: 'span',
    isWhole: false,
    source: 'API',
    userId: null,
    annotations: [
      {
        targetId: spanId.toString(16).padStart(16, '0'),
        documentPosition: null,
        name: 'quality',
        identifier: '',
        annotatorKind: 'LLM',
        label: 'good',
        score: 1,
        explanation: null,
        metadata: '{}',
      },
    ],
  };
}

/** The batch of this number, whose start is later by the number of the batch. */
function shifted(from: AgentBatches, batchNumber: number, delay: bigint): SpanColumns {
  const batch = from.batch(batchNumber);
  const shift = beginning + delay - batch.startTimeUnixNano[0]!;
  for (let row = 0; row < batch.rowCount; row++) {
    batch.startTimeUnixNano[row]! += shift;
    batch.endTimeUnixNano[row]! += shift;
  }
  return batch;
}

function questions(store: DuckdbSpanStore): [what: string, read: () => Promise<unknown>][] {
  const query = {
    projectId: 1,
    startTimeUnixNano: beginning + HALF_HOUR_NS,
    endTimeUnixNano: beginning + WEEK_NS - HALF_HOUR_NS,
  };
  const annotations = { ...query, target: 'span', names: ['quality'] } as const;
  return [
    ['traces and tokens', () => store.aggregate({ ...query, grain: 'traces', measures: TRACE_SUMS })],
    ['spans', () => store.aggregate({ ...query, grain: 'spans', measures: { count: measure.rows } })],
    ['quantiles', () => store.aggregate({ ...query, grain: 'traces', measures: LATENCIES })],
    ['costs', () => store.aggregate({ ...query, grain: 'traces', measures: COST_SUMS })],
    ['summary of annotations', () => store.aggregateAnnotations(annotations)],
  ];
}
