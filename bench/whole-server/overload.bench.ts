/**
 * What happens at ten times the load that the server can handle: is memory bounded, are senders told to retry, do reads
 * respond, is anything lost?
 */
import { measureProcessTree } from '../../test/e2e/process-tree.ts';
import { getJson, type RestPage, type RestSpan } from '../../test/e2e/rest.ts';
import { type BenchServer, measureVisibleMs, withServer } from './bench-server.ts';
import { type LoadJob, runLoad, startLoad } from './load-generator.ts';
import { count, isSmoke, mib, ms, printTable, ratio, sample, size } from './measure.ts';
import { watchReads } from './watch-reads.ts';

const SECONDS = size('SECONDS', { smoke: 0.2, full: 60 });
/** The load that the server can handle, measured by `sustain.bench.ts`. */
const CARRIED_SPANS_PER_SECOND = size('CARRIED', { smoke: 100, full: 10_000 });
const FACTOR = 10;
/** More bytes than the server admits at a time, so that it must reject some. */
const CONCURRENCY = isSmoke ? 4 : 512;
const PROJECT = 'overload';

const rows: Record<string, string>[] = [];
await withServer(async (server) => {
  const job: LoadJob = {
    transport: 'http',
    target: server.url,
    project: PROJECT,
    seconds: SECONDS,
    concurrency: CONCURRENCY,
    retries: false,
  };
  await runLoad({ ...job, seconds: isSmoke ? 0.2 : 10, spansPerSecond: CARRIED_SPANS_PER_SECOND });
  await measureVisibleMs(server, PROJECT);
  for (const factor of [1, FACTOR]) {
    const memory = sample(500, () => measureProcessTree(server.pid));
    const load = startLoad({ ...job, spansPerSecond: factor * CARRIED_SPANS_PER_SECOND });
    await load.started;
    const reads = watchReads(`${server.url}/v1/projects/${PROJECT}/spans?limit=100&status_code=ERROR`, 50);
    const result = await load.result;
    const { failureCount, ...summary } = await reads.stop();
    const drainMs = await measureVisibleMs(server, PROJECT);
    const most = memory.stop();
    const missing = await countMissing(server, result.sampleTraceIds);
    rows.push({
      offered: `${count(factor * CARRIED_SPANS_PER_SECOND)} spans/s`,
      'acknowledged/s': count(result.spansPerSecond),
      answers: Object.entries(result.statusCounts)
        .map(([status, answers]) => `${status}: ${count(answers)}`)
        .join(', '),
      'ack p99 ms': ms(result.ackMs.p99),
      'PSS most': mib(Math.max(0, ...most.map(({ pssBytes }) => pssBytes))),
      'reads p50 ms': ms(summary.p50),
      'reads p99 ms': ms(summary.p99),
      'reads failed': ratio(failureCount / Math.max(1, summary.count + failureCount)),
      'backlog gone after s': (drainMs / 1_000).toFixed(1),
      'acknowledged and missing': `${missing} of ${result.sampleTraceIds.length} traces`,
    });
  }
});
printTable(`Overload for ${SECONDS} s, refused requests not offered again`, rows);

/** Of acknowledged traces, those that are not there with all five spans. */
async function countMissing(server: BenchServer, traceIds: readonly string[]): Promise<number> {
  let missing = 0;
  for (let first = 0; first < traceIds.length; first += 100) {
    const wanted = traceIds.slice(first, first + 100);
    const query = wanted.map((traceId) => `trace_id=${traceId}`).join('&');
    const { data } = await getJson<RestPage<RestSpan>>(
      `${server.url}/v1/projects/${PROJECT}/spans?limit=1000&${query}`,
    );
    const found = new Map<string, number>();
    for (const span of data) found.set(span.context.trace_id, (found.get(span.context.trace_id) ?? 0) + 1);
    missing += wanted.filter((traceId) => found.get(traceId) !== 5).length;
  }
  return missing;
}
