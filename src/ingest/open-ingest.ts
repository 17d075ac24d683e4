import type { Registry } from 'prom-client';
import { ByteBudget } from '../base/byte-budget.ts';
import { freeBuffer } from '../base/free-buffer.ts';
import type { Log } from '../base/log.ts';
import type { AnnotationBatch } from '../model/annotation.ts';
import { SpandrelError } from '../model/errors.ts';
import {
  BACKLOG_BYTES_MAX,
  DRAIN_MS_MAX,
  INFLIGHT_BYTES_MAX,
  JOURNAL_GRACE_BYTES_MAX,
  JOURNAL_GRACE_MS,
  JOURNAL_TRIM_MS,
} from '../model/limits.ts';
import type { CostChange } from '../span-store/contract/cost-change.ts';
import type { Deletion, SpanWriter, Transfer } from '../span-store/contract/writer.ts';
import { Admission, type AdmissionLimits } from './admission.ts';
import { Backlog } from './backlog.ts';
import type { RecordProblem } from './decode-batch.ts';
import { DecodePool, type DecodePoolOptions } from './decode-pool.ts';
import type { Acknowledgement, Ingest, IngestError, IngestStatus, OtlpRequest, Rejection } from './ingest.ts';
import { IngestActivity } from './ingest-activity.ts';
import { IngestErrors } from './ingest-errors.ts';
import { type IngestGauges, IngestMetrics } from './ingest-metrics.ts';
import { Journal, type JournalOptions } from './journal.ts';
import { removeSegmentsBefore } from './journal-retention.ts';
import { type JournalRowIds, readJournalRowIds } from './journal-row-ids.ts';
import { type AppliedBatch, Projector } from './projector.ts';
import { RejectionLog } from './rejection-log.ts';
import { StoreRoom } from './store-room.ts';

export interface IngestOptions {
  /** The journal's directory; made when it is missing. One process has it open: see `data-directory-lock.ts`. */
  readonly dir: string;
  /** A directory on the disk of the span store. Default: `dir`. */
  readonly storeDir?: string;
  /** Ingest alone writes to it. */
  readonly writer: SpanWriter;
  readonly log: Log;
  readonly registry: Registry;
  /** Spans that may wait between journal and store; no such limit when absent. */
  readonly maxQueuedSpans?: number;
  /** Called once, before any record is applied, with the end of the journal and the row ids that its records name. */
  readonly beforeApplying?: (journal: JournalRowIds & { readonly endPosition: number }) => Promise<void>;
  /** The journal is in doubt: the process must end now, with an error. What was acknowledged is safe. */
  readonly onFatal: (error: Error) => void;
  /** How long segments stay after the store needs them no more. */
  readonly graceMs?: number;
  /** Budget that the listeners count incoming bodies against. Default: a budget of its own. */
  readonly bodyBudget?: ByteBudget;
  /** Smaller limits, for tests. */
  readonly limits?: Omit<AdmissionLimits, 'queuedSpanCountMax'>;
  readonly journal?: Pick<JournalOptions, 'segmentBytes' | 'probeMs' | 'openFile'>;
  readonly pool?: DecodePoolOptions;
}

/**
 * Opens the way in. What the journal has and the store has not is applied from now on, in the background; new
 * requests are taken at once.
 */
export async function openIngest(options: IngestOptions): Promise<Ingest> {
  const appliedPosition = await options.writer.appliedPosition();
  // The journal is opened first: its observers look at what is made after it, and are called only later.
  let onCommit: JournalOptions['onCommit'];
  const { dir, log, onFatal } = options;
  const journal = await Journal.open({
    ...options.journal,
    dir,
    log,
    onFatal,
    startPosition: appliedPosition,
    onCommit: (commit) => onCommit?.(commit),
  });
  try {
    await options.beforeApplying?.({
      ...readJournalRowIds(dir, appliedPosition),
      endPosition: journal.durablePosition,
    });
  } catch (error) {
    await journal.close();
    throw error;
  }
  const room = await StoreRoom.open({
    dir: options.storeDir ?? dir,
    durablePosition: () => journal.durablePosition,
    checkpointedPosition: () => options.writer.checkpointedPosition(),
    log,
  });
  const ingest = new JournaledIngest(options, journal, room, appliedPosition);
  onCommit = ingest.onCommit;
  // A plain object, so that a caller may spread it and lay something over one of its operations.
  return {
    refusal: (bodyBytes) => ingest.refusal(bodyBytes),
    submitOtlp: (request) => ingest.submitOtlp(request),
    submitSpans: (json, spanCount) => ingest.submitSpans(json, spanCount),
    submitAnnotations: (batch) => ingest.submitAnnotations(batch),
    submitDeletion: (deletion) => ingest.submitDeletion(deletion),
    submitTransfer: (transfer) => ingest.submitTransfer(transfer),
    submitCostChange: (change) => ingest.submitCostChange(change),
    applied: (position) => ingest.applied(position),
    isCaughtUp: () => ingest.isCaughtUp(),
    recordRejection: (rejection) => ingest.recordRejection(rejection),
    latestErrors: () => ingest.latestErrors(),
    status: () => ingest.status(),
    close: () => ingest.close(),
  };
}

