/** Somebody's wish that stored spans have the prices of now; it is done in the background, by row id. */
export interface CostRecomputation {
  readonly rowId: number;
  /** Null: of all projects. */
  readonly projectId: number | null;
  /** Spans before this one are done. */
  readonly nextSpanRowId: number;
  /** Null before it has begun. */
  readonly lastSpanRowId: number | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}
