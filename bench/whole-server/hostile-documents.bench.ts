/** How long do acknowledgements take while clients send documents that are designed to stop the server? */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openHttpSender } from '../../test/e2e/otlp-sender.ts';
import { getJson } from '../../test/e2e/rest.ts';
import { gzipped, makeAgentTemplates } from './agent-templates.ts';
import { type BenchServer, measureVisibleMs, withServer } from './bench-server.ts';
import { type HostileRequest, hostileRequests, residentBytes } from './hostile-documents.ts';
import { takeLoopDelayMs } from './loop-delay.ts';
import { count, isSmoke, LatencyRecorder, mib, ms, printTable, sample, size } from './measure.ts';

/** Number of spans that are stored at the start. */
const SPAN_COUNT = size('SPANS', { smoke: 50, full: 100_000 });
/** How long each request is repeated, and by how many concurrent clients. */
const SECONDS = size('SECONDS', { smoke: 0.02, full: 4 });
const CLIENT_COUNT = size('CLIENTS', { smoke: 1, full: 3 });
/** Pause between two exports of the client whose acknowledgements are measured. */
const EXPORT_PAUSE_MS = 10;
const ACK_P99_MS_MAX = 250;
const PROJECT = 'hostile';

const rows: Record<string, string>[] = [];
await withServer(async (server) => {
  await fill(server);
  const { data } = await getJson<{ data: { id: string } }>(`${server.url}/v1/projects/${PROJECT}`);
  await measure(server, undefined);
  for (const request of hostileRequests(data.id, PROJECT, isSmoke ? 0.01 : 1)) {
    await measure(server, request);
    await delay(isSmoke ? 0 : 500);
  }
  await measure(server, undefined);
});
printTable(
  `Requests that are meant to stop the server, ${CLIENT_COUNT} concurrent clients, ${count(SPAN_COUNT)} stored spans, continuous exports; the goal is ${ACK_P99_MS_MAX} ms at p99`,
  rows,
);

/** Without such requests: the baseline of the acknowledgements. */
async function measure(server: BenchServer, request: HostileRequest | undefined): Promise<void> {
  await takeLoopDelayMs(server);
  const memory = sample(50, () => residentBytes(server.pid));
  let isEnding = false;
  const acknowledgements = exportUntil(server, () => isEnding);
  const answers = new LatencyRecorder();
  const answered = new Set<string>();
  const clients = Array.from({ length: request ? CLIENT_COUNT : 0 }, async () => {
    while (!isEnding) {
      const startedAt = performance.now();
      answered.add(await send(server, request!));
      answers.add(performance.now() - startedAt);
    }
  });
  await delay(1_000 * SECONDS);
  isEnding = true;
  const [acks] = await Promise.all([acknowledgements, ...clients]);
  const { p50, p99, max } = acks.summary();
  rows.push({
    request: request?.what ?? 'none',
    answer: [...answered].join(' ').slice(0, 90),
    answers: count(answers.count),
    'answer p50 ms': request ? ms(answers.summary().p50) : '',
    'ack p50 ms': ms(p50),
    'ack p99 ms': ms(p99) + (p99 > ACK_P99_MS_MAX ? ' !' : ''),
    'ack max ms': ms(max),
    'event loop at most ms': ms(await takeLoopDelayMs(server)),
    'RSS at most': mib(Math.max(...memory.stop())),
  });
}

/** Status, and the beginning of an error message. */
async function send(server: BenchServer, { path, method, body }: HostileRequest): Promise<string> {
  const response = await fetch(server.url + path, {
    method,
    ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  const rejection = /"message":"([^"]{0,60})/.exec(text.slice(-2_000));
  return rejection ? `${response.status} ${rejection[1]}` : `${response.status} ${mib(text.length)}`;
}

async function exportUntil(server: BenchServer, isEnding: () => boolean): Promise<LatencyRecorder> {
  const sender = openHttpSender(server.url, 1);
  const recorder = new LatencyRecorder();
  const [template] = makeAgentTemplates({ project: PROJECT, count: 1, traceCount: 2, runKey: randomInt(2 ** 31) });
  for (let batch = 0; !isEnding() || recorder.count < 2; batch++) {
    template!.fill(batch, BigInt(Date.now()) * 1_000_000n);
    const startedAt = performance.now();
    const { isAcknowledged } = await sender.send(gzipped(template!), { 'content-encoding': 'gzip' });
    if (!isAcknowledged) throw new Error('an export was rejected');
    recorder.add(performance.now() - startedAt);
    await delay(EXPORT_PAUSE_MS);
  }
  sender.close();
  return recorder;
}

async function fill(server: BenchServer): Promise<void> {
  const sender = openHttpSender(server.url, 1);
  const [template] = makeAgentTemplates({ project: PROJECT, count: 1, traceCount: 100, runKey: randomInt(2 ** 31) });
  for (let batch = 0; batch * template!.spanCount < SPAN_COUNT; batch++) {
    template!.fill(batch, BigInt(Date.now() - 3_600_000) * 1_000_000n);
    await sender.send(template!.body);
  }
  sender.close();
  await measureVisibleMs(server, PROJECT);
}
