import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openGrpcSender, openHttpSender, type SendResult } from '../../test/e2e/otlp-sender.ts';
import { type AgentTemplate, gzipped, makeAgentTemplates } from './agent-templates.ts';
import { BATCH_SPAN_COUNT, BATCH_TRACE_COUNT, type LoadJob, type LoadResult } from './load-generator.ts';
import { isSmoke, LatencyRecorder } from './measure.ts';

// A thread of `startLoad`: it receives its job as workerData and sends its result as a message.

/** 90 MB of distinct texts, more than one row group of the store. */
const TEMPLATE_COUNT = 128;
/** A short job needs few texts, and creating them takes longer than sending them. */
const SHORT_JOB_SECONDS = 3;
const SAMPLE_COUNT_MAX = 1_000;
const RETRY_MS = 1_000;
/** Compressing costs the generator more than the server's whole work on a batch, so it is done before the clock runs. */
const PREPARED_PER_SECOND = 120;
const PREPARED_COUNT_MAX = 2_000;

const job = workerData as LoadJob;
let isEnding = false;

/** Batches by number, each sent until it is acknowledged or given up. */
class Offer {
  acknowledgedSpanCount = 0;
  refusedRequestCount = 0;
  requestCount = 0;
  sentBytes = 0;
  lastAckAt = 0;
  readonly statusCounts: Record<string, number> = {};
  readonly ackMs = new LatencyRecorder();
  readonly sampleTraceIds: string[] = [];
  /** Templates that no request in flight refers to. */
  readonly #free: AgentTemplate[];
  readonly #send: (body: Uint8Array) => Promise<SendResult>;
  /** Compressed batches by number; the load ends with the last one. */
  readonly #prepared: Buffer[] = [];
  #endAt = Number.POSITIVE_INFINITY;
  #batchCount = 0;

  constructor(templates: AgentTemplate[], send: (body: Uint8Array) => Promise<SendResult>) {
    this.#free = [...templates];
    this.#send = send;
  }

  prepare(batchCount: number): void {
    for (let number = 0; number < batchCount; number++) {
      const template = this.#free[number % this.#free.length]!;
      template.fill(number, startTimeOf(number), traceGap());
      this.#prepared.push(gzipped(template));
    }
  }

  async closedLoop(): Promise<void> {
    this.#endAt = performance.now() + job.seconds * 1_000;
    const worker = async () => {
      while (this.#hasMore()) await this.#batch(undefined);
    };
    await Promise.all(Array.from({ length: job.concurrency }, worker));
  }

  /** A batch starts when it is due, also when earlier ones are late; past `concurrency` in flight it waits and is late. */
  async openLoop(spansPerSecond: number): Promise<void> {
    const startedAt = performance.now();
    this.#endAt = startedAt + job.seconds * 1_000;
    const gapMs = (1_000 * BATCH_SPAN_COUNT) / spansPerSecond;
    const inFlight = new Set<Promise<void>>();
    while (this.#hasMore()) {
      const dueAt = startedAt + this.#batchCount * gapMs;
      const earlyMs = dueAt - performance.now();
      if (earlyMs > 1) await delay(Math.min(earlyMs, 20));
      else if (inFlight.size >= job.concurrency) await Promise.race(inFlight);
      else {
        const batch = this.#batch(dueAt).then(() => void inFlight.delete(batch));
        inFlight.add(batch);
      }
    }
    await Promise.all(inFlight);
  }

  #hasMore(): boolean {
    const spanCountMax = job.spanCountMax ?? Number.POSITIVE_INFINITY;
    const preparedCount = job.transport === 'http gzip' ? this.#prepared.length : Number.POSITIVE_INFINITY;
    const isEnough = this.#batchCount >= Math.min(spanCountMax / BATCH_SPAN_COUNT, preparedCount);
    return !isEnding && !isEnough && performance.now() < this.#endAt;
  }