class JournaledIngest implements Ingest {
  readonly #options: IngestOptions;
  readonly #journal: Journal;
  readonly #room: StoreRoom;
  readonly #pool: DecodePool;
  readonly #projector: Projector;
  readonly #admission: Admission;
  readonly #metrics: IngestMetrics;
  readonly #backlog = new Backlog();
  readonly #errors = new IngestErrors();
  readonly #activity = new IngestActivity();
  readonly #rejections: RejectionLog;
  readonly #gauges: IngestGauges;
  /** Positions of problems that were told: a batch that is tried again brings them again. */
  readonly #toldProblems = new Set<number>();
  readonly #trimTimer: NodeJS.Timeout;
  #trimming: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  /** Position up to which reads have shown data, in this process or before it. Initially the end of the journal. */
  #caughtUpPosition: number;

  readonly onCommit: JournalOptions['onCommit'] = (commit) => {
    this.#metrics.committed(commit);
    this.#projector.notify();
  };

  constructor(options: IngestOptions, journal: Journal, room: StoreRoom, appliedPosition: number) {
    this.#options = options;
    this.#rejections = new RejectionLog(options.log);
    this.#journal = journal;
    this.#room = room;
    this.#caughtUpPosition = journal.durablePosition;
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
        journalRefusal: () => journal.refusal ?? room.refusal,
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

  refusal(bodyBytes: number): Error | undefined {
    return this.#admission.refusal(bodyBytes);
  }

  async submitOtlp(request: OtlpRequest): Promise<Acknowledgement> {
    const { from, body } = request;
    // The body moves to another thread, and its length with it.
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
        return { spanCount, rejectedSpanCount: 0, message: '', position };
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
    return { spanCount: 0, rejectedSpanCount: 0, message: '', position };
  }

  /** A deletion is let in where spans are not: it is what makes room. */
  async submitDeletion(deletion: Deletion): Promise<Acknowledgement> {
    const position = await this.#append({ kind: 'deletion', receivedAtMs: Date.now(), deletion }, new Uint8Array(0), 0);
    return { spanCount: 0, rejectedSpanCount: 0, message: '', position };
  }

  async submitTransfer(transfer: Transfer): Promise<Acknowledgement> {
    const position = await this.#append({ kind: 'transfer', receivedAtMs: Date.now(), transfer }, new Uint8Array(0), 0);
    return { spanCount: 0, rejectedSpanCount: 0, message: '', position };
  }

  async submitCostChange(change: CostChange): Promise<Acknowledgement> {
    const payload = Buffer.from(JSON.stringify(change));
    const position = await this.#append({ kind: 'costs', receivedAtMs: Date.now() }, payload, 0);
    return { spanCount: 0, rejectedSpanCount: 0, message: '', position };
  }

  applied(position: number): Promise<void> {
    return this.#projector.applied(position);
  }

  async isCaughtUp(): Promise<boolean> {
    return (await this.#options.writer.appliedPosition()) >= this.#caughtUpPosition;
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
    this.#room.close();
    await this.#admission.close();
    await this.#drain();
    await this.#projector.stop();
    await this.#trimming;
    this.#rejections.close();
    await Promise.all([this.#pool.close(), this.#journal.close()]);
  }

  async #takeOtlp(request: OtlpRequest, bodyBytes: number): Promise<Acknowledgement> {
    const { format, encoding, projectName } = request;
    const { face, remoteAddress } = request.from;
    const from = { face, remoteAddress };
    const receivedAtMs = Date.now();
    const startMs = performance.now();
    const checked = await this.#pool.check({ format, encoding, body: request.body });
    this.#metrics.checked(performance.now() - startMs);
    const { spanCount, rejectedSpanCount, message, body, bodyCrc } = checked;
    const acceptedSpanCount = spanCount - rejectedSpanCount;
    let position = this.#journal.durablePosition;
    // With nothing to store there is nothing to lose, and nothing to write.
    if (acceptedSpanCount > 0) {
      const head = { kind: 'otlp', receivedAtMs, spanCount: acceptedSpanCount, format, encoding, ...from } as const;
      position = await this.#append(projectName ? { ...head, projectName } : head, body, acceptedSpanCount, bodyCrc);
    }
    freeBuffer(body);
    this.#metrics.accepted(acceptedSpanCount, rejectedSpanCount);
    this.#activity.add(request.from, { spanCount: acceptedSpanCount, rejectedSpanCount, isRejected: false });
    if (rejectedSpanCount > 0) {
      this.#errors.add({ at: new Date(), ...from, reason: message, rejectedSpanCount, bodyBytes });
      this.#rejections.add({ from: request.from, reason: message, rejectedSpanCount });
    }
    return { spanCount, rejectedSpanCount, message, position };
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
    this.#caughtUpPosition = Math.max(this.#caughtUpPosition, batch.endPosition);
    const nowMs = performance.now();
    const lagsMs = this.#backlog.applied(batch.endPosition).map((atMs) => nowMs - atMs);
    this.#metrics.applied(batch, lagsMs);
    const { differingCount, droppedAnnotationCount } = batch;
    if (differingCount > 0) {
      const reason = `${differingCount} of the spans with an id that is stored already were others, by name, kind, status or time; the stored ones stay as they are`;
      this.#errors.add({
        at: new Date(),
        face: 'store',
        remoteAddress: '',
        reason,
        rejectedSpanCount: differingCount,
        bodyBytes: 0,
      });
    }
    if (droppedAnnotationCount > 0) {
      this.#options.log.warn(
        { annotationCount: droppedAnnotationCount },
        'Annotations were given up: their span, trace or session did not come in time, or the span has no such document',
      );
    }
  }

