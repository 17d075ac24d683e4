import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/**
 * Pauses until the event loop's delay has a value, which it has with the second sample. prom-client takes one every 10 ms, and on a busy
 * machine one for each turn of the loop.
 */
const FIRST_PAUSES = { count: 3, ms: 12 };

/**
 * Registers memory and processor time of this process, under the names of the reference. The returned function must be called before
 * each scrape. Its first call adds the metrics of Node under their usual names: they sample the event loop 100 times a second and
 * observe each garbage collection, which is most of the processor time of an idle server (docs/decisions/start-and-packaging.md).
 */
export function registerProcessMetrics(registry: Registry): () => Promise<void> {
  new Gauge({
    name: 'memory_usage_bytes',
    help: 'Resident memory and JavaScript heap of the process',
    labelNames: ['type'],
    registers: [registry],
    collect() {
      const { rss, heapUsed } = process.memoryUsage();
      this.set({ type: 'resident' }, rss);
      this.set({ type: 'heap' }, heapUsed);
    },
  });
  let last = { at: performance.now(), cpu: process.cpuUsage() };
  new Gauge({
    name: 'cpu_usage_percent',
    help: 'Processor time of the process since the last scrape; 100 is one core',
    registers: [registry],
    collect() {
      const now = { at: performance.now(), cpu: process.cpuUsage() };
      const usedMs = (now.cpu.user + now.cpu.system - last.cpu.user - last.cpu.system) / 1000;
      this.set((100 * usedMs) / Math.max(1, now.at - last.at));
      last = now;
    },
  });
  let measuring: Promise<void> | undefined;
  return () => {
    measuring ??= startMeasuring(registry);
    return measuring;
  };
}

/** Resolves when the delay of the event loop has a value. */
async function startMeasuring(registry: Registry): Promise<void> {
  collectDefaultMetrics({ register: registry });
  for (let pause = 0; pause < FIRST_PAUSES.count; pause++) await sleep(FIRST_PAUSES.ms);
}
