/**
 * How long do jobs take beyond their calls? The first call of a process, which loads the package of the vendor; examples with 500 ms a call at a concurrency of 50, without and with three
 * evaluators, one of them a judge; recorded runs per second with an endpoint without latency; the share of a limit of 20 calls
 * per second that is used after 30 s, without and with its headers; the time from a stop to the last closed connection; and the memory of a
 * server process for many examples (`EXAMPLES`, 100,000 for the promised size): over a server that has just started, which then
 * fills its cache of the newest spans, and over a server whose cache is full of spans of applications, as after some days of use.
 * Beside it, what as many spans of applications at 1,000 per second take on such a server: the part of the span store, whose share
 * of the machine does not depend on the sender.
 * `MEMORY_ONLY=1` measures only the memory. The endpoint is a process on the same machine.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { openTestServer, type TestServer } from '../../test/api/test-server.ts';
import { type EndpointProcess, startEndpointProcess } from '../../test/vendor-endpoint/endpoint-process.ts';
import { measureVisibleMs, withServer } from '../whole-server/bench-server.ts';
import { type LoadJob, runLoad } from '../whole-server/load-generator.ts';
import { isSmoke, printTable, size } from '../whole-server/measure.ts';
import { bindEvaluators, createExamples, followJob, toInput, uploadExamples } from './job-inputs.ts';

/** More spans than the cache of the newest spans holds. */
const FILLING_SPAN_COUNT = isSmoke ? 500 : 400_000;
/** About as many as a job records. */
const INGESTED_PER_SECOND = 1_000;
const NEVER = new AbortController().signal;
const closing: (() => Promise<void>)[] = [];
const rows: Record<string, string>[] = [];
try {
  const endpoint = await startEndpointProcess();
  closing.push(() => endpoint.close());
  const server = await openTestServer(
    { after: (work) => closing.push(work) },
    { settings: { ALLOW_PRIVATE_MODEL_ADDRESSES: 'true' } },
  );
  if (process.env.MEMORY_ONLY !== '1') {
    await measureFirst(server, endpoint);
    await measureLatency(server, endpoint);
    await measureRate(server, endpoint);
    await measureLimit(server, false);
    await measureLimit(server, true);
    await measureStop(server, endpoint);
  }
  await measureMemory(endpoint, 'job', 'just started');
  await measureMemory(endpoint, 'job', 'cache of spans full');
  await measureMemory(endpoint, 'ingest', 'cache of spans full');
} finally {
  for (const close of closing.reverse()) await close();
}
printTable('Jobs of experiments', rows);

async function run(server: TestServer, input: ReturnType<typeof toInput>): Promise<number> {
  const startedAt = performance.now();
  let errors = 0;
  for await (const event of server.domain.experiments.streamOverDataset(input, NEVER)) {
    if (event.type === 'error' || (event.type === 'evaluation' && event.error !== null)) errors++;
  }
  if (errors > 0) throw new Error(`${errors} errors`);
  return (performance.now() - startedAt) / 1_000;
}

async function measureFirst(server: TestServer, endpoint: EndpointProcess): Promise<void> {
  const dataset = await createExamples(server, 1);
  const input = toInput({ dataset, url: endpoint.url, text: '{{n}}', maxConcurrency: 1 });
  const seconds = [await run(server, input), await run(server, input)];
  rows.push({
    case: 'one example, the first and the second run',
    measured: seconds.map((each) => `${Math.round(1_000 * each)} ms`).join(', '),
    ideal: '',
  });
}

async function measureLatency(server: TestServer, endpoint: EndpointProcess): Promise<void> {
  const count = isSmoke ? 10 : 1_000;
  const latencyMs = isSmoke ? 5 : 500;
  const dataset = await createExamples(server, count);
  const base = { dataset, url: endpoint.url, text: `[[latency ${latencyMs}]] {{n}}`, maxConcurrency: 50 };
  const ideal = Math.ceil(count / 50) * (latencyMs / 1_000);
  const alone = await run(server, toInput(base));
  rows.push({
    case: `${count} × ${latencyMs} ms, concurrency 50`,
    measured: `${alone.toFixed(1)} s`,
    ideal: `${ideal} s`,
  });
  const evaluators = await bindEvaluators(server, dataset, { url: endpoint.url, latencyMs });
  const judged = await run(server, toInput({ ...base, evaluators }));
  rows.push({ case: 'with 3 evaluators, one a judge', measured: `${judged.toFixed(1)} s`, ideal: `${2 * ideal} s` });
}

async function measureRate(server: TestServer, endpoint: EndpointProcess): Promise<void> {
  const count = isSmoke ? 20 : 4_000;
  const dataset = await createExamples(server, count);
  const seconds = await run(server, toInput({ dataset, url: endpoint.url, text: '{{n}}', maxConcurrency: 50 }));
  rows.push({ case: 'endpoint without latency', measured: `${Math.round(count / seconds)} runs/s`, ideal: '' });
}

