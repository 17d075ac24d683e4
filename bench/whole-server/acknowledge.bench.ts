/**
 * How many spans per second are acknowledged as durable over each transport, compared with a server that only reads the
 * bytes?
 */
import { fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { measureProcessTree } from '../../test/e2e/process-tree.ts';
import { measureVisibleMs, withServer } from './bench-server.ts';
import { BATCH_SPAN_COUNT, type LoadJob, runLoad } from './load-generator.ts';
import { count, isSmoke, ms, printTable, ratio, size } from './measure.ts';
import { openSink, type Sink } from './sink.ts';

const SECONDS = size('SECONDS', { smoke: 0.1, full: 15 });
const CONCURRENCY = isSmoke ? 2 : 8;
const TRANSPORTS = ['http', 'http gzip', 'grpc'] as const;

if (process.argv[2] === 'sink') {
  const sink = await openSink();
  process.send?.({ url: sink.url, grpcAddress: sink.grpcAddress });
  process.on('disconnect', () => process.exit(0));
} else {
  await bench();
}

async function bench(): Promise<void> {
  const sink = await startSinkProcess();
  const rows: Record<string, string>[] = [];
  await withServer(async (server) => {
    for (const transport of TRANSPORTS) {
      const job = (target: Pick<Sink, 'url' | 'grpcAddress'>): LoadJob => ({
        transport,
        target: transport === 'grpc' ? target.grpcAddress : target.url,
        project: `acknowledge ${transport}`,
        seconds: SECONDS,
        concurrency: CONCURRENCY,
      });
      const ceiling = await runLoad(job(sink.sink));
      const cpuBefore = measureProcessTree(server.pid).cpuSeconds;
      const load = await runLoad(job(server));
      const drainMs = await measureVisibleMs(server, `acknowledge ${transport}`);
      const cpuSeconds = measureProcessTree(server.pid).cpuSeconds - cpuBefore;
      rows.push({
        transport,
        'spans/s acknowledged': count(load.spansPerSecond),
        'of a bare sink': ratio(load.spansPerSecond / ceiling.spansPerSecond),
        'ack p50 ms': ms(load.ackMs.p50),
        'ack p99 ms': ms(load.ackMs.p99),
        '503s': count(load.refusedRequestCount),
        'bytes/span': count(load.bytesPerSpan),
        'generator cores': load.generatorCores.toFixed(2),
        'CPU s per 1,000 spans': (cpuSeconds / (load.acknowledgedSpanCount / 1_000)).toFixed(4),
        'backlog gone after s': (drainMs / 1_000).toFixed(1),
      });
      await delay(isSmoke ? 0 : 500);
    }
  });
  sink.stop();
  printTable(
    `Acknowledged spans a second: ${BATCH_SPAN_COUNT} spans a request, ${CONCURRENCY} in flight, ${SECONDS} s each`,
    rows,
  );
}

/** In a separate process, like the server. */
async function startSinkProcess(): Promise<{ sink: Pick<Sink, 'url' | 'grpcAddress'>; stop(): void }> {
  const child = fork(fileURLToPath(import.meta.url), ['sink']);
  const sink = await new Promise<Pick<Sink, 'url' | 'grpcAddress'>>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Pick<Sink, 'url' | 'grpcAddress'>));
    child.once('exit', () => reject(new Error('the sink ended')));
  });
  return { sink, stop: () => child.disconnect() };
}
