import type { AnnotationBatch } from '../model/annotation.ts';
import type { CostChange, Deletion } from '../span-store/span-store.ts';

/** An OTLP export request as it came. */
export interface OtlpRequest {
  readonly format: 'protobuf' | 'json';
  readonly encoding: 'identity' | 'gzip' | 'deflate' | 'zstd';
  /** Owned by ingest from here on: its ArrayBuffer is transferred to a decode worker. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Wins over the resource attribute; empty counts as absent. */
  readonly projectName?: string;
  /** For the list of rejected requests: who sent it, and by which face. */
  readonly from: { readonly face: 'http' | 'grpc'; readonly remoteAddress: string };
}

/** What became of an accepted request. */
export interface Acknowledgement {
  /** Spans in the request, rejected ones included. */
  readonly spanCount: number;
  readonly rejectedSpanCount: number;
  /** Why spans were rejected; empty when none was. */
  readonly message: string;
  /** Journal position just after its record: `applied(position)` waits for it. */
  readonly position: number;
}

/** A rejected request or span, for people who ask why their trace does not appear. */
export interface IngestError {
  readonly at: Date;
  readonly face: 'http' | 'grpc' | 'rest' | 'store';
  readonly remoteAddress: string;
  readonly reason: string;
  readonly rejectedSpanCount: number;
  readonly bodyBytes: number;
}

/**
 * The way in for everything that changes the span store. A promise that resolves means durable: the record is in the
 * journal and fdatasync has returned.
 *
 * @throws {SpandrelError} `OTLP_MALFORMED` or `BODY_UNREADABLE` (nothing is kept), `BODY_TOO_LARGE`,
 *   `INGEST_OVERLOADED` (over a cap: retry), `SHUTTING_DOWN`, `DISK_FULL` (the disk is full: nothing is acknowledged until there is room).
 */
export interface Ingest {
  /** Undefined when a request of this many bytes is admissible now; else the error it would meet. Cheap. */
  refusal(bodyBytes: number): Error | undefined;
  submitOtlp(request: OtlpRequest): Promise<Acknowledgement>;
  /** Spans in the JSON form of REST (`domain/spans`), checked already: text of `{"project":…,"spans":[…]}`. */
  submitSpans(json: string, spanCount: number): Promise<Acknowledgement>;
  /** Checked already (`domain/annotations`). */
  submitAnnotations(batch: AnnotationBatch): Promise<Acknowledgement>;
  submitDeletion(deletion: Deletion): Promise<Acknowledgement>;
  submitCostChange(change: CostChange): Promise<Acknowledgement>;
  /** Resolves once the store has applied the journal up to this position. */
  applied(position: number): Promise<void>;
  /** The latest rejections, newest first (at most `INGEST_ERROR_COUNT_MAX`). */
  latestErrors(): IngestError[];
  /** Stops accepting, applies what is journaled, closes the journal. */
  close(): Promise<void>;
}
