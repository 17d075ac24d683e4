import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PairedDifference } from '../../../../src/domain/experiments/comparison/statistics/paired-difference.ts';
import { type SentenceMeasure, toSentence } from '../../../../src/domain/experiments/comparison/statistics/sentence.ts';

const CORRECTNESS: SentenceMeasure = { name: 'correctness', kind: 'SCORE', direction: 1, isShare: true };
const BETTER: PairedDifference = {
  ...{ count: 200, mean: 0.041, low: 0.012, high: 0.07, method: 'BOOTSTRAP', pValue: null },
  ...{ wins: 60, losses: 20, ties: 120, verdict: 'BETTER', countNeeded: null },
};
const SLOWER: PairedDifference = { ...BETTER, mean: 3_000, low: 2_100, high: 3_900, verdict: 'WORSE' };

describe('the sentence about a difference', () => {
  test('names the direction, the size, its interval and n, and the latency', () => {
    assert.equal(
      toSentence(CORRECTNESS, BETTER, SLOWER),
      'better on correctness by 4.1 points (1.2 to 7.0), n = 200; 3.0 s slower',
    );
    const worse: PairedDifference = { ...BETTER, mean: -0.041, low: -0.07, high: -0.012, verdict: 'WORSE' };
    assert.equal(toSentence(CORRECTNESS, worse), 'worse on correctness by 4.1 points (1.2 to 7.0), n = 200');
  });

  test('of a measure whose lower values are better says better for a decrease', () => {
    const toxicity: SentenceMeasure = { ...CORRECTNESS, name: 'toxicity', direction: -1 };
    const less: PairedDifference = { ...BETTER, mean: -0.041, low: -0.07, high: -0.012 };
    assert.equal(toSentence(toxicity, less), 'better on toxicity by 4.1 points (1.2 to 7.0), n = 200');
  });

  test('of a measure without a direction says higher or lower', () => {
    const length: SentenceMeasure = { name: 'length', kind: 'SCORE', direction: 0, isShare: false };
    const more: PairedDifference = { ...BETTER, mean: 12, low: 3, high: 21, verdict: 'UNCLEAR' };
    assert.equal(toSentence(length, more), 'higher on length by 12 (3.0 to 21), n = 200');
  });

  test('says that a difference is unclear, and how many examples would tell', () => {
    const unclear: PairedDifference = {
      ...{ ...BETTER, count: 1_050, mean: -0.012, low: -0.028, high: 0.004 },
      ...{ verdict: 'UNCLEAR', countNeeded: 2_345 },
    };
    assert.equal(
      toSentence(CORRECTNESS, unclear, SLOWER),
      'no clear difference on correctness: −1.2 points (−2.8 to 0.40), n = 1,050; about 2,400 examples would tell; 3.0 s slower',
    );
    assert.match(toSentence(CORRECTNESS, { ...unclear, countNeeded: 9_000_000 }), /no practical number of examples/);
    assert.equal(
      toSentence(CORRECTNESS, { ...unclear, count: 40, ties: 40, mean: 0, low: 0, high: 0 }),
      'no difference on correctness, n = 40',
    );
  });

  test('has the units of latency, tokens, cost and errors', () => {
    const of = (kind: SentenceMeasure['kind'], mean: number, low: number, high: number) =>
      toSentence({ name: kind, kind, direction: -1, isShare: kind === 'ERROR_RATE' }, { ...BETTER, mean, low, high });
    assert.equal(of('LATENCY', -250, -300, -200), '250 ms faster (200 to 300), n = 200');
    assert.equal(of('LATENCY', 1_000, 900, 1_100), '1.0 s slower (0.90 to 1.1), n = 200');
    assert.equal(of('TOKENS', 1_234, 1_000, 1_500), '1,234 more tokens per run (1,000 to 1,500), n = 200');
    assert.equal(of('COST', -0.00123, -0.002, -0.0005), '$0.0012 less per run ($0.00050 to $0.0020), n = 200');
    assert.equal(of('ERROR_RATE', 0.02, 0.005, 0.04), '2.0 points more errors (0.50 to 4.0), n = 200');
  });

  test('of too few values says so', () => {
    assert.match(toSentence(CORRECTNESS, { ...BETTER, count: 0, mean: null }), /no example has a value/);
    assert.equal(
      toSentence(CORRECTNESS, { ...BETTER, count: 5, low: null, high: null }),
      'too few examples to compare correctness: n = 5, at least 6 are needed',
    );
  });
});
