/**
 * Which rate of spans can the server sustain until they are readable, and how long after its acknowledgement is a span
 * readable?
 */
import { measureProcessTree } from '../../test/e2e/process-tree.ts';
import { measureVisibleMs, watchVisibleMs, withServer } from './bench-server.ts';
import { BATCH_SPAN_COUNT, startLoad } from './load-generator.ts';
import { count, isSmoke, LatencyRecorder, mib, ms, printTable, ratio, sample, size } from './measure.ts';

const SECONDS = size('SECONDS', { smoke: 0.3, full: 120 });
const RATES = isSmoke ? [200] : (process.env.RATES ?? '12500,25000,40000').split(',').map(Number);

const rows: Record<string, string>[] = [];
await withServer(async (server) => {
  for (const rate of RATES) {
    const project = `sustain ${rate}`;
    await measureVisibleMs(server, project);
    const cpuBefore = measureProcessTree(server.pid).cpuSeconds;
    const load = startLoad({
      transport: 'http',
      target: server.url,
      project,
      seconds: SECONDS,
      concurrency: isSmoke ? 4 : 64,
      spansPerSecond: rate,
    });
    await load.started;
    const lagWatch = watchVisibleMs(server, project);
    const memory = sample(1_000, () => measureProcessTree(server.pid).pssBytes);
    const result = await load.result;
    const backlogMs = await measureVisibleMs(server, project);
    const lags = new LatencyRecorder();
    for (const lag of await lagWatch.stop()) lags.add(lag);
    const cpuSeconds = measureProcessTree(server.pid).cpuSeconds - cpuBefore;
    const lag = lags.summary();
    rows.push({
      'offered spans/s': count(rate),
      'acknowledged/s': count(result.spansPerSecond),
      'of the offer': ratio(result.acknowledgedSpanCount / (rate * SECONDS)),
      '503s': count(result.refusedRequestCount),
      'ack p50 ms': ms(result.ackMs.p50),
      'ack p99 ms': ms(result.ackMs.p99),
      'visible after p50 ms': ms(lag.p50),
      'p99 ms': ms(lag.p99),
      'at the end ms': ms(backlogMs),
      'CPU s per 1,000': (cpuSeconds / (result.acknowledgedSpanCount / 1_000)).toFixed(4),
      'PSS most': mib(Math.max(0, ...memory.stop())),
    });
  }
});
printTable(
  `Sustained to queryable: ${BATCH_SPAN_COUNT} spans a request over HTTP, ${SECONDS} s each rate, one store that grows`,
  rows,
);
