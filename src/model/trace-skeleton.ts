/**
 * A trace in columns, small enough to send whole: the spans by start time, then row id, one span at each index. A trace
 * may have 100,000 of them, so there is no object a span.
 */
export interface TraceSkeleton {
  /** Of the first span. */
  readonly startTimeUnixNano: bigint;
  readonly rowIds: Float64Array;
  /** The numbers that span IDs are stored under, low and high half of each; and IDs that are no hex number, by index. */
  readonly spanIdWords: Uint32Array;
  readonly textIds: ReadonlyMap<number, string>;
  /** Index of the parent; -1 of a span that names none, -2 where it is not stored. */
  readonly parents: Int32Array;
  /** Distinct names in the order in which they come, and which one a span has. */
  readonly names: readonly string[];
  readonly nameIndices: Uint32Array;
  /** Index into `SPAN_KINDS`. */
  readonly spanKinds: Uint8Array;
  /** Index into `STATUS_CODES`. */
  readonly statusCodes: Uint8Array;
  /** Start, from that of the first span. */
  readonly offsetsMs: Float64Array;
  readonly latenciesMs: Float64Array;
  readonly tokenCounts: Float64Array;
  /** With all descendants. */
  readonly cumulativeTokenCounts: Float64Array;
}

export const NO_PARENT = -1;
export const LOST_PARENT = -2;
