/** Items of one page of a keyset list. */
export interface Page<Item> {
  readonly items: Item[];
  /** Row id of the first row of the next page; undefined on the last one. */
  readonly nextRowId?: number;
}
