import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, test } from 'node:test';
import { runCrashRounds } from './crash/crash-rounds.ts';

describe('a server that is killed with its Postgres', () => {
  test('has everything that it acknowledged exactly once', { timeout: 300_000 }, async (t) => {
    const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
    t.diagnostic(`CRASH_SEED=${seed}`);

    const summary = await runCrashRounds({ roundCount: 1, seed, report: (line) => t.diagnostic(line) });

    assert.ok(summary.acknowledgedSpanCount > 100, `only ${summary.acknowledgedSpanCount} spans were acknowledged`);
    assert.equal(summary.killCount, 1);
  });
});
