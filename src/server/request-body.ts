import type { ByteBudget } from '../base/byte-budget.ts';
import { freeBuffer } from '../base/free-buffer.ts';
import type { BodySink } from './exchange.ts';

/** A body on its way, as the watch on stalled bodies sees it. */
export interface IncomingBody extends BodySink {
  /** Bytes that came. */
  readonly byteCount: number;
  /** Bytes of the body in memory. */
  readonly heldBytes: number;
  /** True while its sender owes more of it: it has not come to its end, and is not paused. */
  readonly isAwaited: boolean;
  /** Gives the body up: what still comes is dropped. */
  fail(outcome: BodyFailure): void;
  /** Frees the memory. The body must have no readers any more. */
  release(): void;
}

export type BodyFailure = Exclude<BodyOutcome, { readonly kind: 'complete' }>;
export type BodyOutcome =
  | { readonly kind: 'complete'; readonly body: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'overBudget' }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'aborted' };

/**
 * Up to here a stated length is believed and allocated at once; above, the buffer grows with what really comes, and is
 * made whole when this share of it is there. Memory that nothing was written to costs nothing, while to grow by doubling
 * to the end would copy tens of megabytes in one turn of the event loop.
 */
const TRUSTED_BYTES_MAX = 1024 * 1024;
const TRUSTED_SHARE = 1 / 16;

/**
 * Collects a request's body in one buffer that owns its memory exactly, so that it can be transferred to another
 * thread. Counts against the budget from the first byte until `release`.
 */
export class RequestBody implements IncomingBody {
  readonly isAwaited = true;
  readonly outcome: Promise<BodyOutcome>;
  /** Bytes that came; the sweeper of stalled bodies watches it grow. */
  byteCount = 0;
  readonly #budget: ByteBudget;
  readonly #bytesMax: number;
  readonly #contentLength: number | undefined;
  #buffer: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #settle!: (outcome: BodyOutcome) => void;
  #isSettled = false;
  #budgetBytes = 0;

  constructor(budget: ByteBudget, bytesMax: number, contentLength: number | undefined) {
    this.#budget = budget;
    this.#bytesMax = bytesMax;
    this.#contentLength = contentLength;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get heldBytes(): number {
    return this.#budgetBytes;
  }

  data(chunk: Uint8Array): void {
    if (this.#isSettled) return;
    const byteCount = this.byteCount + chunk.byteLength;
    const isTooLarge = byteCount > this.#bytesMax;
    if (isTooLarge || !this.#budget.hasRoomFor(chunk.byteLength)) {
      this.fail({ kind: isTooLarge ? 'tooLarge' : 'overBudget' });
      return;
    }
    this.#budget.bytes += chunk.byteLength;
    this.#budgetBytes += chunk.byteLength;
    if (byteCount > this.#buffer.byteLength) this.#grow(byteCount);
    this.#buffer.set(chunk, this.byteCount);
    this.byteCount = byteCount;
  }

  end(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    if (this.#buffer.byteLength > this.byteCount) {
      const exact = this.#buffer.slice(0, this.byteCount);
      freeBuffer(this.#buffer);
      this.#buffer = exact;
    }
    this.#settle({ kind: 'complete', body: this.#buffer });
  }

  /** Gives the body up: its memory goes, and what still comes is dropped. */
  fail(outcome: BodyFailure): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    freeBuffer(this.#buffer);
    this.#buffer = new Uint8Array(0);
    this.#settle(outcome);
  }

  /** The body is no longer held. */
  release(): void {
    // A buffer that was transferred to another thread is empty here.
    freeBuffer(this.#buffer);
    this.#buffer = new Uint8Array(0);
    this.#budget.bytes -= this.#budgetBytes;
    this.#budgetBytes = 0;
  }

  #grow(byteCount: number): void {
    const stated = this.#contentLength ?? 0;
    const trusted = byteCount >= TRUSTED_SHARE * stated ? stated : Math.min(stated, TRUSTED_BYTES_MAX);
    const roomy = Math.max(byteCount, this.#buffer.byteLength * 2, trusted);
    const capacity = stated >= byteCount ? Math.min(roomy, stated) : roomy;
    // Not from Node's pool, so that the ArrayBuffer holds nothing else, and not zeroed, as it is filled at once.
    const grown = Buffer.allocUnsafeSlow(capacity);
    grown.set(this.#buffer.subarray(0, this.byteCount));
    freeBuffer(this.#buffer);
    this.#buffer = new Uint8Array(grown.buffer, 0, capacity);
  }
}
