import { getAttributesFromContext } from '@arizeai/openinference-core';
import { type Context, TraceFlags } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { BufferedExporter, ExportStats } from '../export/buffered-exporter.ts';
import { flushAtExit } from '../export/flush-at-exit.ts';
import type { MaskSpan } from '../mask/mask-span.ts';
import { isAISdkSpan, translateAISdkSpan } from './ai-sdk-spans.ts';

/**
 * Adds session, user, tags, metadata and prompt of the context to every span, translates spans of the AI SDK, masks, and
 * hands over to the exporter. No method throws or rejects.
 */
export class SpandrelSpanProcessor implements SpanProcessor {
  readonly #exporter: BufferedExporter;
  readonly #mask: MaskSpan;
  readonly #stopFlushing: () => void;

  constructor(exporter: BufferedExporter, mask: MaskSpan) {
    this.#exporter = exporter;
    this.#mask = mask;
    this.#stopFlushing = flushAtExit(exporter);
  }

  /** Sent, waiting and dropped spans since the start. */
  get stats(): ExportStats {
    return this.#exporter.stats;
  }

  /** Folder of spans that wait for the server. Undefined when there is none. */
  get spillPath(): string | undefined {
    return this.#exporter.spillPath;
  }

  onStart(span: Span, parentContext: Context): void {
    const attributes = getAttributesFromContext(parentContext);
    for (const key in attributes) {
      const value = attributes[key];
      if (value !== undefined && !(key in span.attributes)) span.setAttribute(key, value);
    }
  }

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
    try {
      if (isAISdkSpan(span)) translateAISdkSpan(span);
      this.#exporter.add(this.#mask(span));
    } catch (error) {
      // A span that could not be masked must not leave.
      this.#exporter.drop(
        'encoding',
        `A span cannot be masked: ${error instanceof Error ? error.message : String(error)}.`,
      );
    }
  }

  /** Waits until the server has the spans, or they are in files for it, and at most `timeoutMs` (5,000). */
  forceFlush(timeoutMs?: number): Promise<void> {
    return this.#exporter.flush(timeoutMs);
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
    this.#stopFlushing();
  }
}
