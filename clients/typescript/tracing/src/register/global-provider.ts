import { context, propagation, trace } from '@opentelemetry/api';

/** What the global registration needs of a provider. */
interface Registrable {
  register(): void;
}

export interface GlobalTracerProviderRegistration {
  /** Makes the process one without tracing again, if the provider is still the attached one. */
  readonly detach: () => void;
}

let attached: Registrable | undefined;

/** Makes a provider that of the process, with context and W3C propagation, in place of an earlier one. */
export function attachGlobalTracerProvider(provider: Registrable): GlobalTracerProviderRegistration {
  detachGlobalTracerProvider();
  provider.register();
  attached = provider;
  return {
    detach: () => {
      if (attached === provider) detachGlobalTracerProvider();
    },
  };
}

/** Removes the provider, context and propagation of the process. */
export function detachGlobalTracerProvider(): void {
  trace.disable();
  context.disable();
  propagation.disable();
  attached = undefined;
}
