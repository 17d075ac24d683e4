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
  for (let index = 0; index < count; index++) sum += values[index] as number;
  const mean = count === 0 ? 0 : sum / count;
  let squares = 0;
  let cubes = 0;
  for (let index = 0; index < count; index++) {
    const distance = (values[index] as number) - mean;
    const square = distance * distance;
    squares += square;
    cubes += square * distance;
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
