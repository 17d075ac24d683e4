import type { AnnotationBatch } from '../model/annotation.ts';
import type { CostChange } from '../span-store/contract/cost-change.ts';
import type { Deletion, Transfer } from '../span-store/contract/writer.ts';

/** An OTLP export request as it came. */
export interface OtlpRequest {
  readonly format: 'protobuf' | 'json';
  readonly encoding: 'identity' | 'gzip' | 'deflate' | 'zstd';
  /** Owned by ingest from here on: its ArrayBuffer is transferred to a decode worker. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Wins over the resource attribute; empty counts as absent. */
  readonly projectName?: string;
  /** For the list of rejected requests: who sent it, and by which face. */
  readonly from: {
    readonly face: 'http' | 'grpc' | 'rest';
    readonly remoteAddress: string;
    /** What the client calls itself. */
    readonly userAgent?: string | undefined;
  };
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

/** A rejected request, or rejected spans of an accepted request. */
export interface Rejection {
  readonly from: OtlpRequest['from'];
  readonly reason: string;
  /** Number of rejected spans of an accepted request. Undefined when the whole request was rejected. */
  readonly rejectedSpanCount?: number;
}

/** What came in during one step of time. */
export interface ActivityBin {
  readonly startMs: number;
  readonly requestCount: number;
  /** Those that were told to come again among them. */
  readonly rejectedRequestCount: number;
  /** Taken. */
  readonly spanCount: number;
  readonly rejectedSpanCount: number;
}

/** Who sends spans, by what the client calls itself; empty when it does not. Counts are since the start. */
export interface IngestClient extends Omit<ActivityBin, 'startMs'> {
  readonly face: OtlpRequest['from']['face'];
  readonly userAgent: string;
  /** Of the last request. */
  readonly remoteAddress: string;
  readonly lastSeenAtMs: number;
}

/** How the way in does, for people who look. Totals are since the start. */
export interface IngestStatus {
  readonly acceptedSpanCount: number;
  /** In requests that were accepted otherwise. */
  readonly rejectedSpanCount: number;
  /** By the code of the error. */
  readonly rejectedRequestCounts: Readonly<Record<string, number>>;
  /** Spans whose ids were stored already. */
  readonly duplicateSpanCount: number;
  /** Those among them that were others, by name, kind, status or time; what was stored stays. */
  readonly differingSpanCount: number;
  readonly droppedAnnotationCount: number;
  /** Records of the journal that were set aside. */
  readonly setAsideCount: number;
  readonly failedBatchCount: number;
  readonly queuedSpanCount: number;
  readonly backlogBytes: number;
  /** From which on requests are told to come again. */
  readonly backlogBytesMax: number;
  /** Since the oldest acknowledgement that is not in the store; 0 when all are. */
  readonly lagSeconds: number;
  readonly inFlightBytes: number;
  readonly bins: readonly ActivityBin[];
  readonly clients: readonly IngestClient[];
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
  submitTransfer(transfer: Transfer): Promise<Acknowledgement>;
  submitCostChange(change: CostChange): Promise<Acknowledgement>;
  /** Resolves once the store has applied the journal up to this position. */
  applied(position: number): Promise<void>;
  /** Whether reads see all data that they saw before the last restart of the store or of the server. */
  isCaughtUp(): Promise<boolean>;
  /** Logs a request that was rejected before it reached the ingest. */
  recordRejection(rejection: Rejection): void;
  /** The latest rejections, newest first (at most `INGEST_ERROR_COUNT_MAX`). */
  latestErrors(): IngestError[];
  status(): Promise<IngestStatus>;
  /** Stops accepting, applies what is journaled, closes the journal. */
  close(): Promise<void>;
}
