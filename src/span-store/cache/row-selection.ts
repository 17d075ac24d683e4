// biome-ignore-all lint/style/noNonNullAssertion: callers pass indexes below the count of the selection.

/** Rows of a batch to store: `rows` in ascending order, or all rows if it is null. */
export interface RowSelection {
  readonly rows: Int32Array | null;
  readonly count: number;
}

/** Row of the batch at an index of the selection. */
export const selectedRow = ({ rows }: RowSelection, at: number): number => (rows ? rows[at]! : at);
