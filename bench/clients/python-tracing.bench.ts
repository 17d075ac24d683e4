/**
 * What does a span cost the thread of a Python program, and how many spans are lost while the server is away? Our processor, the public
 * helper's, and OpenTelemetry without any. `COUNT` divides the number of spans. Needs `.venv`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withServer } from '../whole-server/bench-server.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PYTHON = join(ROOT, '.venv/bin/python');
const SCRIPT = join(ROOT, 'bench/clients/python_tracing.py');
const DIVISOR = process.env.SMOKE ? 200 : Number(process.env.COUNT ?? 1);
const CALLER_SPANS = 20_000;
const OUTAGE_SPANS = 60_000;
const SPANS_PER_SECOND = 1_000;

function measure(tracer: string, what: string, count: number, endpoint: string): Record<string, number> {
  const spans = String(Math.max(100, Math.ceil(count / DIVISOR)));
  const { status, stdout, stderr } = spawnSync(
    PYTHON,
    ['-B', SCRIPT, tracer, what, spans, String(SPANS_PER_SECOND), endpoint],
    { encoding: 'utf8', env: { PATH: process.env.PATH, PYTHONPATH: join(ROOT, 'clients/python/client') } },
  );
  if (status !== 0) throw new Error(`${tracer} ${what}: ${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, number>;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

if (existsSync(PYTHON)) {
  await withServer(async ({ url }) => {
    const none = measure('none', 'caller', CALLER_SPANS, url);
    const rows = ['ours', 'public'].map((tracer) => {
      const found = measure(tracer, 'caller', CALLER_SPANS, `${url}/v1/traces`);
      return {
        tracer,
        'work of the thread, µs a span': (found.workedMicros! - none.workedMicros!).toFixed(1),
        'added in a burst, µs': (found.burstMicros! - none.burstMicros!).toFixed(1),
        'added at 1,000 a second, µs': (found.pacedMicros! - none.pacedMicros!).toFixed(1),
        'whole span, µs': found.burstMicros!.toFixed(1),
      };
    });
    console.table(rows);
  });
  const outages = [];
  for (const tracer of ['ours', 'public']) {
    const found = measure(tracer, 'outage', OUTAGE_SPANS, `http://127.0.0.1:${await freePort()}/v1/traces`);
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
} else {
  console.log('There is no .venv; run scripts/python-clients.sh first.');
}
