import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runAnnotationCrashRounds } from './crash/annotation-rounds.ts';

const ROUND_COUNT = 3;

describe('annotations of a server that is killed', () => {
  test(`are stored exactly once after ${ROUND_COUNT} rounds, except deleted ones`, {
    timeout: 180_000,
  }, async () => {
    const { acknowledgedCount, deletedCount } = await runAnnotationCrashRounds(ROUND_COUNT);

    assert.ok(acknowledgedCount > 100, `only ${acknowledgedCount} were acknowledged`);
    assert.ok(deletedCount > 0);
  });
});
