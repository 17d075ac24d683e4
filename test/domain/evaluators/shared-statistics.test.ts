import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agreementOfLabels } from '../../../src/domain/evaluators/agreement/agreement-measures.ts';
import { isInHeldOutPart } from '../../../src/domain/evaluators/calibration/find-labelled-targets.ts';
import { kappaInterval, shareInterval } from '../../../src/domain/evaluators/calibration/kappa-interval.ts';
import { measureCalibration } from '../../../src/domain/evaluators/calibration/measure-calibration.ts';
import {
  bootstrapInterval,
  pairedShareInterval,
  wilsonInterval,
} from '../../../src/domain/experiments/comparison/statistics/intervals.ts';
import { describeDifference } from '../../../src/domain/experiments/comparison/statistics/paired-difference.ts';
import { randomIndices } from '../../../src/domain/experiments/comparison/statistics/random.ts';
import { assertClose, checkCases, readCases } from '../../clients/evaluations/shared-cases.ts';

const DIRECTIONS = { maximize: 1, minimize: -1, neutral: 0 } as const;

test('the server computes the numbers of the libraries where it computes the same', async () => {
  const options = { language: 'server', isPart: true };
  const count = await checkCases(
    'statistics.json',
    {
      wilsonInterval: ({ successes, count }) => wilsonInterval(successes, count),
      pairedShareInterval: ({ wins, losses, count }) => pairedShareInterval(wins, losses, count),
      bootstrapInterval: ({ values, seed, replicates }) =>
        bootstrapInterval(Float64Array.from(values), String(seed), replicates),
      cohenKappa({ pairs }) {
        const agreement = agreementOfLabels(pairs);
        return { ...agreement, ...kappaInterval(pairs), agreed: agreement?.agreedCount ?? 0, count: pairs.length };
      },
      describeDifference({ differences, direction, isBinary = false, seed, bootstrapCountMax = 2_000 }) {
        const direct = DIRECTIONS[direction as keyof typeof DIRECTIONS];
        const settings = { direction: direct, isBinary, seed: String(seed), bootstrapCountMax };
        const difference = describeDifference(Float64Array.from(differences), settings);
        return {
          ...difference,
          method: difference.method.toLowerCase(),
          verdict: difference.verdict.toLowerCase(),
        };
      },
      // The part for people's reading is the library's; the held-out part is the server's too.
      splitOf({ key, heldOut = 0.5, examples = 0.2 }) {
        if (isInHeldOutPart(key, heldOut)) return 'held_out';
        return isInHeldOutPart(key, 1 - examples) ? 'tuning' : 'examples';
      },
    },
    options,
  );

  assert.ok(count >= 30);
});

test('the server draws the random numbers of the libraries', () => {
  for (const { function: name, arguments: given, expected } of readCases('statistics.json')) {
    if (name !== 'randomFloats') continue;
    const draw = randomIndices(String(given.seed));
    const numbers = (expected as number[]).map(() => draw(4_294_967_296) / 4_294_967_296);

    assertClose(numbers, expected, 'randomFloats');
  }
});

test('a calibration of the server measures labels as the libraries do', () => {
  let count = 0;
  for (const { function: name, arguments: given, expected } of readCases('statistics.json')) {
    if (name !== 'labelQuality') continue;
    const pairs = given.pairs as readonly (readonly [string, string])[];
    const items = pairs.map(([human, judge]) => ({
      human: { label: human, score: null },
      evaluated: { judge: { label: judge, score: null, explanation: null }, hasError: false },
    }));
    const positive = String(given.positive);
    const quality = expected as Record<'precision' | 'recall' | 'f1' | 'accuracy', { value: number | null }>;

    const measures = measureCalibration(items, [positive]).labels;

    const found = measures?.labels.find(({ label }) => label === positive);
    assert.deepEqual(
      [found?.precision ?? null, found?.recall ?? null],
      [quality.precision.value, quality.recall.value],
    );
    assertClose(found?.f1 ?? null, quality.f1.value, 'f1');
    if (new Set(pairs.flat()).size <= 2 && measures) {
      const { value: _, ...interval } = quality.accuracy;
      assertClose(shareInterval(measures.agreedCount, measures.count), interval, 'share');
    }
    count++;
  }

  assert.ok(count >= 3);
});
