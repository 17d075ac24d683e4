/** Row ids among which rows are looked for. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Row ids of the first window in which a page of spans is looked for; each further one is this many times larger. DuckDB
 * scans whole vectors of 2,048 rows, so that a page of common matches takes one or two of them.
 */
export const WINDOW_ROW_COUNT = 2_048;
export const WINDOW_GROWTH = 8;
