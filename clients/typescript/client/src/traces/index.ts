export * from './traces.ts';
