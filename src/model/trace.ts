import type { TraceId } from './trace-ids.ts';

/** A trace: the sums and the hull in time of its spans, kept at commit. */
export interface Trace {
  readonly rowId: number;
  readonly traceId: TraceId;
  readonly projectId: number;
  readonly sessionRowId: number | null;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  readonly spanCount: number;
  readonly errorCount: number;
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
}
