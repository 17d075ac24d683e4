import type { Context } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace-base';

/** A span processor that is created with the first span, so that a program that traces nothing opens nothing. */
export class LazySpanProcessor implements SpanProcessor {
  readonly #create: () => SpanProcessor;
  #processor: SpanProcessor | undefined;

  constructor(create: () => SpanProcessor) {
    this.#create = create;
  }

  onStart(span: Span, parentContext: Context): void {
    this.#processor ??= this.#create();
    this.#processor.onStart(span, parentContext);
  }

  onEnd(span: ReadableSpan): void {
    this.#processor?.onEnd(span);
  }

  async forceFlush(): Promise<void> {
    await this.#processor?.forceFlush();
  }

  async shutdown(): Promise<void> {
    await this.#processor?.shutdown();
  }
}
