/**
 * How many spans per second does `submitOtlp` acknowledge (check, journal, fdatasync) with requests of 500 spans, by
 * number of concurrent senders? The store accepts every batch and stores nothing.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { silentLog } from '../../src/base/log.ts';
import type { SpanWriter } from '../../src/span-store/contract/writer.ts';
import { openIngest } from '../../src/ingest/open-ingest.ts';
import { agentRequest } from '../../test/fixtures/otlp-requests.ts';

const RUN_MS = process.env.SMOKE ? 10 : 1_500;
const TRACE_COUNT = process.env.SMOKE ? 2 : 100;
const BODY_COUNT = 8;

/**
 * Accepts every batch immediately. With `isStalled` it accepts nothing, so that only the time to the acknowledgement is
 * measured.
 */
function nullWriter(isStalled: boolean): SpanWriter {
  let applied = 0;
  const take = async (position: number) => {
    if (isStalled) await new Promise((resolve) => setTimeout(resolve, RUN_MS));
    applied = position;
  };
  return {
    appliedPosition: async () => applied,
    checkpointedPosition: async () => applied,
    append: async (batch, position) => {
      await take(position);
      return { appendedCount: batch.rowCount, duplicateCount: 0, differingCount: 0, droppedAnnotationCount: 0 };
    },
    delete: (_, position) => take(position),
    transfer: async () => {},
    changeCosts: (_, position) => take(position),
    advance: async (position) => {
      applied = position;
    },
  };
}

async function spansPerSecond(encoding: 'identity' | 'gzip', senderCount: number, isStalled: boolean) {
  const bodies = Array.from({ length: BODY_COUNT }, (_, seed) => {
    const body = agentRequest({ seed, traceCount: TRACE_COUNT });
    return encoding === 'gzip' ? gzipSync(body, { level: 6 }) : body;
  });
  const dir = await mkdtemp(join(tmpdir(), 'spandrel-bench-'));
  const onFatal = (error: Error) => {
    throw error;
  };
  const writer = nullWriter(isStalled);
  const ingest = await openIngest({ dir, writer, log: silentLog, registry: new Registry(), onFatal });
  let spanCount = 0;
  let refusedCount = 0;
  const submit = async (serial: number) => {
    const body = new Uint8Array(bodies[serial % BODY_COUNT]!);
    const from = { source: 'http', remoteAddress: '' } as const;
    return (await ingest.submitOtlp({ format: 'protobuf', encoding, body, from })).spanCount;
  };
  for (let serial = 0; serial < 4; serial++) await submit(serial);
  const startMs = performance.now();
  const sender = async (index: number) => {
    for (let serial = index; performance.now() - startMs < RUN_MS; serial++) {
      const count = await submit(serial).catch(() => 0);
      spanCount += count;
      if (count === 0) refusedCount++;
    }
  };
  await Promise.all(Array.from({ length: senderCount }, (_, index) => sender(index)));
  const rate = (spanCount / (performance.now() - startMs)) * 1000;
  await ingest.close();
  await rm(dir, { recursive: true, force: true });
  return { rate, refusedCount, bodyBytes: bodies[0]!.length };
}

for (const encoding of ['identity', 'gzip'] as const) {
  for (const isStalled of [true, false]) {
    for (const senderCount of [1, 4, 16]) {
      const { rate, refusedCount, bodyBytes } = await spansPerSecond(encoding, senderCount, isStalled);
      const what = `${encoding}, ${(bodyBytes / 1000).toFixed(0)} KB, ${senderCount} senders`;
      const path = isStalled ? 'acknowledged only' : 'decoded too      ';
      const refused = refusedCount > 0 ? `  ${refusedCount} refused` : '';
      console.log(`${what.padEnd(34)} ${path} ${rate.toFixed(0).padStart(8)} spans/s${refused}`);
    }
  }
}
