import type { TraceId } from './trace-ids.ts';

/** A trace: the rollups and the time range of its spans. */
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
