/**
 * Aggregates of each span of a trace with all its stored descendants, as columns with one span per index, in no
 * particular order. A trace may have 100,000 spans, so there are no objects per span.
 */
export interface SpanSums {
  readonly rowIds: Float64Array;
  /** Number of spans that name this one as their parent. */
  readonly childCounts: Uint32Array;
  readonly errorCounts: Float64Array;
  readonly tokensPrompt: Float64Array;
  readonly tokensCompletion: Float64Array;
}
