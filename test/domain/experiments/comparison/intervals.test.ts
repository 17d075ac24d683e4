import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  bootstrapInterval,
  type Interval,
  pairedShareInterval,
  studentInterval,
  wilsonInterval,
} from '../../../../src/domain/experiments/comparison/statistics/intervals.ts';
import { momentsOf } from '../../../../src/domain/experiments/comparison/statistics/moments.ts';
import { randomIndices } from '../../../../src/domain/experiments/comparison/statistics/random.ts';

/** Additional hours of sleep of ten patients, of one drug over the other (Student, Biometrika 1908). */
const SLEEP = Float64Array.of(1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4);

const near = (interval: Interval | undefined, low: number, high: number, tolerance: number) => {
  assert.ok(interval);
  assert.ok(Math.abs(interval.low - low) <= tolerance, `low ${interval.low} is not ${low}`);
  assert.ok(Math.abs(interval.high - high) <= tolerance, `high ${interval.high} is not ${high}`);
};

describe('intervals', () => {
  test('of a mean: the paired differences of Student (1908)', () => {
    // The result of `t.test(extra ~ group, data = sleep, paired = TRUE)` in the manual of R.
    near(studentInterval(momentsOf(SLEEP)), 0.7001142, 2.4598858, 1e-6);
    assert.equal(studentInterval(momentsOf(Float64Array.of(1))), undefined);
  });

  test('of a share: table I of Newcombe, Statistics in Medicine 1998', () => {
    near(wilsonInterval(81, 263), 0.2553, 0.3662, 5e-5);
    near(wilsonInterval(15, 148), 0.0624, 0.1605, 5e-5);
    near(wilsonInterval(0, 20), 0, 0.1611, 5e-5);
    near(wilsonInterval(1, 29), 0.0061, 0.1718, 5e-5);
    near(wilsonInterval(20, 20), 1 - 0.1611, 1, 5e-5);
    assert.equal(wilsonInterval(0, 0), undefined);
  });

  test('of a difference of paired shares: two surveys of one sample (Agresti, Categorical Data Analysis, table 10.1)', () => {
    // 944 of 1,600 approve at first and 880 later; 150 and 86 change their mind. Wald: 0.04 ± 1.96 × 0.0095.
    near(pairedShareInterval(150, 86, 1_600), 0.04 - 1.96 * 0.0095, 0.04 + 1.96 * 0.0095, 5e-4);
    const none = pairedShareInterval(0, 0, 10);
    assert.ok(none && none.low < 0 && none.high > 0);
    assert.equal(pairedShareInterval(0, 0, 0), undefined);
  });

  test('of the bootstrap: equal for the same seed, and different for another one', () => {
    const interval = bootstrapInterval(SLEEP, 'a', 2_000);
    assert.deepEqual(bootstrapInterval(SLEEP, 'a', 2_000), interval);
    assert.notDeepEqual(bootstrapInterval(SLEEP, 'b', 2_000), interval);
  });

  test('of the bootstrap: as the plain definition computes it, with many samples', () => {
    // A slow model with its own random numbers: percentiles of all means, corrected as Efron (1987) defines it.
    const model = plainBootstrap(SLEEP, 200_000);
    near(bootstrapInterval(SLEEP, 'model', 50_000), model.low, model.high, 0.03);
    // The outlier of 4.6 hours extends the interval upwards.
    assert.ok(model.high - 1.58 > 1.58 - model.low);
  });

  test('of the bootstrap: a constant is its own interval, and one value has none', () => {
    assert.deepEqual(bootstrapInterval(Float64Array.of(2, 2, 2), '', 100), { low: 2, high: 2 });
    assert.equal(bootstrapInterval(Float64Array.of(2), '', 100), undefined);
  });

  test('random indices are evenly distributed and depend on the seed', () => {
    const random = randomIndices('even');
    const counts = new Array<number>(10).fill(0);
    for (let draw = 0; draw < 100_000; draw++) counts[random(10)]!++;
    // Chi-square with 9 degrees of freedom exceeds 27.9 in one of 1,000 seeds.
    assert.ok(counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0) < 27.9);
    const first = (seed: string) =>
      Array.from(
        { length: 5 },
        (
          (next) => () =>
            next(1_000)
        )(randomIndices(seed)),
      );
    assert.notDeepEqual(first('1:2'), first('1:3'));
  });
});

function plainBootstrap(values: Float64Array, replicateCount: number): Interval {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  let state = 12_345;
  const uniform = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const means = Array.from({ length: replicateCount }, () => {
    let sum = 0;
    for (let draw = 0; draw < n; draw++) sum += values[Math.floor(uniform() * n)]!;
    return sum / n;
  }).sort((a, b) => a - b);
  // The jackknife, literally.
  const jackknife = Array.from(values, (value) => (mean * n - value) / (n - 1));
  const center = jackknife.reduce((sum, value) => sum + value, 0) / n;
  const acceleration =
    jackknife.reduce((sum, value) => sum + (center - value) ** 3, 0) /
    (6 * jackknife.reduce((sum, value) => sum + (center - value) ** 2, 0) ** 1.5);
  const below =
    (means.filter((one) => one < mean).length + means.filter((one) => one === mean).length / 2) / means.length;
  const bias = quantileByTable(below);
  // 2.262 is the quantile of t with 9 degrees of freedom.
  const [low, high] = [-1, 1].map((sign) => {
    const z = bias + sign * 2.262157 * Math.sqrt(n / (n - 1));
    return means[Math.round(cdfBySum(bias + z / (1 - acceleration * z)) * (replicateCount - 1))]!;
  });
  return { low: low!, high: high! };
}

/** The normal distribution, summed in small steps. */
function cdfBySum(z: number): number {
  const step = 1e-3;
  let sum = 0;
  for (let x = -8; x < z; x += step) sum += (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * step;
  return sum;
}

function quantileByTable(p: number): number {
  let [low, high] = [-6, 6];
  while (high - low > 1e-4) {
    const middle = (low + high) / 2;
    if (cdfBySum(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
