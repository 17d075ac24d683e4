/**
 * How long does a page or a count take for each kind of filter, and the facets beside a table? Rare matches are one
 * span in 100,000, which has one more attribute. Prints the first and the median time.
 *
 *   SIZE=2000000 node dist/bench/span-store/filters.bench.js     DIR=… keeps the store there and uses it again
 */
import { rm } from 'node:fs/promises';
import { FACET_METADATA_KEY_COUNT, FACET_VALUE_COUNT_MAX } from '../../src/model/limits/reads.ts';
import { parseSpanFilter } from '../../src/filter/spans/parse-span-filter.ts';
import { measure as measures, totalOf } from '../../src/span-store/contract/aggregate.ts';
import { spanColumns } from '../../test/fixtures/span-columns.ts';
import { AgentBatches, cpuMs, openBenchStore } from './agent-batches.ts';

const COUNT = { count: measures.rows } as const;
const isSmoke = process.env.SMOKE !== undefined;
const STORED_COUNT = isSmoke ? 2_000 : Number(process.env.SIZE ?? 500_000);
const ROUND_COUNT = isSmoke ? 1 : 5;
const BATCH_ROW_COUNT = isSmoke ? 500 : 16_000;
const RARE_EVERY = isSmoke ? 500 : 100_000;

const { store, dir } = await openBenchStore(process.env.DIR);
let check = 0;
try {
  await fill();
  console.log(`${(await store.stats()).spanCount.toLocaleString('en')} spans`);
  console.log(`${''.padEnd(74)}  rows  first ms  median ms  CPU ms`);
  for (const [text, sort] of FILTERS()) {
    await measure(`${text}${sort ? ', by start' : ''}`, async () => {
      const filter = parseSpanFilter(text);
      const page = { projectId: 1, order: 'desc', limit: 50, filter } as const;
      return (await store.listSpans(sort ? { ...page, sort: 'startTime' } : page, { readClass: 'interface' })).items
        .length;
    });
  }
  for (const text of ["span_kind == 'LLM'", "status_code == 'ERROR'", "metadata['tier'] == 'pro'", 'rare.key == 1']) {
    const query = { grain: 'spans', projectId: 1, filter: parseSpanFilter(text), measures: COUNT } as const;
    await measure(`count of ${text}`, async () => totalOf(await store.aggregate(query)).count);
  }
  for (const text of [undefined, "span_kind == 'LLM'", "metadata['tier'] == 'pro'", 'rare.key == 1']) {
    const filter = text === undefined ? undefined : parseSpanFilter(text);
    await measure(`values beside the table of ${text ?? 'all'}`, async () => {
      const limits = { limit: FACET_VALUE_COUNT_MAX, metadataKeyLimit: FACET_METADATA_KEY_COUNT };
      const query = { projectId: 1, filter, grain: 'spans', ...limits } as const;
      return (await store.findFacets(query, { readClass: 'interface' })).rowCount;
    });
  }
} finally {
  await store.close();
}
if (process.env.DIR === undefined) await rm(dir, { recursive: true, force: true });
console.log(`check ${check}`);

async function fill(): Promise<void> {
  const batches = new AgentBatches(BATCH_ROW_COUNT);
  let position = await store.appliedPosition();
  for (let { spanCount } = await store.stats(); spanCount < STORED_COUNT; spanCount += batches.rowCount) {
    await store.append(batches.batch(position), ++position);
    if (spanCount % RARE_EVERY >= BATCH_ROW_COUNT) continue;
    const id = String(position).padStart(16, '0');
    const rare = {
      traceId: id.repeat(2),
      spanId: id,
      attributes: { rare: { key: 1, text: 'x' } },
      userId: 'rare user',
      name: 'rare',
    };
    const start = BigInt(spanCount) * 2_000_000n + 1_700_000_000_000_000_000n;
    await store.append(spanColumns([{ ...rare, project: 'bench', start, end: start }]), ++position);
  }
  await store.checkpoint();
}

function FILTERS(): (readonly [text: string, byStart?: boolean])[] {
  return [
    ["span_kind == 'LLM'"],
    ["span_kind == 'LLM'", true],
    ["status_code == 'ERROR'", true],
    ['latency_ms > 1000', true],
    ['llm.token_count.total > 100', true],
    ['cumulative_token_count.total > 100 and parent_id is None', true],
    ["metadata['tier'] == 'pro'", true],
    ["'the' in input.value", true],
    ["tool.name == 'search'", true],
    ["name == 'rare'", true],
    ["user.id == 'rare user'", true],
    ['rare.key == 1'],
    ['rare.key == 1', true],
    ["rare.text == 'x'", true],
    ["no.such.key == 'x'"],
    ["no.such.key == 'x'", true],
    ['no.such.key is not None', true],
    ["metadata['none'] == 'x'", true],
    ["annotations['quality'].score > 0.5", true],
    ["'no such text anywhere' in input.value", true],
  ];
}

async function measure(what: string, read: () => Promise<number>): Promise<void> {
  const times: number[] = [];
  const cpuBefore = cpuMs();
  let rowCount: number | string = 0;
  for (let round = 0; round < ROUND_COUNT; round++) {
    const startedAt = performance.now();
    try {
      rowCount = await read();
    } catch (error) {
      rowCount = (error as Error).message.slice(0, 40);
    }
    times.push(performance.now() - startedAt);
    if (times[0]! > 5_000) break;
  }
  const cpu = (cpuMs() - cpuBefore) / times.length;
  const median = [...times].sort((a, b) => a - b)[times.length >> 1]!;
  check += Number(rowCount) || 0;
  console.log(
    `${what.padEnd(72)} ${String(rowCount).padStart(7)} ${times[0]!.toFixed(1).padStart(9)} ${median.toFixed(1).padStart(10)} ${cpu.toFixed(1).padStart(7)}`,
  );
}
