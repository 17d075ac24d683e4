import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { autoInstrument } from './auto-instrument.ts';
import { toProcessors } from './default-processor.ts';
import { attachGlobalTracerProvider } from './global-provider.ts';
import type { RegisterParams } from './register-options.ts';
import { createResource, setDiagLogLevel } from './resource.ts';

/**
 * Starts tracing: OTLP over HTTP with protobuf. Returns the provider, whose `forceFlush` and `shutdown` end in bounded time.
 *
 * @throws {ArgumentError} when an address is none
 */
export function register(params: RegisterParams = {}): NodeTracerProvider {
  setDiagLogLevel(params);
  const provider = new NodeTracerProvider({ resource: createResource(params), spanProcessors: toProcessors(params) });
  return start(provider, params);
}

/** Also used where an environment cannot wait: the promise of the packages that `autoInstrument` has instrumented. */
export const instrumentationsOf = new WeakMap<NodeTracerProvider, Promise<string[]>>();

function start(provider: NodeTracerProvider, params: RegisterParams): NodeTracerProvider {
  const { global = true, instrumentations, autoInstrument: auto = false } = params;
  if (global) {
    const { detach } = attachGlobalTracerProvider(provider);
    const shutdown = provider.shutdown.bind(provider);
    provider.shutdown = () => shutdown().finally(detach);
  }
  if (instrumentations) registerInstrumentations({ instrumentations, tracerProvider: provider });
  if (auto !== false) instrumentationsOf.set(provider, autoInstrument(provider, auto));
  return provider;
}

/** A provider whose spans go nowhere. */
export const createNoOpProvider = (): NodeTracerProvider => new NodeTracerProvider({ spanProcessors: [] });
