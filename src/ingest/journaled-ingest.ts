import { ByteBudget } from '../base/byte-budget.ts';
import { freeBuffer } from '../base/free-buffer.ts';
import type { AnnotationBatch } from '../model/annotations/annotation.ts';
import { SpandrelError } from '../model/errors.ts';
import {
  BACKLOG_BYTES_MAX,
  INFLIGHT_BYTES_MAX,
  JOURNAL_GRACE_BYTES_MAX,
  JOURNAL_GRACE_MS,
  JOURNAL_TRIM_MS,
} from '../model/limits/ingest.ts';
import { DRAIN_MS_MAX } from '../model/limits/requests.ts';
import type { Receipt } from '../model/receipt.ts';
import type { ReplayProgress } from '../model/spans/replay-progress.ts';
import type { CostChange } from '../span-store/contract/cost-change.ts';
import type { Deletion, Transfer } from '../span-store/contract/writer.ts';
import { Admission } from './admission.ts';
import { Backlog } from './backlog.ts';
import type { FreeSpaceReserve } from './data-directory/free-space-reserve.ts';
import type { RecordProblem } from './decode/decode-batch.ts';
import { DecodePool } from './decode/decode-pool.ts';
import type { Acknowledgement, Ingest, IngestError, IngestStatus, OtlpRequest, Rejection } from './ingest.ts';
import { IngestActivity } from './ingest-activity.ts';
import { IngestErrors } from './ingest-errors.ts';
import { type IngestGauges, IngestMetrics } from './ingest-metrics.ts';
import type { IngestOptions } from './ingest-options.ts';
import type { Journal, JournalOptions } from './journal/journal.ts';
import { SEGMENT_HEADER_BYTES } from './journal/journal-format.ts';
import { removeSegmentsBefore } from './journal/journal-retention.ts';
import { type AppliedBatch, Projector } from './projector.ts';
import { projectsDenied, withoutDenied } from './rejected-projects.ts';
import { RejectionLog } from './rejection-log.ts';

/** The ingest pipeline on an open journal. */
export class JournaledIngest implements Ingest {
  readonly #options: IngestOptions;
  readonly #journal: Journal;
  readonly #reserve: FreeSpaceReserve;
  readonly #pool: DecodePool;
  readonly #projector: Projector;
  readonly #admission: Admission;
  readonly #metrics: IngestMetrics;
  readonly #backlog = new Backlog();
  readonly #errors = new IngestErrors();
  readonly #activity = new IngestActivity();
  readonly #rejections: RejectionLog;
  readonly #gauges: IngestGauges;
  /** Positions of problems that were reported, because a batch that is retried reports them again. */
  readonly #reportedProblems = new Set<number>();
  readonly #trimTimer: NodeJS.Timeout;
  #trimming: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  /** Position up to which reads have returned data, in this process or before it. Initially the end of the journal. */
  #caughtUpPosition: number;
  /** Where the current or last replay began. */
  #replayPosition: number;

  readonly onCommit: JournalOptions['onCommit'] = (commit) => {
    this.#metrics.committed(commit);
    this.#projector.notify();
  };

