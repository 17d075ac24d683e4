/**
 * How long does each kind of page take, and does it grow with the stored rows? Prints the first and the median time.
 *
 *   SIZE=5000000 node dist/bench/span-store/read-pages.bench.js     DIR=… keeps the store there and uses it again
 */
import { rm } from 'node:fs/promises';
import type { Span } from '../../src/model/spans/span.ts';
import type { DuckdbSpanStore } from '../../src/span-store/open-span-store.ts';
import { findRowId } from '../../src/domain/find-row-ids.ts';
import { AgentBatches, cpuMs, openBenchStore } from './agent-batches.ts';

const isSmoke = process.env.SMOKE !== undefined;
const STORED_COUNT = isSmoke ? 2_000 : Number(process.env.SIZE ?? 500_000);
const ROUND_COUNT = isSmoke ? 1 : 7;
const BATCH_ROW_COUNT = isSmoke ? 500 : 16_000;

const { store, dir } = await openBenchStore(process.env.DIR);
let check = 0;
try {
  await fill();
  const { spanCount, diskBytes } = await store.stats();
  console.log(`${spanCount.toLocaleString('en')} spans, ${(diskBytes / spanCount).toFixed(0)} bytes each on disk`);
  console.log(`${''.padEnd(36)}    rows  first ms  median ms  CPU ms`);
  for (const [what, read] of await reads(store, spanCount)) await measure(what, read);
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
  }
  await store.checkpoint();
}

type Read = readonly [what: string, read: () => Promise<number>];

async function reads(store: DuckdbSpanStore, spanCount: number): Promise<Read[]> {
  const middleRowId = Math.floor(spanCount / 2);
  const page = { projectId: 1, limit: 100 };
  const { items } = await store.findSpans({ ...page, limit: 1, fromRowId: middleRowId });
  const middle = items[0]!;
  const { userId, sessionId } = idsOf(middle);
  const traceRowId = (await findRowId(store, 'traces', { id: middle.traceId }))!;
  const scattered = await scatteredSpanIds(store, spanCount);
  const spans = (query: object) => async () => (await store.findSpans({ ...page, ...query })).items.length;
  const attribute = (path: string, value: string | number) => spans({ attributes: [{ path, value }] });
  const traces = (query: object) => async () =>
    (await store.findTraces({ ...page, sort: 'startTime', order: 'desc', ...query })).items.length;
  return [
    ['row id of a span ID', async () => Number((await findRowId(store, 'spans', { id: middle.spanId })) !== undefined)],
    [
      'row id of an unknown span ID',
      async () => Number((await findRowId(store, 'spans', { id: 'f'.repeat(16) })) ?? 0),
    ],
    ['newest 100', spans({})],
    ['newest 1,000', spans({ limit: 1_000 })],
    ['from the middle', spans({ fromRowId: middleRowId })],
    ['status', spans({ statusCodes: ['ERROR'] })],
    ['kind', spans({ spanKinds: ['LLM'] })],
    ['root spans', spans({ parentSpanId: null })],
    ['name', spans({ names: ['sql_query'] })],
    ['name that no span has', spans({ names: ['sql_quest'] })],
    ['user, 1 span in 1,000', attribute('user.id', userId)],
    ['session', attribute('session.id', sessionId)],
    ['model', attribute('llm.model_name', 'gpt-4o')],
    ['metadata, common', attribute('metadata.tier', 'pro')],
    ['metadata, none', attribute('metadata.tier', 'none')],
    ['any key, common', attribute('tool.name', 'search')],
    ['any key, no match', attribute('tool.name', 'none')],
    ['any key, number without match', attribute('llm.token_count.prompt', -1)],
    ['input, no match', attribute('input.value', 'Hello world')],
    ['hour in the middle', spans(hourAround(middle))],
    ['trace', spans({ traceIds: [middle.traceId] })],
    ['span', spans({ spanIds: [middle.spanId] })],
    ['100 spans, scattered', spans({ spanIds: scattered })],
    ['other project', spans({ projectId: 2 })],
    ['newest 100 traces', traces({})],
    ['slowest 100 traces', traces({ sort: 'latency' })],
    ['traces from the middle', traces({ fromRowId: traceRowId })],
    ['traces of a session', traces({ sessions: [{ id: sessionId }] })],
    [
      'spans of 100 traces',
      async () => (await store.get({ of: 'traces', column: 'spans', rowIds: range(traceRowId, 100) })).size,
    ],
    ['newest 100 sessions', async () => (await store.findSessions({ ...page, order: 'desc' })).items.length],
    ['session by its id', async () => ((await findRowId(store, 'sessions', { id: sessionId })) ? 1 : 0)],
    ['span row id by span id', async () => ((await findRowId(store, 'spans', { id: middle.spanId })) ? 1 : 0)],
    ['trace row id by trace id', async () => ((await findRowId(store, 'traces', { id: middle.traceId })) ? 1 : 0)],
  ];
}

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from - i).filter((id) => id > 0);
}

function hourAround({ startTimeUnixNano }: Span) {
  return {
    startTimeUnixNano: startTimeUnixNano - 1_800_000_000_000n,
    endTimeUnixNano: startTimeUnixNano + 1_800_000_000_000n,
  };
}

function idsOf(span: Span): { userId: string; sessionId: string } {
  const promoted = JSON.parse(span.attributeParts[span.attributeParts.length - 1]!) as {
    user: { id: string };
    session: { id: string };
  };
  return { userId: promoted.user.id, sessionId: promoted.session.id };
}

async function scatteredSpanIds(store: DuckdbSpanStore, spanCount: number): Promise<string[]> {
  const found: string[] = [];
  for (let i = 0; i < 100; i++) {
    const fromRowId = 1 + Math.floor((spanCount * (i + 0.5)) / 100);
    const { items } = await store.findSpans({ projectId: 1, limit: 1, fromRowId });
    found.push(items[0]!.spanId);
  }
  return found;
}

async function measure(what: string, read: () => Promise<number>): Promise<void> {
  const times: number[] = [];
  const cpuBefore = cpuMs();
  let rowCount = 0;
  for (let round = 0; round < ROUND_COUNT; round++) {
    const startedAt = performance.now();
    rowCount = await read();
    times.push(performance.now() - startedAt);
  }
  const cpu = (cpuMs() - cpuBefore) / ROUND_COUNT;
  const median = [...times].sort((a, b) => a - b)[times.length >> 1]!;
  check += rowCount;
  console.log(
    `${what.padEnd(36)} ${String(rowCount).padStart(7)} ${times[0]!.toFixed(1).padStart(9)} ${median.toFixed(1).padStart(10)} ${cpu.toFixed(1).padStart(7)}`,
  );
}
