/** A saved view of a project's list, visible to all users. */
export interface SavedViewFields {
  /** The list to which it belongs: `spans`, `traces` or `sessions`. */
  readonly tab: string;
  /** Unique within a list of a project. */
  readonly name: string;
  /** Filter, order and range, in the form of the query of an address. */
  readonly search: string;
  /** Columns, in the form in which the interface stores them. */
  readonly layout: string;
}

export interface SavedView extends SavedViewFields {
  readonly rowId: number;
  readonly updatedAt: Date;
}
