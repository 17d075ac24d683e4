/**
 * A trace as columns, small enough to send completely: its spans by start time, then row id, one span per index. A
 * trace may have 100,000 spans, so there are no objects per span.
 */
export interface TraceSkeleton {
  /** Start time of the first span. */
  readonly startTimeUnixNano: bigint;
  readonly rowIds: Float64Array;
  /** The numbers under which span IDs are stored, as low and high words; and IDs that are not hex numbers, by index. */
  readonly spanIdWords: Uint32Array;
  readonly textIds: ReadonlyMap<number, string>;
  /** Index of the parent; -1 if the span names none, -2 if the parent is not stored. */
  readonly parents: Int32Array;
  /** Distinct names in order of appearance, and the index of each span's name. */
  readonly names: readonly string[];
  readonly nameIndices: Uint32Array;
  /** Index into `SPAN_KINDS`. */
  readonly spanKinds: Uint8Array;
  /** Index into `STATUS_CODES`. */
  readonly statusCodes: Uint8Array;
  /** Start time relative to that of the first span. */
  readonly offsetsMs: Float64Array;
  readonly latenciesMs: Float64Array;
  readonly tokenCounts: Float64Array;
  /** Token counts including all descendants. */
  readonly cumulativeTokenCounts: Float64Array;
}

export const NO_PARENT = -1;
export const LOST_PARENT = -2;
