/** Items of one page of a list with keyset pagination. */
export interface Page<Item> {
  readonly items: Item[];
  /** Row id of the first row of the next page. Undefined on the last page. */
  readonly nextRowId?: number;
}
