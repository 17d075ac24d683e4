import { stratifiedDifference } from '../../../clients/typescript/evals/src/bias/stratified-difference.ts';
import { compareSystems } from '../../../clients/typescript/evals/src/calibration/compare-systems.ts';
import { correctedRate } from '../../../clients/typescript/evals/src/calibration/corrected-rate.ts';
import * as statistics from '../../../clients/typescript/evals/src/statistics/index.ts';

const LABELS = ['a', 'b', 'c'] as const;
const REPLICATES = 40;

/**
 * Statistics of inputs that follow from a seed. Python computes the same study from the same random numbers
 * (clients/python/evals/tests/random_study.py), so the order of the draws is fixed.
 */
export function randomStudy(seed: string) {
  const random = statistics.seededRandom(seed);
  const label = () => LABELS[random.below(3)] as string;
  const pairs = Array.from({ length: 5 + random.below(60) }, (): [string, string] => {
    const human = label();
    return [human, random.next() < 0.6 ? human : label()];
  });
  const units = Array.from({ length: 4 + random.below(20) }, () =>
    Array.from({ length: 3 }, () => (random.next() < 0.2 ? null : random.below(4))),
  );
  const values = Array.from({ length: 2 + random.below(30) }, () => random.below(200) / 10 - 8);
  const rows = Array.from({ length: 8 + random.below(40) }, () => {
    const [a, b] = [random.below(2), random.below(2)];
    return { a, b, session: `s${random.below(12)}` };
  });
  const count = 1 + random.below(900);
  const positives = random.below(count + 1);
  const calibration = {
    truePositives: 10 + random.below(90),
    falseNegatives: random.below(10),
    trueNegatives: 10 + random.below(90),
    falsePositives: random.below(10),
  };
  const verdicts = Array.from({ length: random.below(80) }, () => ({
    ...{ stratum: label(), isExposed: random.next() < 0.5, positiveShare: random.below(3) / 2 },
  }));
  const [ups, downs] = [random.below(40), random.below(40)];
  const options = { seed, replicates: REPLICATES };
  return {
    quality: statistics.labelQuality(pairs, 'a'),
    kappa: statistics.cohenKappa(pairs),
    weightedKappa: statistics.weightedKappa(pairs, LABELS, { ...options, weights: 'quadratic' }),
    alpha: statistics.krippendorffAlpha(units, { ...options, level: 'ordinal' }),
    bootstrap: statistics.bootstrapInterval(values, options),
    plain: compareSystems(rows.map(({ a, b }) => ({ a, b }))).difference,
    clustered: compareSystems(rows, { calibration }),
    roganGladen: correctedRate({ positives, count }, calibration),
    predictionPowered: correctedRate({ positives, count }, calibration, { method: 'prediction_powered' }),
    bias: stratifiedDifference(verdicts),
    midP: statistics.midPSignTest(ups, downs),
  };
}
