/** A row id of each kind of row in the span store. */
export interface StoreRowIds {
  readonly span: number;
  readonly trace: number;
  readonly session: number;
  readonly annotation: number;
}
