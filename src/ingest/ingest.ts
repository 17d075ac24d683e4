import type { AnnotationBatch } from '../model/annotations/annotation.ts';
import type { Receipt } from '../model/receipt.ts';
import type { ReplayProgress } from '../model/spans/replay-progress.ts';
import type { CostChange } from '../span-store/contract/cost-change.ts';
import type { Deletion, Transfer } from '../span-store/contract/writer.ts';

/** An OTLP export request as received. */
export interface OtlpRequest {
  readonly format: 'protobuf' | 'json';
  readonly encoding: 'identity' | 'gzip' | 'deflate' | 'zstd';
  /** Ingest owns the body from now on: its ArrayBuffer is transferred to a decode worker. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Takes precedence over the resource attribute. Empty counts as absent. */
  readonly projectName?: string;
  /**
   * Whether the sender may store spans in the project of a name, which need not exist. Absent: in any. Spans of other projects
   * are rejected; without any other span the whole request is.
   */
  readonly mayStoreIn?: ((projectName: string) => boolean) | undefined;
  /** The sender and the transport, for the list of rejections. */
  readonly from: {
    readonly source: 'http' | 'grpc' | 'rest';
    readonly remoteAddress: string;
    /** User agent of the client. */
    readonly userAgent?: string | undefined;
  };
}

/** Result of an accepted request. */
export interface Acknowledgement {
  /** Number of spans in the request, including rejected ones. */
  readonly spanCount: number;
  readonly rejectedSpanCount: number;
  /** Reason for rejected spans; empty if there are none. */
  readonly message: string;
  readonly receipt: Receipt;
}

/** A rejected request or span, for users who look for a missing trace. */
export interface IngestError {
  readonly at: Date;
  readonly source: 'http' | 'grpc' | 'rest' | 'store';
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

/** Requests during one interval. */
export interface ActivityBin {
  readonly startMs: number;
  readonly requestCount: number;
  /** Includes requests that were told to retry. */
  readonly rejectedRequestCount: number;
  /** Accepted spans. */
  readonly spanCount: number;
  readonly rejectedSpanCount: number;
}

/** A client that sends spans, by its user agent (empty if unknown). Counts are since the start. */
export interface IngestClient extends Omit<ActivityBin, 'startMs'> {
  readonly source: OtlpRequest['from']['source'];
  readonly userAgent: string;
  /** Address of the last request. */
  readonly remoteAddress: string;
  readonly lastSeenAtMs: number;
}

/** Ingest status. Totals are since the start. */
export interface IngestStatus {
  readonly acceptedSpanCount: number;
  /** Rejected spans of accepted requests. */
  readonly rejectedSpanCount: number;
  /** Rejected requests by error code. */
  readonly rejectedRequestCounts: Readonly<Record<string, number>>;
  /** Spans whose IDs were already stored. */
  readonly duplicateSpanCount: number;
  /** Duplicates with a different name, kind, status or time. The stored spans are kept. */
  readonly differingSpanCount: number;
  readonly droppedAnnotationCount: number;
  /** Records of the journal that were quarantined. */
  readonly quarantinedCount: number;
  readonly failedBatchCount: number;
  readonly queuedSpanCount: number;
  readonly backlogBytes: number;
  /** Above this backlog, requests are told to retry. */
  readonly backlogBytesMax: number;
  /** Age of the oldest acknowledgement that is not stored; 0 if all are. */
  readonly lagSeconds: number;
  readonly inFlightBytes: number;
  readonly bins: readonly ActivityBin[];
  readonly clients: readonly IngestClient[];
}

/**
 * The ingest pipeline for every change of the span store. A resolved promise means durable: the record is in the
 * journal and fdatasync has returned.
 *
 * @throws {SpandrelError} `OTLP_MALFORMED` or `BODY_UNREADABLE` (nothing is kept), `BODY_TOO_LARGE`,
 * `ACCESS_DENIED` (see `OtlpRequest.mayStoreIn`), `INGEST_OVERLOADED` (a limit is reached: retry), `SHUTTING_DOWN`, `DISK_FULL` (nothing is acknowledged until there is
 * free space)
 */
export interface Ingest {
  /** The error that a request with this many bytes would get now, or undefined. Cheap. */
  findRejection(bodyBytes: number): Error | undefined;
  submitOtlp(request: OtlpRequest): Promise<Acknowledgement>;
  /** Validated spans in the JSON form of REST (`domain/spans`): the text of `{"project":…,"spans":[…]}`. */
  submitSpans(json: string, spanCount: number): Promise<Acknowledgement>;
  /** Validated annotations (`domain/annotations`). */
  submitAnnotations(batch: AnnotationBatch): Promise<Acknowledgement>;
  submitDeletion(deletion: Deletion): Promise<Acknowledgement>;
  submitTransfer(transfer: Transfer): Promise<Acknowledgement>;
  submitCostChange(change: CostChange): Promise<Acknowledgement>;
  /** Resolves when reads see the write of this receipt. */
  waitFor(receipt: Receipt): Promise<void>;
  /** Whether reads see all data that they saw before the last restart of the store or of the server. */
  isCaughtUp(): Promise<boolean>;
  /** Undefined unless reads lack data that was acknowledged before a restart. Cheap. */
  replay(): ReplayProgress | undefined;
  /** Logs a request that was rejected before it reached the ingest pipeline. */
  recordRejection(rejection: Rejection): void;
  /** The latest rejections, newest first (at most `INGEST_ERROR_COUNT_MAX`). */
  latestErrors(): IngestError[];
  status(): Promise<IngestStatus>;
  /** Accepts no further request, applies the journal and closes it. */
  close(): Promise<void>;
}
