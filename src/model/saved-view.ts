/** What a list of a project shows: in the interface, of everybody. */
export interface SavedViewFields {
  /** Which list it is of: `spans`, `traces`, `sessions`. */
  readonly tab: string;
  /** Of one project and list each has a name of its own. */
  readonly name: string;
  /** Filter, order and range, as the query of an address has them. */
  readonly search: string;
  /** Columns as the interface keeps them. */
  readonly layout: string;
}

export interface SavedView extends SavedViewFields {
  readonly rowId: number;
  readonly updatedAt: Date;
}
