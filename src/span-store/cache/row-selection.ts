// biome-ignore-all lint/style/noNonNullAssertion: callers pass indexes below the count of the selection.

/** Rows of a batch to store: `rows` in ascending order, or all rows if it is null. */
export interface RowSelection {
  readonly rows: Int32Array | null;
  readonly count: number;
}

/** Row of the batch at an index of the selection. */
export const selectedRow = ({ rows }: RowSelection, at: number): number => (rows ? rows[at]! : at);

/** Selection from two batches that become one. The second one begins at the row `firstRowCount`. */
export function concatSelections(first: RowSelection, second: RowSelection, firstRowCount: number): RowSelection {
  const count = first.count + second.count;
  const isWhole = first.rows === null && second.rows === null && first.count === firstRowCount;
  if (isWhole) return { rows: null, count };
  const rows = new Int32Array(count);
  for (let at = 0; at < first.count; at++) rows[at] = selectedRow(first, at);
  for (let at = 0; at < second.count; at++) rows[first.count + at] = firstRowCount + selectedRow(second, at);
  return { rows, count };
}
