/** The top of an axis: a round number at or above the greatest value, even where `isWhole` keeps to whole ones. */
export function topOf(greatest: number, isWhole: boolean): number {
  if (greatest <= 0) return isWhole ? 2 : 1;
  const power = 10 ** Math.floor(Math.log10(greatest));
  const step = [1, 2, 3, 4, 5, 6, 8, 10].find((each) => each * power >= greatest * 0.999)!;
  const top = step * power;
  return isWhole ? Math.max(2, 2 * Math.ceil(top / 2)) : top;
}

/** Every how many bins a label stands, when each bin is so many pixels wide. */
export const labelEvery = (binPx: number, labelPx: number): number => Math.max(1, Math.ceil(labelPx / binPx));
