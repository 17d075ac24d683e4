import { BODY_STREAM_BYTES } from '../../model/limits/datasets.ts';
import type { Exchange } from './exchange.ts';
import type { BodyFailure, IncomingBody } from './request-body.ts';

/** Thrown to the reader of a body that does not arrive completely. */
export class BodyBroken extends Error {
  override readonly name = 'BodyBroken';
  readonly failure: BodyFailure;
  constructor(failure: BodyFailure) {
    super(`The body of the request is incomplete: ${failure.kind}`);
    this.failure = failure;
  }
}

/**
 * A body that is read while it arrives. If its reader is slower than its sender, the connection is paused, so that the
 * waiting data stays below `BODY_STREAM_BYTES` plus what an engine reads at once.
 */
export class StreamedBody implements IncomingBody, AsyncIterable<Uint8Array> {
  byteCount = 0;
  #isPaused = false;
  readonly #exchange: Pick<Exchange, 'pauseBody' | 'resumeBody'>;
  readonly #bytesMax: number;
  readonly #contentLength: number | undefined;
  readonly #chunks: Uint8Array[] = [];
  #waitingBytes = 0;
  #isOver = false;
  #isReleased = false;
  #failure: BodyFailure | undefined;
  #wake: (() => void) | undefined;

  constructor(
    exchange: Pick<Exchange, 'pauseBody' | 'resumeBody'>,
    bytesMax: number,
    contentLength: number | undefined,
  ) {
    this.#exchange = exchange;
    this.#bytesMax = bytesMax;
    this.#contentLength = contentLength;
  }

  get isAwaited(): boolean {
    return !this.#isPaused && !this.#isOver;
  }

  get heldBytes(): number {
    return this.#waitingBytes;
  }

  /** Number of bytes that have not arrived, if the request states its length. */
  get unreadBytes(): number {
    return this.#isOver ? 0 : Math.max(0, (this.#contentLength ?? 0) - this.byteCount);
  }

  data(chunk: Uint8Array): void {
    this.byteCount += chunk.byteLength;
    if (this.#isReleased || this.#failure) return;
    if (this.byteCount > this.#bytesMax) {
      this.fail({ kind: 'tooLarge' });
      return;
    }
    // The engine reuses this memory after the call.
    this.#chunks.push(chunk.slice());
    this.#waitingBytes += chunk.byteLength;
    if (this.#waitingBytes > BODY_STREAM_BYTES && !this.#isPaused) {
      this.#isPaused = true;
      this.#exchange.pauseBody();
    }
    this.#wake?.();
  }

  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  fail(failure: BodyFailure): void {
    if (this.#isOver) return;
    this.#failure ??= failure;
    this.#resume();
    this.#wake?.();
  }

  release(): void {
    this.#isReleased = true;
    this.#chunks.length = 0;
    this.#waitingBytes = 0;
    this.#resume();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#failure) throw new BodyBroken(this.#failure);
      const chunk = this.#chunks.shift();
      if (chunk) {
        this.#waitingBytes -= chunk.byteLength;
        if (this.#waitingBytes < BODY_STREAM_BYTES / 2) this.#resume();
        yield chunk;
      } else if (this.#isOver || this.#isReleased) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#exchange.resumeBody();
  }
}
