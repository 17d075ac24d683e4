import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ErrorCode } from '../model/errors.ts';
import type { IngestStatus } from './ingest.ts';
import type { GroupCommit } from './journal/journal.ts';
import type { AppliedBatch } from './projector.ts';

/** Values that are read when metrics are requested. */
export interface IngestGauges {
  readonly backlogBytes: () => number;
  readonly inFlightBytes: () => number;
  readonly queuedSpanCount: () => number;
  /** Age of the oldest acknowledgement that is not stored; 0 if all are. */
  readonly lagSeconds: () => number;
}

const SECONDS = [0.000_25, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type IngestTotals = Pick<
  IngestStatus,
  | 'acceptedSpanCount'
  | 'rejectedSpanCount'
  | 'rejectedRequestCounts'
  | 'duplicateSpanCount'
  | 'differingSpanCount'
  | 'droppedAnnotationCount'
  | 'quarantinedCount'
  | 'failedBatchCount'
>;

/** Metrics of the ingest. `bulk_loader` and `span_queue` are names that dashboards of the reference use. */
export class IngestMetrics {
  readonly #writeSeconds: Histogram;
  readonly #syncSeconds: Histogram;
  readonly #groupRecords: Histogram;
  readonly #journalBytes: Counter;
  readonly #checkSeconds: Histogram;
  readonly #acceptedSpans: Counter;
  readonly #rejectedSpans: Counter;
  readonly #rejectedRequests: Counter<'reason'>;
  readonly #unappliedSpans: Counter;
  readonly #batchSpans: Histogram;
  readonly #batchSeconds: Histogram;
  readonly #batchFailures: Counter;
  readonly #lastActivity: Gauge;
  readonly #overloads: Counter;
  readonly #duplicateSpans: Counter;
  readonly #differingSpans: Counter;
  readonly #droppedAnnotations: Counter;
  readonly #lagSeconds: Histogram;

  constructor(registry: Registry, gauges: IngestGauges) {
    const registers = [registry];
    const seconds = (name: string, help: string) => new Histogram({ name, help, registers, buckets: SECONDS });
    const counter = (name: string, help: string) => new Counter({ name, help, registers });
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });

    this.#writeSeconds = seconds(
      'spandrel_journal_write_seconds',
      'Duration of writing one group of records to the journal',
    );
    this.#syncSeconds = seconds(
      'spandrel_journal_fdatasync_seconds',
      'Duration of the fdatasync of one group of records',
    );
    this.#groupRecords = new Histogram({
      name: 'spandrel_journal_group_records',
      help: 'Number of records per fdatasync',
      registers,
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    });
    this.#journalBytes = counter('spandrel_journal_bytes_total', 'Bytes written to the journal');
    this.#checkSeconds = seconds(
      'spandrel_ingest_check_seconds',
      'Duration of inflating and checking a request, including the queue',
    );
    this.#acceptedSpans = counter('spandrel_ingest_spans_accepted_total', 'Spans acknowledged');
    this.#rejectedSpans = counter(
      'spandrel_ingest_spans_rejected_total',
      'Spans rejected in requests that were accepted',
    );
    this.#rejectedRequests = new Counter({
      name: 'spandrel_ingest_requests_rejected_total',
      help: 'Requests rejected, by the code of the error',
      labelNames: ['reason'],
      registers,
    });
    this.#unappliedSpans = counter(
      'spandrel_bulk_loader_span_exceptions_total',
      'Records of the journal that could not be applied and were quarantined',
    );
    this.#batchSpans = new Histogram({
      name: 'spandrel_projector_batch_spans',
      help: 'Spans per transaction of the store',
      registers,
      buckets: [1, 10, 100, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 100_000],
    });
    this.#batchSeconds = new Histogram({
      name: 'spandrel_bulk_loader_span_insertion_time_seconds',
      help: 'Duration of one transaction of the store',
      registers,
      buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 180],
    });
    this.#batchFailures = counter(
      'spandrel_bulk_loader_exceptions_total',
      'Failed transactions of the store, which are retried',
    );
    this.#lastActivity = new Gauge({
      name: 'spandrel_bulk_loader_last_activity_timestamp_seconds',
      help: 'Time of the last transaction of the store, in seconds since the epoch',
      registers,
    });
    this.#overloads = counter(
      'spandrel_span_queue_rejections_total',
      'Requests that were rejected with a request to retry because the backlog is too large',
    );
    this.#duplicateSpans = counter('spandrel_ingest_spans_duplicate_total', 'Spans that were stored before');
    this.#differingSpans = counter(
      'spandrel_ingest_spans_differing_total',
      'Duplicate spans whose name, kind, status or times differ from the stored span, which is kept',
    );
    this.#droppedAnnotations = counter(
      'spandrel_ingest_annotations_dropped_total',
      'Annotations that were dropped because their target did not arrive or has no such document',
    );
    this.#lagSeconds = seconds(
      'spandrel_ingest_lag_seconds',
      'Time from the acknowledgement of spans until they are readable',
    );
    gauge('spandrel_ingest_backlog_bytes', 'Bytes that are journaled but not yet stored', gauges.backlogBytes);
    gauge(
      'spandrel_span_queue_size',
      'Spans that were journaled since the start but are not yet stored',
      gauges.queuedSpanCount,
    );
    gauge('spandrel_ingest_inflight_bytes', 'Bytes of admitted requests without a response', gauges.inFlightBytes);
    gauge(
      'spandrel_ingest_backlog_age_seconds',
      'Age of the oldest acknowledged span that is not stored',
      gauges.lagSeconds,
    );
  }

  /** Totals of the counters. */
  async totals(): Promise<IngestTotals> {
    const total = async (counter: Counter) => (await counter.get()).values.reduce((sum, { value }) => sum + value, 0);
    const { values: rejections } = await this.#rejectedRequests.get();
    return {
      acceptedSpanCount: await total(this.#acceptedSpans),
      rejectedSpanCount: await total(this.#rejectedSpans),
      rejectedRequestCounts: Object.fromEntries(rejections.map(({ labels, value }) => [labels.reason, value])),
      duplicateSpanCount: await total(this.#duplicateSpans),
      differingSpanCount: await total(this.#differingSpans),
      droppedAnnotationCount: await total(this.#droppedAnnotations),
      quarantinedCount: await total(this.#unappliedSpans),
      failedBatchCount: await total(this.#batchFailures),
    };
  }

  committed({ recordCount, bytes, writeMs, syncMs }: GroupCommit): void {
    this.#writeSeconds.observe(writeMs / 1000);
    this.#syncSeconds.observe(syncMs / 1000);
    this.#groupRecords.observe(recordCount);
    this.#journalBytes.inc(bytes);
  }

  checked(ms: number): void {
    this.#checkSeconds.observe(ms / 1000);
  }

  accepted(spanCount: number, rejectedSpanCount: number): void {
    this.#acceptedSpans.inc(spanCount);
    this.#rejectedSpans.inc(rejectedSpanCount);
  }

  rejected(reason: ErrorCode | 'INTERNAL'): void {
    this.#rejectedRequests.inc({ reason });
    if (reason === 'INGEST_OVERLOADED') this.#overloads.inc();
  }

  quarantined(): void {
    this.#unappliedSpans.inc();
  }

  batchFailed(): void {
    this.#batchFailures.inc();
  }

  applied(batch: AppliedBatch, lagsMs: readonly number[]): void {
    const { rowCount, duplicateCount, differingCount, droppedAnnotationCount, durationMs } = batch;
    this.#lastActivity.setToCurrentTime();
    this.#batchSpans.observe(rowCount);
    this.#batchSeconds.observe(durationMs / 1000);
    this.#duplicateSpans.inc(duplicateCount);
    this.#differingSpans.inc(differingCount);
    this.#droppedAnnotations.inc(droppedAnnotationCount);
    for (const lagMs of lagsMs) this.#lagSeconds.observe(lagMs / 1000);
  }
}
