/**
 * What does a span cost the thread of a Python program, and how many spans are lost while the server is away? Our processor, the public
 * helper's, and OpenTelemetry without any. `COUNT` divides the number of spans. Needs `.venv`.
 */
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withServer } from '../whole-server/bench-server.ts';
import { openPythonRuns, PYTHON } from './python-runs.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DIVISOR = process.env.SMOKE ? 200 : Number(process.env.COUNT ?? 1);
const CALLER_SPANS = 20_000;
const OUTAGE_SPANS = 60_000;
const SPANS_PER_SECOND = 1_000;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

async function bench(): Promise<void> {
  const python = openPythonRuns('python_tracing.py', {
    env: { PYTHONPATH: join(ROOT, 'clients/python/client') },
    modules: ['spandrel_client.tracing', 'phoenix.otel', 'opentelemetry.sdk.trace'],
  });
  const measure = async (tracer: string, what: string, count: number, endpoint: string) => {
    const spans = Math.max(100, Math.ceil(count / DIVISOR));
    const found = await python.measure<Record<string, number>>({
      args: [tracer, what, spans, SPANS_PER_SECOND, endpoint],
    });
    return found!;
  };
  await withServer(async ({ url }) => {
    const none = await measure('none', 'caller', CALLER_SPANS, url);
    const rows = [];
    for (const tracer of ['ours', 'public']) {
      const found = await measure(tracer, 'caller', CALLER_SPANS, `${url}/v1/traces`);
      rows.push({
        tracer,
        'work of the thread, µs a span': (found.workedMicros! - none.workedMicros!).toFixed(1),
        'added in a burst, µs': (found.burstMicros! - none.burstMicros!).toFixed(1),
        'added at 1,000 a second, µs': (found.pacedMicros! - none.pacedMicros!).toFixed(1),
        'whole span, µs': found.burstMicros!.toFixed(1),
      });
    }
    console.table(rows);
  });
  const outages = [];
  for (const tracer of ['ours', 'public']) {
    const found = await measure(tracer, 'outage', OUTAGE_SPANS, `http://127.0.0.1:${await freePort()}/v1/traces`);
    outages.push({
      tracer,
      'away, s': found.seconds!.toFixed(1),
      lost: found.lost,
      'memory, MiB': found.mib!.toFixed(1),
      'longest span, ms': found.worstMillis!.toFixed(1),
      'complete after, s': found.caughtUpSeconds!.toFixed(1),
    });
  }
  console.table(outages);
  python.close();
}

if (existsSync(PYTHON)) await bench();
else {
  console.log('There is no .venv; run scripts/python-clients.sh first.');
}
