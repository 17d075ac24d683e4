/** What the values of columns have in common, without missing ones, which are NaN. */
export interface ValueRange {
  readonly hasValue: boolean;
  /** Every value is 0 or 1. */
  readonly isBinary: boolean;
  /** Every value is from 0 to 1. */
  readonly isShare: boolean;
}

export function rangeOf(columns: readonly Float64Array[]): ValueRange {
  let hasValue = false;
  let isBinary = true;
  let isShare = true;
  // Callbacks of `every` would take longer than all statistics of a large comparison.
  for (const column of columns) {
    for (let index = 0; index < column.length; index++) {
      const value = column[index] as number;
      if (Number.isNaN(value)) continue;
      hasValue = true;
      if (value === 0 || value === 1) continue;
      isBinary = false;
      if (value < 0 || value > 1) {
        isShare = false;
        return { hasValue, isBinary, isShare };
      }
    }
  }
  return { hasValue, isBinary, isShare };
}
