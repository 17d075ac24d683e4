import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/**
 * Registers memory, processor time and event-loop delay of this process, under the usual names of Node and those of the
 * reference.
 */
export function registerProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
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
}
