import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareSystems } from '../../../clients/typescript/evals/src/calibration/compare-systems.ts';
import { correctedRate } from '../../../clients/typescript/evals/src/calibration/corrected-rate.ts';
import { splitOf } from '../../../clients/typescript/evals/src/calibration/split.ts';
import * as statistics from '../../../clients/typescript/evals/src/statistics/index.ts';
import { randomStudy } from './random-study.ts';
import { checkCases } from './shared-cases.ts';

describe('statistics of judges', () => {
  test('give the numbers of the shared cases', async () => {
    const count = await checkCases('statistics.json', {
      wilsonInterval: ({ successes, count }) => statistics.wilsonInterval(successes, count),
      jeffreysInterval: ({ successes, count }) => statistics.jeffreysInterval(successes, count),
      pairedShareInterval: ({ wins, losses, count }) => statistics.pairedShareInterval(wins, losses, count),
      randomFloats({ seed, count }) {
        const random = statistics.seededRandom(seed);
        return Array.from({ length: count }, () => random.next());
      },
      bootstrapInterval: ({ values, ...options }) => statistics.bootstrapInterval(values, options),
      confusionMatrix: ({ pairs, labels }) => statistics.confusionMatrix(pairs, labels),
      labelQuality: ({ pairs, positive }) => statistics.labelQuality(pairs, positive),
      cohenKappa: ({ pairs }) => statistics.cohenKappa(pairs),
      weightedKappa: ({ pairs, order, ...options }) => statistics.weightedKappa(pairs, order, options),
      krippendorffAlpha: ({ units, ...options }) => statistics.krippendorffAlpha(units, options),
      peopleAgreement: ({ units, ...options }) => statistics.peopleAgreement(units, options),
      labelsToHalve: ({ share, count }) => statistics.labelsToHalve(share, count),
      splitOf: ({ key, ...shares }) => splitOf(key, shares),
      correctedRate: ({ positives, count, calibration, method }) =>
        correctedRate({ positives, count }, calibration, { method }),
      describeDifference: ({ differences, ...options }) => statistics.describeDifference(differences, options),
      compareSystems: ({ rows, ...options }) => compareSystems(rows, options),
    });

    assert.ok(count > 80);
  });

  test('are those of Python for random inputs', async () => {
    const count = await checkCases('random-statistics.json', { randomStudy: ({ seed }) => randomStudy(seed) });

    assert.ok(count >= 40);
  });

  test('reject what cannot be computed, and say what to do', () => {
    const errors = { truePositives: 6, falseNegatives: 5, trueNegatives: 6, falsePositives: 5 };
    const judged = { positives: 30, count: 100 };

    assert.throws(
      () => correctedRate(judged, errors),
      /not clearly better than chance.*Improve the judge, label more rows/,
    );
    assert.throws(
      () => correctedRate(judged, { ...errors, truePositives: 0, falseNegatives: 0 }),
      /People gave no positive label/,
    );
    assert.throws(
      () => correctedRate(judged, { ...errors, truePositives: 0.5 }),
      /number of items from 0 as truePositives/,
    );
    assert.throws(() => compareSystems([{ a: Number.NaN, b: 1 }]), /finite scores, received NaN and 1/);
    assert.throws(() => compareSystems([{ a: 0.5, b: 1 }], { calibration: errors }), /scores of 0 and 1/);
    assert.throws(() => statistics.weightedKappa([['low', 'mid']], ['low', 'high']), /order low, high, received mid/);
    assert.throws(
      () => statistics.krippendorffAlpha([['x', 'y']], { level: 'interval' }),
      /finite numbers for the level interval/,
    );
    assert.throws(() => statistics.bootstrapStatistic(1e7, () => 1), /Use fewer replicates/);
  });

  test('correct p-values by Holm, in the order of the tests', () => {
    assert.deepEqual(statistics.holmCorrection([0.04, 0.01, 0.03]), [0.06, 0.03, 0.06]);
    assert.deepEqual(statistics.holmCorrection([]), []);
  });
});
