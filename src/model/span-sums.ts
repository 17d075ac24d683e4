/**
 * What the spans of a trace add up to with all their stored descendants, in columns, one span at each index, in no order: a
 * trace may have 100,000 of them, so there is no object a span.
 */
export interface SpanSums {
  readonly rowIds: Float64Array;
  /** Spans that name this one as their parent. */
  readonly childCounts: Uint32Array;
  readonly errorCounts: Float64Array;
  readonly tokensPrompt: Float64Array;
  readonly tokensCompletion: Float64Array;
}
