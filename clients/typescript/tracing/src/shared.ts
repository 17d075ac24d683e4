export * from '@arizeai/openinference-core';
export * from '@arizeai/openinference-semantic-conventions';
export { context, DiagLogLevel, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
export { suppressTracing } from '@opentelemetry/core';
export { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
export { type Instrumentation, registerInstrumentations } from '@opentelemetry/instrumentation';
export type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base';
export type { BufferOptions, ExportStats } from './export/buffered-exporter.ts';
export type { DroppedSpans, DropReason } from './export/drop-report.ts';
export type { HideOptions } from './mask/hide-rules.ts';
export type { MaskOptions } from './mask/mask-span.ts';
export { LazySpanProcessor } from './processor/lazy-span-processor.ts';
export { SpandrelSpanProcessor } from './processor/span-processor.ts';
export { type TraceContext, withTraceContext } from './register/context-attributes.ts';
export { getDefaultSpanProcessor } from './register/default-processor.ts';
export {
  attachGlobalTracerProvider,
  detachGlobalTracerProvider,
  type GlobalTracerProviderRegistration,
} from './register/global-provider.ts';
export { objectAsAttributes } from './register/object-attributes.ts';
export type { ExportParams, RegisterParams } from './register/register-options.ts';
export { ensureCollectorEndpoint } from './register/trace-settings.ts';
