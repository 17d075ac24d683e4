import type { ByteBudget } from '../base/byte-budget.ts';
import { SpandrelError } from '../model/errors.ts';
import { BACKLOG_BYTES_MAX, INFLIGHT_BYTES_MAX } from '../model/limits/ingest.ts';
import { BODY_BYTES_MAX } from '../model/limits/requests.ts';

export interface AdmissionLimits {
  readonly inFlightBytesMax?: number;
  readonly backlogBytesMax?: number;
  /** Maximum number of spans that are journaled but not yet stored. Undefined: no limit. */
  readonly queuedSpanCountMax?: number;
}

/** State that admission checks but does not count itself. */
export interface AdmissionView {
  /** Bytes that are journaled but not yet stored. */
  readonly backlogBytes: () => number;
  readonly queuedSpanCount: () => number;
  readonly isDecodeQueueFull: () => boolean;
  /** Budget of the bodies that are being received. */
  readonly bodyBudget: ByteBudget;
  /** Error of the journal while it accepts no records. */
  readonly journalRejection: () => SpandrelError | undefined;
}

/** Decides whether a request is admitted, and counts the bytes of admitted requests. */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #view: AdmissionView;
  #inFlightBytes = 0;
  #inFlightCount = 0;
  #isClosed = false;
  #whenEmpty: () => void = () => {};

  constructor(limits: AdmissionLimits, view: AdmissionView) {
    this.#limits = limits;
    this.#view = view;
  }

  get inFlightBytes(): number {
    return this.#inFlightBytes;
  }

  /** The error that a request with this body would receive now, before any of its bytes has arrived. */
  findRejection(bodyBytes: number): SpandrelError | undefined {
    const hasCapacity = this.#view.bodyBudget.hasCapacityFor(Math.min(bodyBytes, BODY_BYTES_MAX));
    return this.#findRejection(bodyBytes) ?? (hasCapacity ? undefined : overloaded());
  }

  #findRejection(bodyBytes: number): SpandrelError | undefined {
    if (this.#isClosed) return new SpandrelError('SHUTTING_DOWN', 'The server is stopping');
    const journalRejection = this.#view.journalRejection();
    if (journalRejection) return journalRejection;
    if (this.#isOverloaded(bodyBytes)) return overloaded();
    if (bodyBytes > BODY_BYTES_MAX) {
      return new SpandrelError('BODY_TOO_LARGE', `The body has ${bodyBytes} bytes; the maximum is ${BODY_BYTES_MAX}`);
    }
    return undefined;
  }

  /**
   * Runs an admitted request, and counts its bytes until it ends.
   *
   * @throws the error of `findRejection`
   */
  async run<Result>(bodyBytes: number, request: () => Promise<Result>): Promise<Result> {
    const rejection = this.#findRejection(bodyBytes);
    if (rejection) throw rejection;
    this.#inFlightBytes += bodyBytes;
    this.#inFlightCount++;
    try {
      return await request();
    } finally {
      this.#inFlightBytes -= bodyBytes;
      if (--this.#inFlightCount === 0) this.#whenEmpty();
    }
  }

  /** Admits no further request. Resolves when all admitted requests have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#inFlightCount === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
  }

  #isOverloaded(bodyBytes: number): boolean {
    const {
      inFlightBytesMax = INFLIGHT_BYTES_MAX,
      backlogBytesMax = BACKLOG_BYTES_MAX,
      queuedSpanCountMax = Number.POSITIVE_INFINITY,
    } = this.#limits;
    const { backlogBytes, queuedSpanCount, isDecodeQueueFull } = this.#view;
    return (
      this.#inFlightBytes + Math.min(bodyBytes, BODY_BYTES_MAX) > inFlightBytesMax ||
      backlogBytes() + this.#inFlightBytes + bodyBytes > backlogBytesMax ||
      queuedSpanCount() >= queuedSpanCountMax ||
      isDecodeQueueFull()
    );
  }
}

const overloaded = () =>
  new SpandrelError('INGEST_OVERLOADED', 'Server is at capacity and cannot process more requests');
