/**
 * How many spans per second does a client load as pages of Arrow, does the memory of the server grow with their number, and how
 * long do other clients wait for the newest page while it does? Beside it the whole table in JSON, as public clients load it, and the
 * export as JSON lines and as Parquet. `WAYS` names ways, such as `Parquet`, for sizes at which the others take long.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { RecordBatchReader } from 'apache-arrow';
import { expectPresent } from '../../src/base/expect-present.ts';
import { type BenchServer, measureVisibleMs, withServer } from './bench-server.ts';
import { runLoad } from './load-generator.ts';
import { count, isSmoke, mib, ms, printTable, sample } from './measure.ts';
import { watchReads } from './watch-reads.ts';

const SIZES = isSmoke ? [200] : (process.env.SPANS ?? '20000,100000').split(',').map(Number);
const PROJECT = 'arrow-pages';
const PAGES = 'application/vnd.spandrel.arrow-pages';
const SELECTED = {
  model: { key: 'llm.model_name' },
  tokens: { key: 'llm.token_count.total' },
  start: { key: 'start_time' },
  name: { key: 'name' },
};

interface Loaded {
  readonly bytes: number;
  /** Undefined for a format whose rows are not counted. */
  readonly rowCount?: number;
}

async function query(server: BenchServer, accept: string, body: object): Promise<Response> {
  const url = `${server.url}/v1/spans?project_name=${PROJECT}`;
  const headers = { 'content-type': 'application/json', accept };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function drain(response: Response): Promise<Loaded> {
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).byteLength;
  return { bytes };
}

async function loadPages(server: BenchServer, select?: object): Promise<Loaded> {
  const response = await query(server, PAGES, { queries: [select ? { select } : {}], limit: -1 });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) chunks.push(chunk as Uint8Array);
  const bytes = Buffer.concat(chunks);
  let rowCount = 0;
  for (const reader of RecordBatchReader.readAll(bytes)) for (const batch of reader) rowCount += batch.numRows;
  return { bytes: bytes.byteLength, rowCount };
}

const WAYS: Readonly<Record<string, (server: BenchServer, spanCount: number) => Promise<Loaded>>> = {
  'pages of Arrow, all columns': (server) => loadPages(server),
  'pages of Arrow, 4 columns': (server) => loadPages(server, SELECTED),
  'whole table in JSON': async (server, limit) =>
    drain(await query(server, 'application/json', { queries: [{}], limit })),
  'JSON lines': async (server) => drain(await fetch(`${server.url}/v1/projects/${PROJECT}/spans/export`)),
  Parquet: async (server) => drain(await fetch(`${server.url}/v1/projects/${PROJECT}/spans/export?format=parquet`)),
};
const CHOSEN = process.env.WAYS?.split(',') ?? Object.keys(WAYS);
const OTHER_PAUSE_MS = 20;
/** Time in which another client requests pages of a quiet server. */
const QUIET_MS = isSmoke ? 100 : 4_000;

const memoryOf = (pid: number): number =>
  1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Processor time of all threads of a process so far, in microseconds. */
function processorTimeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // In hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

await withServer(async (server) => {
  let stored = 0;
  const rows: Record<string, string>[] = [];
  for (const spanCount of SIZES) {
    const load = { transport: 'http', target: server.url, project: PROJECT } as const;
    await runLoad({ ...load, seconds: 24 * 3_600, concurrency: 4, spanCountMax: spanCount - stored });
    await measureVisibleMs(server, PROJECT);
    stored = spanCount;
    const newestPage = `${server.url}/v1/projects/${PROJECT}/spans?limit=100`;
    const quiet = watchReads(newestPage, OTHER_PAUSE_MS);
    await delay(QUIET_MS);
    const quietReads = await quiet.stop();
    for (const way of CHOSEN) {
      const run = expectPresent(WAYS[way], `WAYS has ${Object.keys(WAYS).join(', ')}`);
      const others = watchReads(newestPage, OTHER_PAUSE_MS);
      const before = memoryOf(server.pid);
      const memory = sample(50, () => memoryOf(server.pid));
      const processorTime = processorTimeOf(server.pid);
      const startedAt = performance.now();
      const { bytes, rowCount = spanCount } = await run(server, spanCount);
      const elapsedMs = performance.now() - startedAt;
      const most = Math.max(before, ...memory.stop());
      const reads = await others.stop();
      if (rowCount < spanCount) throw new Error(`${way}: ${rowCount} rows, not ${spanCount}`);
      rows.push({
        spans: count(spanCount),
        way,
        ms: ms(elapsedMs),
        'spans/s': bytes < spanCount ? 'rejected' : count((1_000 * spanCount) / elapsedMs),
        'processor µs/span': ms((processorTimeOf(server.pid) - processorTime) / spanCount),
        received: mib(bytes),
        'memory before': mib(before),
        'memory at most': mib(most),
        "others' newest page p50, p99": `${ms(reads.p50)}, ${ms(reads.p99)}`,
        'quiet server': `${ms(quietReads.p50)}, ${ms(quietReads.p99)}`,
      });
    }
  }
  printTable('Loading all spans of a project', rows);
});
