import { Agent, request } from 'node:http';
import { encodeTraceRequest, type OtlpSpan } from '../../test/e2e/otlp-request.ts';
import { openHttpSender } from '../../test/e2e/otlp-sender.ts';
import { type BenchServer, measureVisibleMs, withServer } from './bench-server.ts';
import { runLoad, startLoad } from './load-generator.ts';
import { count, isSmoke, LatencyRecorder, ms, printTable, ratio, size } from './measure.ts';

const SIZES = isSmoke ? [200] : (process.env.SPANS ?? '500000,5000000').split(',').map(Number);
const REQUEST_COUNT = size('REQUESTS', { smoke: 1, full: 100 });
const ARRIVING_SPANS_PER_SECOND = size('ARRIVING', { smoke: 100, full: 5_000 });
export const WINDOW_SECONDS = 7 * 24 * 3_600;
export const PROJECT = 'reads';

/** A read that is repeated. */
export interface TimedRead {
  readonly what: string;
  readonly method?: 'POST';
  /** Differs by `turn`, so that no cache of whole responses helps. */
  readonly path: (turn: number) => string;
  /** JSON. */
  readonly body?: (turn: number) => string;
  /** @throws Error when the response to the first turn is not correct for the data. */
  readonly check: (text: string) => void;
}

export interface TimedReads {
  readonly title: string;
  /** Runs before the spans of the load arrive, which is before each size. */
  readonly prepare: (server: BenchServer, spanCount: number) => Promise<void>;
  /** Number of stored spans. The first read is the baseline of the others. */
  readonly readsOf: (server: BenchServer) => Promise<TimedRead[]>;
}

/** Fills a server with spans of a week, size by size, and times reads at each while more spans arrive. */
export const measureReads = ({ title, prepare, readsOf }: TimedReads): Promise<void> =>
  withServer(async (server) => {
    let there = 0;
    for (const spanCount of SIZES) {
      const startedAt = performance.now();
      await prepare(server, spanCount);
      await runLoad({
        transport: 'http',
        target: server.url,
        project: PROJECT,
        seconds: 24 * 3_600,
        concurrency: 4,
        spanCountMax: spanCount - there,
        windowSeconds: WINDOW_SECONDS,
      });
      await measureVisibleMs(server, PROJECT);
      there = spanCount;
      console.log(`${count(spanCount)} spans are there after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
      await measureAt(server, `${title} at ${count(spanCount)} spans over 7 days`, await readsOf(server));
    }
  });

async function measureAt(server: BenchServer, title: string, reads: readonly TimedRead[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  // The first requests meet cold caches and code that is not compiled yet.
  for (const read of reads) await timeRead(server, agent, read, Math.min(REQUEST_COUNT, 5));
  const quiet = new Map<string, number>();
  for (const read of reads) quiet.set(read.what, (await timeRead(server, agent, read)).p50);
  const load = startLoad({
    transport: 'http',
    target: server.url,
    project: PROJECT,
    seconds: 24 * 3_600,
    concurrency: isSmoke ? 4 : 16,
    spansPerSecond: ARRIVING_SPANS_PER_SECOND,
  });
  await load.started;
  const rows: Record<string, string>[] = [];
  let baseline = Number.NaN;
  for (const read of reads) {
    const { p50, p99, max } = await timeRead(server, agent, read);
    if (read === reads[0]) baseline = p50;
    rows.push({
      read: read.what,
      'p50 ms': ms(p50),
      'p99 ms': ms(p99),
      'max ms': ms(max),
      [`p50 of ${reads[0]?.what}`]: ratio(p50 / baseline),
      'p50 ms while quiet': ms(quiet.get(read.what) ?? Number.NaN),
    });
  }
  load.end();
  const arrived = await load.result;
  agent.destroy();
  printTable(
    `${title} while ${count(arrived.spansPerSecond)} spans/s arrive (ack p99 ${ms(arrived.ackMs.p99)} ms); ${REQUEST_COUNT} of each, one after another`,
    rows,
  );
}

async function timeRead(server: BenchServer, agent: Agent, read: TimedRead, requestCount = REQUEST_COUNT) {
  const recorder = new LatencyRecorder();
  for (let turn = 0; turn < requestCount; turn++) {
    const startedAt = performance.now();
    const { status, text } = await fetchText(server.url, agent, read, turn).catch((error: Error) => {
      throw new Error(`${read.what}, ${ms(performance.now() - startedAt)} ms after it was asked: ${error.message}`, {
        cause: error,
      });
    });
    recorder.add(performance.now() - startedAt);
    if (status !== 200) throw new Error(`${read.what}: ${status} ${text.slice(0, 300)}`);
    if (turn === 0 && !isSmoke) read.check(text);
  }
  return recorder.summary();
}

function fetchText(
  url: string,
  agent: Agent,
  { method, path, body }: TimedRead,
  turn: number,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { agent, method: method ?? 'GET', headers: { 'content-type': 'application/json' } };
    const asked = request(url + path(turn), options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body?.(turn));
  });
}

/** Spans of a trace: a root, and the others below it, every second one a tool's, from the beginning of the week on. */
export const traceOf = (traceId: string, spanCount: number): OtlpSpan[] => {
  const start = BigInt(Date.now() - WINDOW_SECONDS * 1_000) * 1_000_000n;
  return Array.from({ length: spanCount }, (_, index) => ({
    traceId,
    spanId: (index + 1).toString(16).padStart(16, '0'),
    ...(index > 0 && { parentSpanId: '1'.padStart(16, '0') }),
    name: `step ${index}`,
    startTimeUnixNano: start + BigInt(index) * 1_000_000n,
    endTimeUnixNano: start + BigInt(index + 10) * 1_000_000n,
    attributes: {
      'openinference.span.kind': index % 2 === 0 ? 'CHAIN' : 'TOOL',
      'input.value': `input ${index} `.repeat(50),
    },
  }));
};

export async function sendSpans(server: BenchServer, spans: readonly OtlpSpan[]): Promise<void> {
  const http = openHttpSender(server.url, 1);
  const { isAcknowledged, message } = await http.send(encodeTraceRequest({ project: PROJECT, spans }));
  http.close();
  if (!isAcknowledged) throw new Error(message);
}
