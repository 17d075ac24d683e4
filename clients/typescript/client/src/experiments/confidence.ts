/** Bounds between which a true value is with the stated confidence. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Mean of at least one value. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Interval of a mean by Student's t, for at least two values. Equal values have an interval without width. */
export function meanInterval(values: readonly number[], confidence: number): Interval {
  const count = values.length;
  const center = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (count - 1);
  const margin = tQuantile(1 - (1 - confidence) / 2, count - 1) * Math.sqrt(variance / count);
  return { low: center - margin, high: center + margin };
}

/** Interval of a rate by Wilson's score, for at least one try. It has a width also when all tries agree. */
export function rateInterval(successCount: number, count: number, confidence: number): Interval {
  const z = normalQuantile(1 - (1 - confidence) / 2);
  const rate = successCount / count;
  const center = rate + z ** 2 / (2 * count);
  const margin = z * Math.sqrt((rate * (1 - rate)) / count + z ** 2 / (4 * count ** 2));
  const scale = 1 + z ** 2 / count;
  return {
    low: successCount <= 0 ? 0 : (center - margin) / scale,
    high: successCount >= count ? 1 : (center + margin) / scale,
  };
}

/** The quantile of the standard normal distribution, by bisection of its distribution function. */
export function normalQuantile(probability: number): number {
  let low = -40;
  let high = 40;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (normalDistribution(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** By the series of the error function for small values and its continued fraction for others. */
function normalDistribution(x: number): number {
  if (x < 0) return 1 - normalDistribution(-x);
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x < 3) {
    let term = x;
    let sum = x;
    for (let k = 1; k < 200; k++) {
      term *= (x * x) / (2 * k + 1);
      sum += term;
    }
    return 0.5 + density * sum;
  }
  let fraction = x;
  for (let k = 100; k > 0; k--) fraction = x + k / fraction;
  return 1 - density / fraction;
}

/** The quantile of Student's t distribution, found by bisection of its distribution function. */
export function tQuantile(probability: number, freedom: number): number {
  let low = 0;
  let high = 1;
  while (tDistribution(high, freedom) < probability && high < 1e9) high *= 2;
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2;
    if (tDistribution(middle, freedom) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Probability of a value up to `t`, for `t` from 0. */
const tDistribution = (t: number, freedom: number): number =>
  1 - incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;

/** The regularized incomplete beta function, by its continued fraction (Lentz). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a;
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 300; m++) {
    for (const term of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / (1 + term * d);
      c = 1 + term / c;
      fraction *= c * d;
    }
    if (Math.abs(c * d - 1) < 1e-12) break;
  }
  return front * fraction;
}

/** Stirling's series after a shift above 10. */
function logGamma(value: number): number {
  let x = value;
  let shift = 0;
  for (; x < 10; x++) shift += Math.log(x);
  const inverse = 1 / (x * x);
  return (
    (x - 0.5) * Math.log(x) -
    x +
    0.5 * Math.log(2 * Math.PI) +
    (1 / 12 - inverse * (1 / 360 - inverse / 1260)) / x -
    shift
  );
}
