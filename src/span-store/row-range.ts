/** Row ids among which rows are looked for. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}
