import type { ByteBudget } from '../../base/byte-budget.ts';
import { freeBuffer } from '../../base/free-buffer.ts';
import type { BodySink } from './exchange.ts';

/** A body that is being received, as the stall watch sees it. */
export interface IncomingBody extends BodySink {
  /** Number of received bytes. */
  readonly byteCount: number;
  /** Bytes of the body in memory. */
  readonly heldBytes: number;
  /** True while the client must send more of it: the body is incomplete and not paused. */
  readonly isAwaited: boolean;
  /** Drops the body. Further data is ignored. */
  fail(outcome: BodyFailure): void;
  /** Frees the memory. The body must have no readers left. */
  release(): void;
}

export type BodyFailure = Exclude<BodyOutcome, { readonly kind: 'complete' }>;
export type BodyOutcome =
  | { readonly kind: 'complete'; readonly body: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'overBudget' }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'misframed' }
  | { readonly kind: 'aborted' };

/**
 * Up to this size, the stated length is trusted and allocated at once. Above it, the buffer grows with the received
 * data, and is allocated completely when this share has arrived. Memory that is never written costs nothing, whereas
 * doubling the buffer until the end would copy tens of megabytes in one iteration of the event loop.
 */
const TRUSTED_BYTES_MAX = 1024 * 1024;
const TRUSTED_SHARE = 1 / 16;

/**
 * Collects the body of a request in one buffer that owns exactly its memory, so that it can be transferred to another
 * thread. Counts against the budget from the first byte until `release`.
 */
export class RequestBody implements IncomingBody {
  readonly isAwaited = true;
  readonly outcome: Promise<BodyOutcome>;
  /** Number of received bytes. The stall watch observes it. */
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
    if (isTooLarge || !this.#budget.hasCapacityFor(chunk.byteLength)) {
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

  /** Frees the memory of the body. Further data is ignored. */
  fail(outcome: BodyFailure): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    freeBuffer(this.#buffer);
    this.#buffer = new Uint8Array(0);
    this.#settle(outcome);
  }

  /** Releases the memory of the body. */
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
    // Not from Node's pool, so that the ArrayBuffer contains nothing else. Not zeroed, because it is filled
    // immediately.
    const grown = Buffer.allocUnsafeSlow(capacity);
    grown.set(this.#buffer.subarray(0, this.byteCount));
    freeBuffer(this.#buffer);
    this.#buffer = new Uint8Array(grown.buffer, 0, capacity);
  }
}
