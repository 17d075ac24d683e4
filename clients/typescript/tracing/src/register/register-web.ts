import { type ContextManager, context, propagation, trace } from '@opentelemetry/api';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { toProcessors } from './default-processor.ts';
import { attachGlobalTracerProvider } from './global-provider.ts';
import type { RegisterParams } from './register-options.ts';
import { createResource, setDiagLogLevel } from './resource.ts';
import { createContextManager } from './web-context.ts';

/** A provider that makes itself that of the page or worker. */
export class WebTracerProvider extends BasicTracerProvider {
  readonly #contextManager: ContextManager = createContextManager();

  register(): void {
    trace.setGlobalTracerProvider(this);
    context.setGlobalContextManager(this.#contextManager.enable());
    propagation.setGlobalPropagator(
      new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
    );
  }
}

/**
 * Starts tracing in a browser or on an edge runtime. There are no files: spans wait in memory while the server is away.
 *
 * @throws {ArgumentError} when an address is none
 */
export function register(params: RegisterParams = {}): WebTracerProvider {
  setDiagLogLevel(params);
  const provider = new WebTracerProvider({ resource: createResource(params), spanProcessors: toProcessors(params) });
  if (params.global ?? true) {
    const { detach } = attachGlobalTracerProvider(provider);
    const shutdown = provider.shutdown.bind(provider);
    provider.shutdown = () => shutdown().finally(detach);
  }
  const { instrumentations } = params;
  if (instrumentations) registerInstrumentations({ instrumentations, tracerProvider: provider });
  return provider;
}

/** A provider whose spans go nowhere. */
export const createNoOpProvider = (): WebTracerProvider => new WebTracerProvider({ spanProcessors: [] });
