/**
 * How much does a project's page cost the store, with and without a filter: aggregates, histogram, facets and the first
 * rows of each grain? Prints the first and the median time, and the CPU time, of each query about the last week.
 *
 *   SIZE=1000000 node dist/bench/span-store/filtered-page.bench.js     DIR=… keeps the store there and uses it again
 */
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { FACET_METADATA_KEY_COUNT } from '../../src/model/limits/reads.ts';
import { parseSpanFilter } from '../../src/filter/spans/parse-span-filter.ts';
import { measure } from '../../src/span-store/contract/aggregate.ts';
import type { DuckdbSpanStore } from '../../src/span-store/open-span-store.ts';
import { AgentBatches, openBenchStore } from './agent-batches.ts';
import { ROUNDS_HEADING, timeRounds } from './time-rounds.ts';

const isSmoke = process.env.SMOKE !== undefined;
const STORED_COUNT = isSmoke ? 2_000 : Number(process.env.SIZE ?? 100_000);
const ROUND_COUNT = isSmoke ? 1 : 9;
const BATCH_ROW_COUNT = isSmoke ? 500 : 8_000;
const FILTERS = [
  undefined,
  "status_code == 'ERROR'",
  "span_kind == 'LLM'",
  'latency_ms > 2000',
  "name == 'nobody has it'",
];

const FIGURES = {
  count: measure.rows,
  latencies: measure.quantiles('latencyMs', [0.5, 0.99]),
  tokensPrompt: measure.sum('tokensPrompt'),
  tokensCompletion: measure.sum('tokensCompletion'),
  promptPico: measure.sum('promptPico'),
  completionPico: measure.sum('completionPico'),
} as const;
const SPAN_COUNT = { spanCount: measure.sum('spanCount') } as const;
const COUNTS = { count: measure.rows, errors: measure.count('error') } as const;

const { store, dir } = await openBenchStore(process.env.DIR);
try {
  const batches = new AgentBatches(BATCH_ROW_COUNT);
  const batchCount = Math.ceil(STORED_COUNT / BATCH_ROW_COUNT);
  for (let position = await store.appliedPosition(); position < batchCount; ) {
    await store.append(batches.batch(position), ++position);
  }
  await store.checkpoint();
  while ((await store.stats()).unindexedBlockCount > 0) await delay(100);
  const startTimeUnixNano = batches.batch(0).startTimeUnixNano[0]! - 1n;
  console.log(`${STORED_COUNT.toLocaleString('en')} spans`);
  console.log(ROUNDS_HEADING);
  for (const text of FILTERS) {
    for (const [what, read] of questions(store, text, startTimeUnixNano))
      await timeRounds(`${what}, ${text ?? 'all'}`, ROUND_COUNT, read);
  }
} finally {
  await store.close();
}
if (process.env.DIR === undefined) await rm(dir, { recursive: true, force: true });

function questions(
  store: DuckdbSpanStore,
  text: string | undefined,
  startTimeUnixNano: bigint,
): [what: string, read: () => Promise<unknown>][] {
  const filter = text === undefined ? undefined : parseSpanFilter(text);
  const query = { projectId: 1, startTimeUnixNano, filter };
  const bins = {
    scale: 'HOUR',
    scaleCount: 2,
    intervals: [{ beforeMs: Number.POSITIVE_INFINITY, offsetMs: 0 }],
    range: { startTimeUnixNano },
  } as const;
  const facets = { limit: 8, metadataKeyLimit: FACET_METADATA_KEY_COUNT };
  const page = { ...query, roots: 'orphansToo', order: 'desc', limit: 60 } as const;
  return (['spans', 'rootSpans', 'traces'] as const).flatMap((grain) => [
    [
      `figures of ${grain}`,
      () => store.aggregate({ ...query, grain, measures: { ...FIGURES, ...(grain !== 'spans' && SPAN_COUNT) } }),
    ],
    [`chart of ${grain}`, () => store.aggregate({ ...query, bins, grain, measures: COUNTS })],
    [`values of ${grain}`, () => store.findFacets({ ...query, ...facets, grain })],
    [
      `rows of ${grain}`,
      () =>
        grain === 'spans'
          ? store.listSpans({ ...query, sort: 'startTime', order: 'desc', limit: 60 })
          : store.listRootSpans({ ...page, grain }),
    ],
  ]);
}
