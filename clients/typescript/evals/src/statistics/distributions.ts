/** Quantile of the standard normal distribution that leaves 2.5 % above it. */
export const Z_95 = 1.959963984540054;

/** Probability that a standard normal value is at most z. */
export const normalCdf = (z: number): number => {
  const tail = 0.5 * regularizedGammaQ(z * z * 0.5);
  return z < 0 ? tail : 1 - tail;
};

/** Inverse of `normalCdf`: Acklam's rational approximation with one step of Halley's method. */
export function normalQuantile(p: number): number {
  if (p <= 0) return Number.NEGATIVE_INFINITY;
  if (p >= 1) return Number.POSITIVE_INFINITY;
  const start = approximateQuantile(p);
  const error = (normalCdf(start) - p) * Math.sqrt(2 * Math.PI) * Math.exp((start * start) / 2);
  return start - error / (1 + (start * error) / 2);
}

const A = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
];
const B = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1];
const C = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const D = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1];
const TAIL = 0.02425;

function approximateQuantile(p: number): number {
  if (p > 1 - TAIL) return -approximateQuantile(1 - p);
  if (p < TAIL) {
    const q = Math.sqrt(-2 * Math.log(p));
    return polynomial(C, q) / polynomial(D, q);
  }
  const q = p - 0.5;
  return (polynomial(A, q * q) * q) / polynomial(B, q * q);
}

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);

/** Q(1/2, x), twice the upper tail of the normal distribution at √(2x): a series near 0, and a continued fraction. */
function regularizedGammaQ(x: number): number {
  const scale = Math.sqrt(x / Math.PI) * Math.exp(-x);
  if (x < 1.5) {
    let term = 2;
    let sum = term;
    for (let a = 0.5; term > sum * Number.EPSILON; ) {
      a += 1;
      term *= x / a;
      sum += term;
    }
    return 1 - scale * sum;
  }
  if (x > 700) return 0;
  // Lentz's method.
  const tiny = 1e-300;
  let b = x + 0.5;
  let c = 1 / tiny;
  let d = 1 / b;
  let fraction = d;
  for (let i = 1; i < 200; i++) {
    const a = -i * (i - 0.5);
    b += 2;
    d = 1 / nonZero(a * d + b, tiny);
    c = nonZero(b + a / c, tiny);
    const delta = d * c;
    fraction *= delta;
    if (Math.abs(delta - 1) < 1e-15) break;
  }
  return scale * fraction;
}

const nonZero = (value: number, tiny: number): number => (Math.abs(value) < tiny ? tiny : value);

/** Probability that a value of Student's t distribution is at most t. */
export function tCdf(t: number, degrees: number): number {
  const tail = 0.5 * incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
  return t > 0 ? 1 - tail : tail;
}

/** Inverse of `tCdf`, by bisection. */
export function tQuantile(p: number, degrees: number): number {
  if (p < 0.5) return -tQuantile(1 - p, degrees);
  let low = 0;
  let high = 1;
  while (tCdf(high, degrees) < p) high *= 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (tCdf(middle, degrees) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Probability of at most `successes` in `count` trials with probability 1/2 each. */
export const halfBinomialCdf = (successes: number, count: number): number =>
  successes >= count ? 1 : incompleteBeta(0.5, count - successes, successes + 1);

/** The regularized incomplete beta function, by its continued fraction. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges quickly below this point; above it, the function is symmetric.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a;
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1), tiny);
  let fraction = d;
  for (let m = 1; m < 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d, tiny);
    c = nonZero(1 + even / c, tiny);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d, tiny);
    c = nonZero(1 + odd / c, tiny);
    const delta = d * c;
    fraction *= delta;
    if (Math.abs(delta - 1) < 1e-14) break;
  }
  return front * fraction;
}

const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b);

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** Lanczos's approximation, for positive values. */
export function logGamma(value: number): number {
  if (value < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * value)) - logGamma(1 - value);
  const x = value - 1;
  let sum = 0.9999999999998099;
  for (const [index, coefficient] of LANCZOS.entries()) sum += coefficient / (x + index + 1);
  const t = x + LANCZOS.length - 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}
