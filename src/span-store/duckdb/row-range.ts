/** Inclusive range of row ids. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

export function minMax(numbers: readonly number[]): [number, number] {
  let least = Number.MAX_SAFE_INTEGER;
  let greatest = 0;
  for (const number of numbers) {
    if (number < least) least = number;
    if (number > greatest) greatest = number;
  }
  return [least, greatest];
}
