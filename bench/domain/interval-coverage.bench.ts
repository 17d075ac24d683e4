/**
 * How often do the 95 % intervals of a comparison contain the true difference? Samples are drawn from distributions whose
 * mean is known, by a fixed seed. The plain percentiles of the bootstrap are the baseline. `ROUNDS` sets the number of
 * samples per cell; the share varies by ± 1.4 points for 1,000.
 */
import { BOOTSTRAP_COUNT_MAX } from '../../src/model/limits/comparisons.ts';
import { normalQuantile } from '../../src/domain/experiments/comparison/statistics/distributions.ts';
import {
  bootstrapInterval,
  type Interval,
  pairedShareInterval,
  studentInterval,
  wilsonInterval,
} from '../../src/domain/experiments/comparison/statistics/intervals.ts';
import { momentsOf } from '../../src/domain/experiments/comparison/statistics/moments.ts';
import { describeDifference } from '../../src/domain/experiments/comparison/statistics/paired-difference.ts';
import { randomIndices } from '../../src/domain/experiments/comparison/statistics/random.ts';
import { isSmoke, printTable, size } from '../whole-server/measure.ts';

const ROUND_COUNT = size('ROUNDS', { smoke: 20, full: 1_000 });
const COUNTS = isSmoke ? [10] : [6, 10, 20, 50, 200, 500];
const REPLICATE_COUNT = 2_000;

interface Distribution {
  readonly what: string;
  readonly mean: number;
  draw(uniform: () => number): number;
}

const normal = (uniform: () => number): number => normalQuantile(uniform());

/** Differences of one example, as scores, latencies and costs have them. */
const DIFFERENCES: readonly Distribution[] = [
  { what: 'normal', mean: 0.3, draw: (uniform) => 0.3 + normal(uniform) },
  {
    what: 'scores of 0, 0.25, … 1: differences in steps',
    mean: 0.05,
    draw: (uniform) => (Math.floor(uniform() * 5) - Math.floor(uniform() * 5)) / 4 + 0.05,
  },
  {
    what: 'most examples equal, few change a lot',
    mean: 0.06,
    draw: (uniform) => (uniform() < 0.8 ? 0 : uniform() < 0.65 ? 1 : -1),
  },
  {
    what: 'latency: difference of two log-normal values',
    mean: 0,
    draw: (uniform) => Math.exp(normal(uniform) * 0.8) - Math.exp(normal(uniform) * 0.8),
  },
  { what: 'cost: log-normal, skewed', mean: Math.exp(0.5), draw: (uniform) => Math.exp(normal(uniform)) },
];

/** Shares of yes/no pairs that change from no to yes, and from yes to no. */
const SHARES: readonly (readonly [up: number, down: number])[] = [
  [0.1, 0.1],
  [0.15, 0.05],
  [0.3, 0.02],
  [0.02, 0.01],
];

function coverage(seed: string, draw: (uniform: () => number) => Interval | undefined, mean: number): number {
  const random = randomIndices(seed);
  const uniform = () => (random(2 ** 31) + 0.5) / 2 ** 31;
  let hits = 0;
  for (let round = 0; round < ROUND_COUNT; round++) {
    const interval = draw(uniform);
    if (interval && interval.low <= mean && mean <= interval.high) hits++;
  }
  return hits / ROUND_COUNT;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function plainPercentiles(values: Float64Array, seed: string): Interval {
  const random = randomIndices(seed);
  const means = Float64Array.from({ length: REPLICATE_COUNT }, () => {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw++) sum += values[random(values.length)]!;
    return sum / values.length;
  }).sort();
  return { low: means[REPLICATE_COUNT * 0.025]!, high: means[REPLICATE_COUNT * 0.975 - 1]! };
}

for (const { what, mean, draw } of DIFFERENCES) {
  const rows = COUNTS.map((count) => {
    const sample = (uniform: () => number) => Float64Array.from({ length: count }, () => draw(uniform));
    const seed = `${what} ${count}`;
    return {
      n: String(count),
      'plain percentiles': percent(coverage(seed, (uniform) => plainPercentiles(sample(uniform), seed), mean)),
      'as used': percent(
        coverage(
          seed,
          (uniform) => {
            const options = { direction: 1, isBinary: false, seed, bootstrapCountMax: BOOTSTRAP_COUNT_MAX } as const;
            const { low, high } = describeDifference(sample(uniform), options);
            return low === null || high === null ? undefined : { low, high };
          },
          mean,
        ),
      ),
      bootstrap: percent(coverage(seed, (uniform) => bootstrapInterval(sample(uniform), seed, REPLICATE_COUNT), mean)),
      normal: percent(coverage(seed, (uniform) => studentInterval(momentsOf(sample(uniform))), mean)),
    };
  });
  printTable(`Coverage of 95 % intervals: ${what}`, rows);
}

const shareRows = SHARES.flatMap(([up, down]) =>
  COUNTS.map((count) => {
    let clear = 0;
    const covered = coverage(
      `${up} ${down} ${count}`,
      (uniform) => {
        let wins = 0;
        let losses = 0;
        for (let pair = 0; pair < count; pair++) {
          const value = uniform();
          if (value < up) wins++;
          else if (value < up + down) losses++;
        }
        const differences = new Float64Array(count).fill(1, 0, wins).fill(-1, wins, wins + losses);
        const options = { direction: 1, isBinary: true, seed: '', bootstrapCountMax: 0 } as const;
        if (describeDifference(differences, options).verdict !== 'UNCLEAR') clear++;
        return pairedShareInterval(wins, losses, count);
      },
      up - down,
    );
    return {
      'yes/no pairs, better and worse': `${percent(up)}, ${percent(down)}`,
      n: String(count),
      coverage: percent(covered),
      'clear verdicts': percent(clear / ROUND_COUNT),
    };
  }),
);
printTable('Coverage of the paired difference of shares, and how often it is called clear', shareRows);

const wilsonRows = [0.02, 0.2, 0.5].flatMap((share) =>
  COUNTS.map((count) => ({
    share: percent(share),
    n: String(count),
    coverage: percent(
      coverage(
        `${share} ${count}`,
        (uniform) => {
          let successes = 0;
          for (let trial = 0; trial < count; trial++) if (uniform() < share) successes++;
          return wilsonInterval(successes, count);
        },
        share,
      ),
    ),
  })),
);
printTable('Coverage of the interval of a share', wilsonRows);

const timeRows = COUNTS.map((count) => {
  const values = Float64Array.from({ length: count }, (_, index) => Math.sin(index));
  const startedAt = performance.now();
  const rounds = isSmoke ? 1 : 20;
  for (let round = 0; round < rounds; round++) bootstrapInterval(values, String(round), REPLICATE_COUNT);
  return { n: String(count), 'one bootstrap': `${((performance.now() - startedAt) / rounds).toFixed(1)} ms` };
});
printTable('Time of a bootstrap', timeRows);
