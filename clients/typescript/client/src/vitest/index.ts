import * as vitest from 'vitest';
import { bindRunner } from '../test-runner/bind-runner.ts';

export * from '../test-runner/test-api.ts';
export const { describe, test, it } = bindRunner(() => vitest);
