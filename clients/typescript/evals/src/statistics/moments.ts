/** Sums over a sample. */
export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** With n − 1. 0 for fewer than two values. */
  readonly deviation: number;
  /** Third central moment over the third power of the deviation with n. 0 without deviation. */
  readonly skewness: number;
}

export function momentsOf(values: Float64Array): Moments {
  const count = values.length;
  let sum = 0;
  for (const value of values) sum += value;
  const mean = count === 0 ? 0 : sum / count;
  let squares = 0;
  let cubes = 0;
  for (const value of values) {
    const distance = value - mean;
    squares += distance * distance;
    cubes += distance * distance * distance;
  }
  const deviation = count < 2 ? 0 : Math.sqrt(squares / (count - 1));
  // Equal values differ from their mean by a rounding error.
  const isConstant = deviation <= 1e-12 * Math.abs(mean);
  return {
    count,
    mean,
    deviation: isConstant ? 0 : deviation,
    skewness: isConstant || squares === 0 ? 0 : cubes / count / (squares / count) ** 1.5,
  };
}
