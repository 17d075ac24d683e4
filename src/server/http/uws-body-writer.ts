import type { UwsResponse } from '../../../native-bindings/uwebsockets.ts';
import type { BodyWriter } from './exchange.ts';

/** A response of uWebSockets.js, and whether it may still be used. Any call after its end or abort throws. */
export interface UwsResponseState {
  readonly res: UwsResponse;
  isOver: boolean;
}

export interface UwsBodyWriter extends BodyWriter {
  /** Called when the connection accepts more data, or is closed. */
  onWritable(): void;
  /**
   * uWebSockets.js closes a connection that accepts no data for about 10 s. Only a write restarts that timeout and
   * continues to wait until the connection is writable (`resume` and `pause` do not), so a waiting writer writes a few
   * bytes.
   *
   * @returns false if nothing is waiting
   */
  nudge(): boolean;
}

/**
 * Writes a body with a stated length. uWebSockets.js buffers none of it: data that the socket does not accept stays
 * here.
 */
export class UwsSizedWriter implements UwsBodyWriter {
  readonly #state: UwsResponseState;
  readonly #contentLength: number;
  #rest: Uint8Array | undefined;
  #onWritable: (() => void) | undefined;

  constructor(state: UwsResponseState, contentLength: number) {
    this.#state = state;
    this.#contentLength = contentLength;
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    this.#offer(chunk);
    if (this.#rest === undefined) return undefined;
    return new Promise((resolve) => {
      this.#onWritable = resolve;
    });
  }

  /** The last write has ended the response. */
  end(): void {}

  onWritable(): void {
    if (this.#rest !== undefined) this.#offer(this.#rest);
    if (this.#rest !== undefined) return;
    this.#onWritable?.();
    this.#onWritable = undefined;
  }

  nudge(): boolean {
    if (this.#rest === undefined) return false;
    this.onWritable();
    return true;
  }

  #offer(chunk: Uint8Array): void {
    this.#rest = undefined;
    const { res, isOver } = this.#state;
    if (isOver || chunk.byteLength === 0) return;
    const offset = res.getWriteOffset();
    let wasTaken = false;
    let isComplete = false;
    res.cork(() => {
      [wasTaken, isComplete] = res.tryEnd(chunk, this.#contentLength);
    });
    this.#state.isOver ||= isComplete;
    if (!wasTaken && !isComplete) this.#rest = chunk.subarray(res.getWriteOffset() - offset);
  }
}

/** Bytes per nudge. Small enough that one chunk suffices for all nudges while a reader may be slow. */
const NUDGE_BYTES = 32;

/**
 * Writes a body of unknown length. uWebSockets.js buffers data that the socket does not accept. One more chunk waits
 * here for nudges.
 */
export class UwsChunkedWriter implements UwsBodyWriter {
  readonly #state: UwsResponseState;
  readonly #closesConnection: boolean;
  #isBlocked = false;
  #ahead: Uint8Array | undefined;
  #onWritable: (() => void) | undefined;

  constructor(state: UwsResponseState, closesConnection: boolean) {
    this.#state = state;
    this.#closesConnection = closesConnection;
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (!this.#isBlocked) {
      this.#send(chunk);
      return undefined;
    }
    this.#ahead = chunk;
    return new Promise((resolve) => {
      this.#onWritable = resolve;
    });
  }

  end(): void {
    if (this.#ahead !== undefined) this.#send(this.#ahead);
    const { res, isOver } = this.#state;
    if (isOver) return;
    this.#state.isOver = true;
    res.cork(() => res.end(undefined, this.#closesConnection));
  }

  onWritable(): void {
    this.#isBlocked = false;
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead !== undefined) this.#send(ahead);
    this.#onWritable?.();
    this.#onWritable = undefined;
  }

  nudge(): boolean {
    if (!this.#isBlocked) return false;
    const ahead = this.#ahead;
    if (ahead === undefined) return true;
    this.#ahead = ahead.byteLength > NUDGE_BYTES ? ahead.subarray(NUDGE_BYTES) : undefined;
    this.#send(ahead.subarray(0, NUDGE_BYTES));
    if (!this.#isBlocked) this.onWritable();
    return true;
  }

  #send(chunk: Uint8Array): void {
    const { res, isOver } = this.#state;
    // An empty chunk would end the response.
    if (isOver || chunk.byteLength === 0) return;
    res.cork(() => {
      this.#isBlocked = !res.write(chunk);
    });
  }
}
