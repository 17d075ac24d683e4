// vitest is an optional peer, so the package compiles without it.
declare module 'vitest' {
  import type { Runner } from '../test-runner/runner.ts';

  export const describe: Runner['describe'];
  export const test: Runner['test'];
  export const beforeAll: Runner['beforeAll'];
  export const afterAll: Runner['afterAll'];
}
