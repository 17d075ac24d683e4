export type { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
export { autoInstrument } from './register/auto-instrument.ts';
export { createNoOpProvider, register } from './register/register-node.ts';
export * from './shared.ts';