  /** A refusal that says "later" is no rejection for people to look at; the exporter sends it again. */
  #onRejected(error: unknown, from: OtlpRequest['from'], bodyBytes: number): void {
    const { face, remoteAddress } = from;
    const isKnown = error instanceof SpandrelError;
    this.#metrics.rejected(isKnown ? error.code : 'INTERNAL');
    const reason = (error as Error).message;
    if (isKnown) this.#rejections.add({ from, reason });
    else this.#options.log.error({ face, bodyBytes, error }, 'A request failed because of an internal error');
    if (isKnown && (error.kind === 'overloaded' || error.kind === 'storageFull')) return;
    this.#errors.add({ at: new Date(), face, remoteAddress, reason, rejectedSpanCount: 0, bodyBytes });
  }

  #onProblem({ position, bytes, reason, spanCount, remoteAddress, copy }: RecordProblem): void {
    if (this.#toldProblems.has(position)) return;
    this.#toldProblems.add(position);
    this.#metrics.setAside();
    this.#errors.add({
      at: new Date(),
      face: 'store',
      remoteAddress,
      reason,
      rejectedSpanCount: spanCount,
      bodyBytes: bytes,
    });
    this.#options.log.error(
      { position, bytes, spanCount, reason, copy },
      'A part of the journal could not be applied to the span store; keep the copy and report it',
    );
  }

  /** Gives the store time to apply everything; what it does not get to, it gets after the next start. */
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
      // On a full disk, room is worth more than segments that nobody needs.
      const graceBytesMax = (this.#journal.refusal ?? this.#room.refusal) ? 0 : JOURNAL_GRACE_BYTES_MAX;
      const freedBytes = await removeSegmentsBefore(dir, position, { graceMs, graceBytesMax });
      if (freedBytes > 0)
        log.debug({ freedBytes, position }, 'Journal segments that the store needs no more were removed');
    } catch (error) {
      log.warn(
        { error: (error as Error).message, dir },
        'Old journal segments could not be removed; trying again later',
      );
    }
  }
}

/** Spans of the REST interface come without a sender. */
const REST = { face: 'rest', remoteAddress: '' } as const;
