/** Rows of a batch that are to be stored: `rows` in rising order, or all of them when it is null. */
export interface KeptRows {
  readonly rows: Int32Array | null;
  readonly count: number;
}

/** The row at a place among those that are kept. */
export const keptRow = ({ rows }: KeptRows, at: number): number => (rows ? rows[at]! : at);