  async #batch(dueAt: number | undefined): Promise<void> {
    const number = this.#batchCount++;
    // First in, first out, so that the texts of all templates are used before one is repeated.
    const template = this.#free.shift()!;
    const prepared = this.#prepared[number];
    if (prepared === undefined) template.fill(number, startTimeOf(number), traceGap());
    const body = prepared ?? template.body;
    const from = dueAt ?? performance.now();
    for (;;) {
      const result = await this.#send(body);
      this.requestCount++;
      this.sentBytes += body.length;
      this.statusCounts[result.status] = (this.statusCounts[result.status] ?? 0) + 1;
      if (result.isAcknowledged) {
        this.#acknowledged(template, number, from);
        break;
      }
      this.refusedRequestCount++;
      if (job.retries === false || isEnding || performance.now() > this.#endAt) break;
      await delay((result.retryAfterMs ?? RETRY_MS) * (0.75 + Math.random() / 2));
    }
    this.#free.push(template);
  }

  #acknowledged(template: AgentTemplate, number: number, from: number): void {
    const now = performance.now();
    this.lastAckAt = now;
    this.ackMs.add(now - from);
    this.acknowledgedSpanCount += template.spanCount;
    const sampleEvery = Math.max(1, Math.ceil(number / SAMPLE_COUNT_MAX));
    if (this.sampleTraceIds.length < SAMPLE_COUNT_MAX && number % sampleEvery === 0) {
      this.sampleTraceIds.push(template.traceId(number, number % template.traceCount));
    }
  }
}

function traceGap(): bigint | undefined {
  if (job.windowSeconds === undefined || job.spanCountMax === undefined) return undefined;
  return BigInt(Math.round((job.windowSeconds * 1e9 * 5) / job.spanCountMax));
}

function startTimeOf(batchNumber: number): bigint {
  const now = BigInt(Date.now()) * 1_000_000n;
  const gap = traceGap();
  if (gap === undefined || job.windowSeconds === undefined) return now - 10_000_000_000n;
  return now - BigInt(Math.round(job.windowSeconds)) * 1_000_000_000n + BigInt(batchNumber * BATCH_TRACE_COUNT) * gap;
}

async function run(): Promise<LoadResult> {
  const isShort =
    isSmoke || job.seconds <= SHORT_JOB_SECONDS || (job.spanCountMax ?? Infinity) <= 20 * BATCH_SPAN_COUNT;
  const templates = makeAgentTemplates({
    count: isShort ? Math.max(isSmoke ? 1 : 8, job.concurrency) : Math.max(TEMPLATE_COUNT, job.concurrency),
    traceCount: BATCH_TRACE_COUNT,
    project: job.project,
    runKey: randomInt(2 ** 31),
  });
  const sender = job.transport === 'grpc' ? openGrpcSender(job.target) : openHttpSender(job.target, job.concurrency);
  const headers = {
    ...(job.transport === 'http gzip' && { 'content-encoding': 'gzip' }),
    ...(job.key !== undefined && { authorization: `Bearer ${job.key}` }),
  };
  const offer = new Offer(templates, (body) => sender.send(body, headers));
  if (job.transport === 'http gzip')
    offer.prepare(Math.min(PREPARED_COUNT_MAX, Math.ceil(job.seconds * PREPARED_PER_SECOND)));
  const cpuBefore = process.cpuUsage();
  parentPort?.postMessage('started');
  const startedAt = performance.now();
  if (job.spansPerSecond === undefined) await offer.closedLoop();
  else await offer.openLoop(job.spansPerSecond);
  sender.close();
  // The time until the last acknowledgement, so that a queue at the end does not count as throughput.
  const seconds = ((offer.lastAckAt || performance.now()) - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    acknowledgedSpanCount: offer.acknowledgedSpanCount,
    refusedRequestCount: offer.refusedRequestCount,
    statusCounts: offer.statusCounts,
    seconds,
    spansPerSecond: offer.acknowledgedSpanCount / seconds,
    ackMs: offer.ackMs.summary(),
    bytesPerSpan: offer.sentBytes / Math.max(1, offer.requestCount) / BATCH_SPAN_COUNT,
    generatorCores: (user + system) / 1e6 / seconds,
    sampleTraceIds: offer.sampleTraceIds,
  };
}

parentPort?.on('message', () => {
  isEnding = true;
});
parentPort?.postMessage(await run());
process.exit(0);
