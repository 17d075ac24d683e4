import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  halfBinomialCdf,
  incompleteBeta,
  logGamma,
  normalCdf,
  normalQuantile,
  tCdf,
  tQuantile,
} from '../../../../src/domain/experiments/comparison/statistics/distributions.ts';

const near = (actual: number, expected: number, tolerance = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

describe('distributions', () => {
  test('the normal distribution has the values of printed tables', () => {
    near(normalCdf(0), 0.5);
    near(normalCdf(1), 0.8413447460685429, 1e-12);
    near(normalCdf(-1.96), 0.024997895148220435, 1e-12);
    near(normalCdf(5), 0.9999997133484281, 1e-12);
    near(normalQuantile(0.975), 1.959963984540054, 1e-12);
    for (const p of [1e-9, 0.001, 0.02, 0.3, 0.5, 0.9, 0.999999]) near(normalCdf(normalQuantile(p)), p, 1e-12);
  });

  test("Student's t distribution has the values of printed tables", () => {
    // Fisher and Yates, Statistical Tables, table III.
    near(tQuantile(0.975, 1), 12.706, 5e-4);
    near(tQuantile(0.975, 4), 2.776, 5e-4);
    near(tQuantile(0.975, 9), 2.262, 5e-4);
    near(tQuantile(0.975, 30), 2.042, 5e-4);
    near(tQuantile(0.975, 120), 1.98, 5e-4);
    near(tQuantile(0.025, 9), -2.262, 5e-4);
    for (const t of [-3, -0.5, 0.1, 2]) near(tQuantile(tCdf(t, 7), 7), t, 1e-9);
  });

  test('the beta and gamma functions agree with their closed forms', () => {
    near(logGamma(5), Math.log(24), 1e-12);
    near(logGamma(0.5), Math.log(Math.sqrt(Math.PI)), 1e-12);
    near(incompleteBeta(0.3, 1, 1), 0.3, 1e-12);
    near(incompleteBeta(0.3, 2, 1), 0.09, 1e-12);
    near(incompleteBeta(0.9, 1, 3), 1 - 0.001, 1e-12);
  });

  test('the binomial distribution is the sum of its terms', () => {
    for (const count of [1, 2, 7, 20, 60]) {
      let term = 0.5 ** count;
      let sum = 0;
      for (let successes = 0; successes <= count; successes++) {
        sum += term;
        near(halfBinomialCdf(successes, count), sum, 1e-12);
        term *= (count - successes) / (successes + 1);
      }
    }
  });
});
