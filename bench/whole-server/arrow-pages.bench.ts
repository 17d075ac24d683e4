/**
 * How many spans per second does a client load as pages of Arrow, does the memory of the server grow with their number, and how
 * long do other clients wait for the newest page while it does? Beside it the whole table in JSON, as public clients load it, and the
 * export as JSON lines and as Parquet. `WAYS` names ways, separated by semicolons, for sizes at which the others take long.
 *
 * The spans of a project start over a day, in the order in which they were sent. Those of another one start within seconds, so
 * that spans with neighbouring start times are all over the store.
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
const DAY_SECONDS = 24 * 3_600;
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

async function query(server: BenchServer, project: string, accept: string, body: object): Promise<Response> {
  const url = `${server.url}/v1/spans?project_name=${project}`;
  const headers = { 'content-type': 'application/json', accept };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function drain(response: Response): Promise<Loaded> {
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).byteLength;
  return { bytes };
}

async function loadPages(server: BenchServer, project: string, select?: object): Promise<Loaded> {
  const response = await query(server, project, PAGES, { queries: [select ? { select } : {}], limit: -1 });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) chunks.push(chunk as Uint8Array);
  const bytes = Buffer.concat(chunks);
  let rowCount = 0;
  for (const reader of RecordBatchReader.readAll(bytes)) for (const batch of reader) rowCount += batch.numRows;
  return { bytes: bytes.byteLength, rowCount };
}

const ALL_COLUMNS = 'pages of Arrow, all columns';
const WAYS: Readonly<Record<string, (server: BenchServer, project: string, spanCount: number) => Promise<Loaded>>> = {
  [ALL_COLUMNS]: (server, project) => loadPages(server, project),
  'pages of Arrow, 4 columns': (server, project) => loadPages(server, project, SELECTED),
  'whole table in JSON': async (server, project, limit) =>
    drain(await query(server, project, 'application/json', { queries: [{}], limit })),
  'JSON lines': async (server, project) => drain(await fetch(`${server.url}/v1/projects/${project}/spans/export`)),
  Parquet: async (server, project) =>
    drain(await fetch(`${server.url}/v1/projects/${project}/spans/export?format=parquet`)),
};
const CHOSEN = process.env.WAYS?.split(';') ?? Object.keys(WAYS);
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
  const rows: Record<string, string>[] = [];
  for (const spanCount of SIZES) {
    rows.push(
      ...(await measure(server, {
        project: `ordered-${spanCount}`,
        spanCount,
        ways: CHOSEN,
        windowSeconds: DAY_SECONDS,
      })),
    );
  }
  const scattered = {
    project: 'scattered',
    spanCount: Math.max(...SIZES),
    ways: CHOSEN.filter((way) => way === ALL_COLUMNS),
  };
  rows.push(...(await measure(server, scattered)));
  printTable('Loading all spans of a project', rows);
});

interface Measurement {
  readonly project: string;
  readonly spanCount: number;
  readonly ways: readonly string[];
  /** Time over which the spans start. Absent: that of sending them. */
  readonly windowSeconds?: number;
}

async function measure(server: BenchServer, { project, spanCount, ways, windowSeconds }: Measurement) {
  const load = { transport: 'http', target: server.url, project, ...(windowSeconds && { windowSeconds }) } as const;
  await runLoad({ ...load, seconds: DAY_SECONDS, concurrency: 4, spanCountMax: spanCount });
  await measureVisibleMs(server, project);
  const newestPage = `${server.url}/v1/projects/${project}/spans?limit=100`;
  const quiet = watchReads(newestPage, OTHER_PAUSE_MS);
  await delay(QUIET_MS);
  const quietReads = await quiet.stop();
  const rows: Record<string, string>[] = [];
  for (const way of ways) {
    const run = expectPresent(WAYS[way], `WAYS has ${Object.keys(WAYS).join(', ')}`);
    const others = watchReads(newestPage, OTHER_PAUSE_MS);
    const before = memoryOf(server.pid);
    const memory = sample(50, () => memoryOf(server.pid));
    const processorTime = processorTimeOf(server.pid);
    const startedAt = performance.now();
    const { bytes, rowCount = spanCount } = await run(server, project, spanCount);
    const elapsedMs = performance.now() - startedAt;
    const most = Math.max(before, ...memory.stop());
    const reads = await others.stop();
    if (rowCount < spanCount) throw new Error(`${way}: ${rowCount} rows, not ${spanCount}`);
    rows.push({
      spans: count(spanCount),
      project,
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
  return rows;
}
