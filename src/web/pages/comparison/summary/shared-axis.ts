import type { MeasureValue } from '../compared.ts';

/** Range of values that all pictures of a measure share. */
export interface SharedAxis {
  readonly low: number;
  readonly high: number;
  /** Position of a value from 0 to 1. */
  readonly at: (value: number) => number;
}

/** Share of the range that stays free on each side. */
const MARGIN = 0.06;

/**
 * An axis on which the means and intervals of all experiments fit. Undefined without any mean. An axis with one value only
 * is widened around it.
 */
export function toSharedAxis(values: readonly Pick<MeasureValue, 'mean' | 'low' | 'high'>[]): SharedAxis | undefined {
  const all = values.flatMap(({ mean, low, high }) => [mean, low, high].filter((each) => each !== null));
  if (all.length === 0) return undefined;
  const [least, greatest] = [Math.min(...all), Math.max(...all)];
  const range = greatest - least || Math.abs(greatest) || 1;
  const low = least - range * MARGIN;
  const high = greatest + range * MARGIN;
  return { low, high, at: (value) => (value - low) / (high - low) };
}
