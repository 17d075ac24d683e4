import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, test } from 'node:test';
import { runJobCrashRounds } from './job-rounds.ts';

const ROUND_COUNT = Number(process.env.JOB_CRASH_ROUNDS ?? 3);

describe('a job of an experiment whose server is killed', () => {
  test(`ends with every run, trace and evaluation once, over ${ROUND_COUNT} rounds on one directory`, {
    timeout: ROUND_COUNT * 120_000,
  }, async (t) => {
    const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
    t.diagnostic(`CRASH_SEED=${seed}`);

    const summary = await runJobCrashRounds({ roundCount: ROUND_COUNT, seed, report: (line) => t.diagnostic(line) });

    assert.ok(summary.killCount >= ROUND_COUNT);
    t.diagnostic(`running again within ${Math.round(summary.resumeMsMax)} ms of readiness`);
  });
});
