import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ReadClass } from '../contract/read-options.ts';
import type { SpanStoreStats } from '../contract/span-store.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics of the span store. */
export class SpanStoreMetrics {
  readonly #reads: Histogram<'class'>;
  readonly #writes: Histogram<'operation'>;
  readonly #checkpoints: Histogram;
  readonly #rows: Counter;

  constructor(registry: Registry, stats: () => Promise<SpanStoreStats>) {
    const registers = [registry];
    this.#reads = new Histogram({
      name: 'spandrel_span_store_read_seconds',
      help: 'Duration of reads of the span store, including the queue.',
      labelNames: ['class'],
      buckets: SECONDS,
      registers,
    });
    this.#writes = new Histogram({
      name: 'spandrel_span_store_write_seconds',
      help: 'Duration of writes to the span store, including the queue.',
      labelNames: ['operation'],
      buckets: SECONDS,
      registers,
    });
    this.#checkpoints = new Histogram({
      name: 'spandrel_span_store_checkpoint_seconds',
      help: 'Duration of checkpoints, during which writes wait.',
      buckets: SECONDS,
      registers,
    });
    this.#rows = new Counter({
      name: 'spandrel_span_store_appended_rows_total',
      help: 'Spans passed to the span store, including repeated ones.',
      registers,
    });
    registerSizes(registry, stats);
  }

  observeRead(readClass: ReadClass, seconds: number): void {
    this.#reads.observe({ class: readClass }, seconds);
  }
  observeWrite(operation: string, seconds: number, rowCount: number): void {
    this.#writes.observe({ operation }, seconds);
    this.#rows.inc(rowCount);
  }
  observeCheckpoint(seconds: number): void {
    this.#checkpoints.observe(seconds);
  }
}

/** Reads all sizes with one call when the metrics are collected. */
function registerSizes(registry: Registry, stats: () => Promise<SpanStoreStats>): void {
  let reading: Promise<SpanStoreStats | undefined> | undefined;
  const readStats = () => {
    // While the store is down, the gauges keep their last values.
    reading ??= stats()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const gauge = (name: string, help: string, of: (sizes: SpanStoreStats) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const sizes = await readStats();
        if (sizes) this.set(of(sizes));
      },
    });
  gauge('spandrel_span_store_spans', 'Spans stored.', ({ spanCount }) => spanCount);
  gauge('spandrel_span_store_traces', 'Traces stored.', ({ traceCount }) => traceCount);
  gauge('spandrel_span_store_sessions', 'Sessions stored.', ({ sessionCount }) => sessionCount);
  gauge('spandrel_span_store_disk_bytes', 'Size of the database file.', ({ diskBytes }) => diskBytes);
  gauge('spandrel_span_store_memory_bytes', "Memory of the span store's buffers.", ({ memoryBytes }) => memoryBytes);
  gauge(
    'spandrel_span_store_unindexed_blocks',
    'Blocks of spans without a filter, which every search scans.',
    ({ unindexedBlockCount }) => unindexedBlockCount,
  );
}
