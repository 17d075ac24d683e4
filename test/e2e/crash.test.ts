import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, test } from 'node:test';
import { runCrashRounds } from './crash/crash-rounds.ts';

const ROUND_COUNT = 4;

describe('a server whose process, Postgres, or both are killed', () => {
  test(`has everything that it acknowledged exactly once, over ${ROUND_COUNT} rounds on one directory`, {
    timeout: 600_000,
  }, async (t) => {
    const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
    t.diagnostic(`CRASH_SEED=${seed}`);

    const summary = await runCrashRounds({ roundCount: ROUND_COUNT, seed, report: (line) => t.diagnostic(line) });

    assert.ok(summary.acknowledgedSpanCount > 1_000, `only ${summary.acknowledgedSpanCount} spans were acknowledged`);
    assert.ok(
      summary.acknowledgedRowCount > 2 * ROUND_COUNT,
      `only ${summary.acknowledgedRowCount} rows were acknowledged`,
    );
    assert.ok(summary.killCount >= ROUND_COUNT / 2);
  });
});
