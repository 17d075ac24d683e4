import { wilsonInterval } from './interval.ts';

/** More labels are not worth naming. */
const COUNT_MAX = 100_000_000;

/** Number of further labels that would halve the interval of a share, if the share stays. Undefined without labels. */
export function labelsToHalve(share: number, count: number): number | undefined {
  const widthOf = (labels: number) => {
    const interval = wilsonInterval(share * labels, labels);
    return interval ? interval.high - interval.low : Number.NaN;
  };
  if (count <= 0 || !(share >= 0 && share <= 1)) return undefined;
  const wanted = widthOf(count) / 2;
  let [low, high] = [count, count * 2];
  while (widthOf(high) > wanted) {
    if (high > COUNT_MAX) return undefined;
    [low, high] = [high, high * 2];
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (widthOf(middle) > wanted) low = middle;
    else high = middle;
  }
  return high - count;
}
