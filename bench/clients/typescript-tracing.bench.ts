/**
 * What does tracing cost the program, and what does it lose while the server is away? A program ends spans at a steady rate;
 * in the middle of it the network to the server is down. Ours keeps spans in files, the public helper 2,048 in memory. Each has
 * a process of its own, one after the other, before the same server. The time in the caller is that of creating and ending a
 * span with five attributes; memory is the highest resident size above that after the first second.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCuttingProxy } from '../../test/web/cutting-proxy.ts';
import { unpackPackages } from '../../test/clients/unpacked-packages.ts';
import { listSpans } from '../../test/e2e/rest.ts';
import { measureVisibleMs, withServer } from '../whole-server/bench-server.ts';
import { printTable, size } from '../whole-server/measure.ts';

const OUTAGE_MS = size('OUTAGE_MS', { smoke: 300, full: 60_000 });
const AROUND_MS = size(undefined, { smoke: 700, full: 3_000 });
const SPANS_PER_SECOND = size('RATE', { smoke: 1_000, full: 1_000 });
const CLIENTS = { ours: '@spandrel/tracing', 'public helper': '@arizeai/phoenix-otel' } as const;

interface Figures {
  readonly spanCount: number;
  /** Microseconds in the caller. */
  readonly meanUs: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly memoryMb: number;
  readonly endMs: number;
}

await withServer(async (server) => {
  const installed = await unpackPackages(['client', 'tracing'], { '@arizeai/phoenix-otel': undefined });
  const cleanUps: (() => Promise<void>)[] = [() => installed.remove()];
  try {
    const proxy = await openCuttingProxy({ after: (work) => void cleanUps.push(work) }, server.url);
    const rows: Record<string, string>[] = [];
    for (const [name, packageName] of Object.entries(CLIENTS)) {
      const project = `tracing ${name} ${Date.now()}`;
      const path = await installed.write('traced.mjs', toProgram(packageName));
      const args = [path, proxy.url, project, String(2 * AROUND_MS + OUTAGE_MS), String(SPANS_PER_SECOND)];
      const child = spawn(process.execPath, args, {
        cwd: installed.folder,
        env: { ...process.env, SPANDREL_SPILL_DIR: join(installed.folder, 'spill') },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const output = text(child.stdout);
      await new Promise((resolve) => child.stdout.once('data', resolve));
      await sleep(AROUND_MS);
      proxy.goDown();
      await sleep(OUTAGE_MS);
      proxy.restore();
      const figures = JSON.parse((await output).trim().split('\n').at(-1)!) as Figures;
      await measureVisibleMs(server, project);
      const stored = (await listSpans(server.url, project)).filter((span) => span.name === 'call').length;
      rows.push({
        client: name,
        'spans ended': String(figures.spanCount),
        lost: String(figures.spanCount - stored),
        'µs a span in the caller (mean, p50, p99)': [figures.meanUs, figures.p50Us, figures.p99Us]
          .map((us) => us.toFixed(1))
          .join(', '),
        'memory, MB': figures.memoryMb.toFixed(0),
        'end of the program, ms': figures.endMs.toFixed(0),
      });
    }
    printTable(`${SPANS_PER_SECOND} spans a second, the server away for ${OUTAGE_MS / 1_000} s`, rows);
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
});

/** Ends spans for a time, at a rate, and prints its figures. */
function toProgram(packageName: string): string {
  return `import { register, trace } from '${packageName}';
const [, , url, projectName, durationMs, rate] = process.argv;
const provider = register({ url, projectName });
const tracer = trace.getTracer('bench');
const question = 'What is the capital of France? '.repeat(10);
const times = [];
let memory = 0;
let first;
console.log('started');
const startedAt = performance.now();
while (performance.now() - startedAt < durationMs) {
  const due = ((performance.now() - startedAt) * rate) / 1_000;
  while (times.length < due) {
    const before = performance.now();
    const span = tracer.startSpan('call', { attributes: { 'openinference.span.kind': 'LLM', 'llm.model_name': 'gpt-5-mini' } });
    span.setAttribute('input.value', question);
    span.setAttribute('output.value', question);
    span.setAttribute('llm.token_count.total', times.length);
    span.end();
    times.push((performance.now() - before) * 1_000);
  }
  const { rss } = process.memoryUsage();
  if (performance.now() - startedAt > 1_000 || durationMs < 3_000) first ??= rss;
  memory = Math.max(memory, rss - (first ?? rss));
  await new Promise((resolve) => setTimeout(resolve, 10));
}
const endedAt = performance.now();
// Both may take what is left of an outage: ours waits at most 5 s for a request, so it is asked again.
for (let attempt = 0; attempt < 3; attempt++) await provider.forceFlush().catch(() => {});
await provider.shutdown().catch(() => {});
const endMs = performance.now() - endedAt;
const sorted = times.toSorted((a, b) => a - b);
const meanUs = times.reduce((sum, time) => sum + time, 0) / times.length;
console.log(JSON.stringify({ spanCount: times.length, meanUs, p50Us: sorted[times.length >> 1],
  p99Us: sorted[Math.floor(times.length * 0.99)], memoryMb: memory / 1_048_576, endMs }));
process.exit(0);
`;
}