  constructor(options: IngestOptions, journal: Journal, reserve: FreeSpaceReserve, appliedPosition: number) {
    this.#options = options;
    this.#rejections = new RejectionLog(options.log);
    this.#journal = journal;
    this.#reserve = reserve;
    this.#caughtUpPosition = journal.durablePosition;
    this.#replayPosition = appliedPosition;
    this.#pool = new DecodePool(options.pool);
    this.#projector = new Projector(
      {
        writer: options.writer,
        log: options.log,
        decode: (task) => this.#pool.decode({ ...task, journalDir: options.dir }),
        durablePosition: () => journal.durablePosition,
        onApplied: (batch) => this.#onApplied(batch),
        onFailed: () => this.#metrics.batchFailed(),
        onProblem: (problem) => this.#onProblem(problem),
      },
      appliedPosition,
    );
    const backlogBytes = () => Math.max(0, journal.durablePosition - this.#projector.appliedPosition);
    const queuedSpanCount = () => this.#backlog.spanCount;
    this.#admission = new Admission(
      { ...options.limits, queuedSpanCountMax: options.maxQueuedSpans },
      {
        backlogBytes,
        queuedSpanCount,
        bodyBudget: options.bodyBudget ?? new ByteBudget(INFLIGHT_BYTES_MAX),
        isDecodeQueueFull: () => this.#pool.isFull,
        journalRejection: () => journal.rejection ?? reserve.rejection,
      },
    );
    this.#gauges = {
      backlogBytes,
      queuedSpanCount,
      inFlightBytes: () => this.#admission.inFlightBytes,
      lagSeconds: () => {
        const { oldestMs } = this.#backlog;
        return oldestMs === undefined ? 0 : (performance.now() - oldestMs) / 1000;
      },
    };
    this.#metrics = new IngestMetrics(options.registry, this.#gauges);
    this.#trimTimer = setInterval(() => {
      this.#trimming = this.#trim();
    }, JOURNAL_TRIM_MS).unref();
  }

  findRejection(bodyBytes: number): Error | undefined {
    return this.#admission.findRejection(bodyBytes);
  }

  async submitOtlp(request: OtlpRequest): Promise<Acknowledgement> {
    const { from, body } = request;
    // The body is transferred to another thread, so its length must be read before.
    const bodyBytes = body.length;
    try {
      return await this.#admission.run(bodyBytes, () => this.#takeOtlp(request, bodyBytes));
    } catch (error) {
      this.#activity.add(from, { spanCount: 0, rejectedSpanCount: 0, isRejected: true });
      this.#onRejected(error, from, bodyBytes);
      throw error;
    }
  }

  async submitSpans(json: string, spanCount: number): Promise<Acknowledgement> {
    const payload = Buffer.from(json);
    try {
      return await this.#admission.run(payload.length, async () => {
        const position = await this.#append({ kind: 'spans', receivedAtMs: Date.now(), spanCount }, payload, spanCount);
        freeBuffer(payload);
        this.#metrics.accepted(spanCount, 0);
        this.#activity.add(REST, { spanCount, rejectedSpanCount: 0, isRejected: false });
        return { spanCount, rejectedSpanCount: 0, message: '', receipt: toReceipt(position) };
      });
    } catch (error) {
      this.#activity.add(REST, { spanCount: 0, rejectedSpanCount: 0, isRejected: true });
      this.#onRejected(error, REST, payload.length);
      throw error;
    }
  }

  async submitAnnotations(batch: AnnotationBatch): Promise<Acknowledgement> {
    const payload = Buffer.from(JSON.stringify(batch));
    const { annotations, isWhole } = batch;
    const head = {
      kind: 'annotations',
      receivedAtMs: Date.now(),
      annotationCount: annotations.length,
      isWhole,
    } as const;
    const position = await this.#admission.run(payload.length, () => this.#append(head, payload, 0));
    freeBuffer(payload);
    return { spanCount: 0, rejectedSpanCount: 0, message: '', receipt: toReceipt(position) };
  }

  /** Deletions are admitted when spans are rejected, because they free space. */
  async submitDeletion(deletion: Deletion): Promise<Acknowledgement> {
    const position = await this.#append({ kind: 'deletion', receivedAtMs: Date.now(), deletion }, new Uint8Array(0), 0);
    return { spanCount: 0, rejectedSpanCount: 0, message: '', receipt: toReceipt(position) };
  }

  async submitTransfer(transfer: Transfer): Promise<Acknowledgement> {
    const position = await this.#append({ kind: 'transfer', receivedAtMs: Date.now(), transfer }, new Uint8Array(0), 0);
    return { spanCount: 0, rejectedSpanCount: 0, message: '', receipt: toReceipt(position) };
  }

  async submitCostChange(change: CostChange): Promise<Acknowledgement> {
    const payload = Buffer.from(JSON.stringify(change));
    const position = await this.#append({ kind: 'costs', receivedAtMs: Date.now() }, payload, 0);
    return { spanCount: 0, rejectedSpanCount: 0, message: '', receipt: toReceipt(position) };
  }

  waitFor(receipt: Receipt): Promise<void> {
    return this.#projector.applied(receipt);
  }

  async isCaughtUp(): Promise<boolean> {
    return (await this.#options.writer.appliedPosition()) >= this.#caughtUpPosition;
  }

  replay(): ReplayProgress | undefined {
    const { appliedPosition } = this.#projector;
    const endPosition = this.#caughtUpPosition;
    // The header of a new segment holds no record.
    if (endPosition - appliedPosition <= SEGMENT_HEADER_BYTES) {
      this.#replayPosition = endPosition;
      return undefined;
    }
    this.#replayPosition = Math.min(this.#replayPosition, appliedPosition);
    return {
      appliedBytes: appliedPosition - this.#replayPosition,
      totalBytes: endPosition - this.#replayPosition,
    };
  }

  recordRejection(rejection: Rejection): void {
    this.#rejections.add(rejection);
  }

  latestErrors(): IngestError[] {
    return this.#errors.latest();
  }

  async status(): Promise<IngestStatus> {
    const { backlogBytes, queuedSpanCount, inFlightBytes, lagSeconds } = this.#gauges;
    return {
      ...(await this.#metrics.totals()),
      queuedSpanCount: queuedSpanCount(),
      backlogBytes: backlogBytes(),
      backlogBytesMax: this.#options.limits?.backlogBytesMax ?? BACKLOG_BYTES_MAX,
      lagSeconds: lagSeconds(),
      inFlightBytes: inFlightBytes(),
      bins: this.#activity.bins(),
      clients: this.#activity.clients(),
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#trimTimer);
    this.#reserve.close();
    await this.#admission.close();
    await this.#drain();
    await this.#projector.stop();
    await this.#trimming;
    this.#rejections.close();
    await Promise.all([this.#pool.close(), this.#journal.close()]);
  }

  async #takeOtlp(request: OtlpRequest, bodyBytes: number): Promise<Acknowledgement> {
    const { format, encoding, projectName, mayStoreIn } = request;
    if (projectName && mayStoreIn && !mayStoreIn(projectName)) throw projectsDenied();
    // The header names the project of all spans.
    const countsProjects = mayStoreIn !== undefined && !projectName;
    const { source, remoteAddress } = request.from;
    const from = { source, remoteAddress };
    const { usesServiceName = false } = this.#options;
    const receivedAtMs = Date.now();
    const startMs = performance.now();
    const checked = await this.#pool.check({ format, encoding, body: request.body, countsProjects, usesServiceName });
    this.#metrics.checked(performance.now() - startMs);
    const { body, bodyCrc } = checked;
    const { spanCount, rejectedSpanCount, message, exceptProjects } = withoutDenied(checked, mayStoreIn);
    const acceptedSpanCount = spanCount - rejectedSpanCount;
    let position = this.#journal.durablePosition;
    // Without spans there is nothing to write.
    if (acceptedSpanCount > 0) {
      const except = exceptProjects.length > 0 ? { exceptProjects } : {};
      const accepted = { receivedAtMs, spanCount: acceptedSpanCount, format, encoding };
      const head = {
        kind: 'otlp',
        ...accepted,
        ...from,
        ...(usesServiceName && { usesServiceName }),
        ...except,
      } as const;
      position = await this.#append(projectName ? { ...head, projectName } : head, body, acceptedSpanCount, bodyCrc);
    }
    freeBuffer(body);
    this.#metrics.accepted(acceptedSpanCount, rejectedSpanCount);
    this.#activity.add(request.from, { spanCount: acceptedSpanCount, rejectedSpanCount, isRejected: false });
    if (rejectedSpanCount > 0) {
      this.#errors.add({ at: new Date(), ...from, reason: message, rejectedSpanCount, bodyBytes });
      this.#rejections.add({ from: request.from, reason: message, rejectedSpanCount });
    }
    return { spanCount, rejectedSpanCount, message, receipt: toReceipt(position) };
  }

  async #append(
    head: Parameters<Journal['append']>[0],
    payload: Uint8Array,
    spanCount: number,
    payloadCrc?: number,
  ): Promise<number> {
    const position = await this.#journal.append(head, payload, payloadCrc);
    if (position > this.#projector.appliedPosition) this.#backlog.add(position, spanCount);
    return position;
  }

  #onApplied(batch: AppliedBatch): void {
    const replay = this.replay();
    if (replay && batch.endPosition >= this.#caughtUpPosition) void this.#endReplay(replay);
    this.#caughtUpPosition = Math.max(this.#caughtUpPosition, batch.endPosition);
    const nowMs = performance.now();
    const lagsMs = this.#backlog.applied(batch.endPosition).map((atMs) => nowMs - atMs);
    this.#metrics.applied(batch, lagsMs);
    const { differingCount, droppedAnnotationCount } = batch;
    if (differingCount > 0) {
      const reason = `Spans with the ID of a stored span but a different name, kind, status or time: ${differingCount}. The stored spans are kept`;
      this.#errors.add({
        at: new Date(),
        source: 'store',
        remoteAddress: '',
        reason,
        rejectedSpanCount: differingCount,
        bodyBytes: 0,
      });
    }
    if (droppedAnnotationCount > 0) {
      this.#options.log.warn(
        { annotationCount: droppedAnnotationCount },
        'Dropped annotations: their span, trace or session did not arrive in time, or the span has no such document',
      );
    }
  }

  async #endReplay({ totalBytes }: ReplayProgress): Promise<void> {
    const { log, afterReplay } = this.#options;
    log.info({ bytes: totalBytes }, 'Applied the journal after a restart');
    await afterReplay?.().catch((error: Error) =>
      log.warn({ err: error }, 'Could not make a checkpoint after the journal was applied; the store makes one later'),
    );
  }

  /** A rejection that requests a retry is not listed, because the exporter sends the request again. */
  #onRejected(error: unknown, from: OtlpRequest['from'], bodyBytes: number): void {
    const { source, remoteAddress } = from;
    const isKnown = error instanceof SpandrelError;
    this.#metrics.rejected(isKnown ? error.code : 'INTERNAL');
    const reason = (error as Error).message;
    if (isKnown) this.#rejections.add({ from, reason });
    else this.#options.log.error({ source, bodyBytes, err: error }, 'A request failed because of an internal error');
    if (isKnown && (error.kind === 'overloaded' || error.kind === 'storageFull')) return;
    this.#errors.add({ at: new Date(), source, remoteAddress, reason, rejectedSpanCount: 0, bodyBytes });
  }

  #onProblem({ position, bytes, reason, spanCount, remoteAddress, copy }: RecordProblem): void {
    if (this.#reportedProblems.has(position)) return;
    this.#reportedProblems.add(position);
    this.#metrics.quarantined();
    this.#errors.add({
      at: new Date(),
      source: 'store',
      remoteAddress,
      reason,
      rejectedSpanCount: spanCount,
      bodyBytes: bytes,
    });
    this.#options.log.error(
      { position, bytes, spanCount, reason, copy },
      'Could not apply a part of the journal to the span store; keep the copy and report the problem',
    );
  }

  /** Gives the store time to apply the journal. The next start applies the rest. */
  async #drain(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#projector.isFailing ? 0 : DRAIN_MS_MAX);
    });
    await Promise.race([this.#projector.applied(this.#journal.durablePosition), timeout]);
    clearTimeout(timer);
  }

  async #trim(): Promise<void> {
    const { dir, writer, log, graceMs = JOURNAL_GRACE_MS } = this.#options;
    try {
      const position = await writer.checkpointedPosition();
      // On a full disk, free space is more valuable than unneeded segments.
      const graceBytesMax = (this.#journal.rejection ?? this.#reserve.rejection) ? 0 : JOURNAL_GRACE_BYTES_MAX;
      const freedBytes = await removeSegmentsBefore(dir, position, { graceMs, graceBytesMax });
      if (freedBytes > 0)
        log.debug({ freedBytes, position }, 'Removed journal segments that the store no longer needs');
    } catch (error) {
      log.warn({ err: error, dir }, 'Could not remove old journal segments; the server retries');
    }
  }
}

/** Spans of the REST API have no sender. */
const REST = { source: 'rest', remoteAddress: '' } as const;

/** The receipt of a record that ends at this position of the journal. */
export const toReceipt = (position: number): Receipt => position as Receipt;
