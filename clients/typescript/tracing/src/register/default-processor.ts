import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { BufferedExporter } from '../export/buffered-exporter.ts';
import { createMask } from '../mask/mask-span.ts';
import { SpandrelSpanProcessor } from '../processor/span-processor.ts';
import type { ExportParams } from './register-options.ts';
import { readTraceSettings } from './trace-settings.ts';

/**
 * The processor that `register` uses: it masks spans, holds them in memory and files, and sends them.
 *
 * @throws {ArgumentError} when an address is none
 */
export function getDefaultSpanProcessor(params: ExportParams = {}): SpandrelSpanProcessor {
  const { batch = true, mask, warn = (message: string) => console.warn(message) } = params;
  const { url, headers } = readTraceSettings(params, warn);
  const exporter = new BufferedExporter(url, headers, {
    ...params,
    warn,
    ...(!batch && { batchDelayMs: 0 }),
  });
  return new SpandrelSpanProcessor(exporter, createMask(mask));
}

/** The given processors, or the default one. */
export const toProcessors = (params: ExportParams & { readonly spanProcessors?: SpanProcessor[] }): SpanProcessor[] =>
  params.spanProcessors ?? [getDefaultSpanProcessor(params)];
