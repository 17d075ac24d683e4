import type { ExactJsonObject } from '../../base/exact-json.ts';

/** A span of a caller: the fields of OTLP as JSON. */
export interface NewSpan {
  readonly name: string;
  /** Any text but the empty one, as the span ID. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  /** Received kind. An unknown one is stored as UNKNOWN and stays in the attributes. Null: use the attributes. */
  readonly spanKind: string | null;
  /** In any case; one that is no status code is UNSET. */
  readonly statusCode: string;
  readonly statusMessage: string;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  /** Flat dotted keys, nested ones, or both. */
  readonly attributes: ExactJsonObject;
  readonly events: readonly NewSpanEvent[];
}

export interface NewSpanEvent {
  readonly name: string;
  readonly timeUnixNano: bigint;
  readonly attributes: ExactJsonObject;
}
