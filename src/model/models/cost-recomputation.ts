/** A request to recompute the costs of stored spans with the current prices. It runs in the background, by row id. */
export interface CostRecomputation {
  readonly rowId: number;
  /** Null: all projects. */
  readonly projectId: number | null;
  /** Spans before this row id are done. */
  readonly nextSpanRowId: number;
  /** Null before the recomputation has started. */
  readonly lastSpanRowId: number | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}