async function measureLimit(server: TestServer, hasHeaders: boolean): Promise<void> {
  const limited = await startEndpointProcess({ limit: { callsPerSecond: 20, retryAfter: 'none', hasHeaders } });
  closing.push(() => limited.close());
  const count = isSmoke ? 25 : 1_200;
  const dataset = await createExamples(server, count);
  const input = toInput({ dataset, url: limited.url, text: '{{n}}', maxConcurrency: 50 });
  const startedAt = performance.now();
  const ends: number[] = [];
  let errors = 0;
  for await (const event of server.domain.experiments.streamOverDataset(input, NEVER)) {
    if (event.type === 'result') ends.push(performance.now() - startedAt);
    if (event.type === 'error') errors++;
  }
  const { callCount, limitedCallCount } = await limited.statistics();
  const late = ends.filter((at) => at > 30_000);
  const seconds = late.length === 0 ? 0 : ((late.at(-1) ?? 0) - 30_000) / 1_000;
  rows.push({
    case: `limit of 20 calls/s${hasHeaders ? ', in headers' : ''}`,
    measured: `${seconds > 0 ? (late.length / seconds).toFixed(1) : '-'} calls/s after 30 s, ${((100 * limitedCallCount) / callCount).toFixed(1)} % rejected, ${errors} lost`,
    ideal: '20 calls/s',
  });
}

async function measureStop(server: TestServer, endpoint: EndpointProcess): Promise<void> {
  const dataset = await createExamples(server, 60);
  const text = '[[latency 60000]] {{n}}';
  const input = toInput({ dataset, url: endpoint.url, text, maxConcurrency: 50 });
  let rowId = 0;
  const reading = (async () => {
    for await (const event of server.domain.experiments.streamOverDataset(input, NEVER)) {
      if (event.type === 'experiment') rowId = event.experimentRowId;
    }
  })();
  while ((await endpoint.statistics()).openCallCount < 50) await new Promise((resolve) => setTimeout(resolve, 20));
  const startedAt = performance.now();
  await server.domain.experiments.stopJob(rowId);
  while ((await endpoint.statistics()).openCallCount > 0);
  rows.push({ case: 'stop of 50 calls', measured: `${Math.round(performance.now() - startedAt)} ms`, ideal: '' });
  await reading;
}

async function measureMemory(
  endpoint: EndpointProcess,
  work: 'job' | 'ingest',
  state: 'just started' | 'cache of spans full',
): Promise<void> {
  const count = size('EXAMPLES', { smoke: 50, full: 10_000 });
  await withServer(async (server) => {
    const { pid, url } = server;
    const ingest = async (load: Pick<LoadJob, 'spanCountMax' | 'spansPerSecond'>) => {
      const job = { transport: 'http', target: url, project: 'applications', seconds: 600, concurrency: 2 } as const;
      await runLoad({ ...job, ...load });
      await measureVisibleMs(server, 'applications');
    };
    // The first run loads the package of the vendor, and compiles.
    await followJob(url, { datasetId: await uploadExamples(url, isSmoke ? 5 : 500), endpointUrl: endpoint.url });
    if (state === 'cache of spans full') await ingest({ spanCountMax: FILLING_SPAN_COUNT });
    const datasetId = await uploadExamples(url, count);
    const idle = await settledMiB(pid);
    let peak = idle;
    const timer = setInterval(() => {
      peak = Math.max(peak, residentMiB(pid));
    }, 100);
    const startedAt = performance.now();
    if (work === 'job') await followJob(url, { datasetId, endpointUrl: endpoint.url });
    else await ingest({ spanCountMax: count, spansPerSecond: INGESTED_PER_SECOND });
    clearInterval(timer);
    const perSecond = Math.round((1_000 * count) / (performance.now() - startedAt));
    rows.push({
      case: `memory, ${count} ${work === 'job' ? 'examples' : 'spans of applications'}, server ${state}`,
      measured: `${Math.round(peak - idle)} MiB over ${Math.round(idle)}, ${perSecond} ${work === 'job' ? 'runs/s' : 'spans/s'}`,
      ideal: '',
    });
  });
}

/**
 * Resident memory once it has not fallen by 1 % within 20 s, after two minutes at the latest: an ingest leaves buffers that the
 * process returns later, which would hide as much of what a job needs.
 */
async function settledMiB(pid: number): Promise<number> {
  let settled = residentMiB(pid);
  if (isSmoke) return settled;
  for (let waits = 0; waits < 6; waits++) {
    await delay(20_000);
    const now = residentMiB(pid);
    const hasFallen = now < 0.99 * settled;
    settled = now;
    if (!hasFallen) break;
  }
  return settled;
}

/** Resident memory of a process. NaN on systems without `/proc`. */
function residentMiB(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}
