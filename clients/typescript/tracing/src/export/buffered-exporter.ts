import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { BatchQueue } from './batch-queue.ts';
import { type DroppedSpans, type DropReason, DropReport } from './drop-report.ts';
import { estimateBytes } from './estimate-bytes.ts';
import { joinBytes } from './frames.ts';
import {
  BATCH_BYTES,
  BATCH_DELAY_MS,
  BLOCKED_BATCH_BYTES,
  FLUSH_TIMEOUT_MS,
  MEMORY_BYTES_MAX,
  SEND_TIMEOUT_MS,
  SPILL_AGE_MS_MAX,
  SPILL_BYTES_MAX,
} from './limits.ts';
import { BatchSender } from './send-batches.ts';
import { SpillStore } from './spill-store.ts';

/** How spans are kept until the server has them. */
export interface BufferOptions {
  /** Time from the first span of a batch to its end, in milliseconds. Default 500; 0 closes it in the next turn of the event loop. */
  readonly batchDelayMs?: number | undefined;
  /** Bytes of encoded spans in memory. Default 16 MiB. */
  readonly memoryBytesMax?: number | undefined;
  /** Time of one request, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Files for spans that were not sent. `false`: none. Outside of Node there are none. */
  readonly spill?:
    | false
    | { readonly folder?: string; readonly bytesMax?: number; readonly ageMsMax?: number }
    | undefined;
  /** Called with spans that will never reach the server. */
  readonly onDrop?: ((dropped: DroppedSpans) => void) | undefined;
  /** Where warnings go. Default `console.warn`. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** Counts of an exporter since its start. */
export interface ExportStats {
  readonly sentSpanCount: number;
  readonly waitingSpanCount: number;
  readonly droppedSpanCount: number;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
  /** Encoded bytes in memory. */
  readonly memoryBytes: number;
}

/**
 * Collects spans into batches by bytes and time, and sends them from a queue that outlives outages. Nothing here throws or
 * rejects: tracing must not end the program that it traces.
 */
export class BufferedExporter {
  readonly spillPath: string | undefined;
  readonly #drops: DropReport;
  readonly #queue: BatchQueue;
  readonly #delayMs: number;
  #spans: ReadableSpan[] = [];
  #byteCount = 0;
  /** The batch is closed in the next turn of the event loop. */
  #isFull = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(url: string, headers: Readonly<Record<string, string>>, options: BufferOptions = {}) {
    const { spill = {}, timeoutMs = SEND_TIMEOUT_MS, warn = (message) => console.warn(message) } = options;
    this.#drops = new DropReport(warn, options.onDrop);
    this.#delayMs = options.batchDelayMs ?? BATCH_DELAY_MS;
    const files = spill && {
      folder: spill.folder,
      bytesMax: spill.bytesMax ?? SPILL_BYTES_MAX,
      ageMsMax: spill.ageMsMax ?? SPILL_AGE_MS_MAX,
    };
    const store = files ? SpillStore.open(url, files, warn) : undefined;
    this.spillPath = store?.path;
    this.#queue = new BatchQueue({
      sender: new BatchSender({ url, headers, timeoutMs, warn }),
      store,
      memoryBytesMax: options.memoryBytesMax ?? MEMORY_BYTES_MAX,
      drops: this.#drops,
      warn,
    });
  }

  get stats(): ExportStats {
    return {
      sentSpanCount: this.#queue.sentSpanCount,
      waitingSpanCount: this.#queue.waitingSpanCount + this.#spans.length,
      droppedSpanCount: this.#drops.spanCount,
      dropped: this.#drops.counts,
      memoryBytes: this.#queue.memoryBytes + this.#byteCount,
    };
  }

  add(span: ReadableSpan): void {
    if (this.#isClosed) {
      this.drop('exit', 'The tracer was shut down before.');
      return;
    }
    this.#spans.push(span);
    this.#byteCount += estimateBytes(span);
    // Encoding is not the caller's work, unless the caller leaves the event loop no turn.
    if (this.#byteCount >= BLOCKED_BATCH_BYTES) this.#closeBatch();
    else if (this.#byteCount >= BATCH_BYTES && !this.#isFull) {
      this.#isFull = true;
      this.#closeAfter(0);
    } else if (this.#timer === undefined) this.#closeAfter(this.#delayMs);
  }

  #closeAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#closeBatch(), delayMs);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Counts a span that cannot be exported. */
  drop(reason: DropReason, detail: string): void {
    this.#drops.add(reason, 1, detail);
  }

  /** Waits until the server has the spans, or they wait in files for it, and at most `timeoutMs`. */
  async flush(timeoutMs = FLUSH_TIMEOUT_MS): Promise<void> {
    this.#closeBatch();
    await this.#queue.flush(timeoutMs);
  }

  /** Writes all spans to files in this turn of the event loop. */
  saveNow(): void {
    this.#closeBatch();
    this.#queue.saveNow();
  }

  /** Saves all spans and closes the files, for the end of a process. */
  endNow(): void {
    this.#closeBatch();
    this.#isClosed = true;
    this.#queue.close();
  }

  /** Flushes, and takes no further spans. */
  async shutdown(timeoutMs = FLUSH_TIMEOUT_MS): Promise<void> {
    if (this.#isClosed) return;
    await this.flush(timeoutMs);
    this.endNow();
  }

  #closeBatch(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const spans = this.#spans;
    if (spans.length === 0) return;
    this.#spans = [];
    this.#byteCount = 0;
    this.#isFull = false;
    const payload = this.#encode(spans);
    if (payload) this.#queue.add(payload, spans.length);
  }

  #encode(spans: readonly ReadableSpan[]): Uint8Array | undefined {
    try {
      return ProtobufTraceSerializer.serializeRequest([...spans]);
    } catch (error) {
      // One span with a value that cannot be encoded must not cost the others.
      const parts = spans.length === 1 ? [] : spans.flatMap((span) => this.#encode([span]) ?? []);
      if (spans.length === 1) this.drop('encoding', `A span cannot be encoded: ${String(error)}.`);
      return parts.length === 0 ? undefined : joinBytes(parts);
    }
  }
}
