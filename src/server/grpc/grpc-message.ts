import type { ByteBudget } from '../../base/byte-budget.ts';
import { expectPresent } from '../../base/expect-present.ts';
import { BODY_BYTES_MAX } from '../../model/limits/requests.ts';
import { type BodyFailure, type BodyOutcome, type IncomingBody, RequestBody } from '../http/request-body.ts';

/** Frame head: a flag (1 means compressed) and the big-endian length of the message. */
const FRAME_HEAD_BYTES = 5;

export type GrpcMessageOutcome =
  | { readonly kind: 'complete'; readonly message: Uint8Array<ArrayBuffer>; readonly isCompressed: boolean }
  | { readonly kind: 'malformed'; readonly reason: string }
  | BodyFailure;

/**
 * Collects the only message of a unary call in its own buffer. It counts against the budget from the first byte until
 * `release`, like a request body over HTTP.
 */
export class GrpcMessage implements IncomingBody {
  readonly isAwaited = true;
  readonly outcome: Promise<GrpcMessageOutcome>;
  byteCount = 0;
  readonly #budget: ByteBudget;
  readonly #head = Buffer.alloc(FRAME_HEAD_BYTES);
  #body: RequestBody | undefined;
  #messageBytes = 0;
  #settle!: (outcome: GrpcMessageOutcome) => void;
  #isSettled = false;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
    this.outcome = new Promise((resolve) => {
      this.#settle = (outcome) => {
        this.#isSettled = true;
        resolve(outcome);
      };
    });
  }

  get heldBytes(): number {
    return this.#body?.heldBytes ?? 0;
  }

  data(chunk: Uint8Array): void {
    if (this.#isSettled) return;
    const headBytes = Math.min(chunk.byteLength, Math.max(0, FRAME_HEAD_BYTES - this.byteCount));
    if (headBytes > 0) this.#head.set(chunk.subarray(0, headBytes), this.byteCount);
    this.byteCount += chunk.byteLength;
    if (this.byteCount < FRAME_HEAD_BYTES) return;
    const body = this.#body ?? this.#open();
    if (this.byteCount > FRAME_HEAD_BYTES + this.#messageBytes) {
      this.#reject('The call has more than one message');
    } else if (headBytes < chunk.byteLength) body.data(chunk.subarray(headBytes));
  }

  end(): void {
    if (this.#isSettled) return;
    if (this.byteCount < FRAME_HEAD_BYTES + this.#messageBytes) this.#reject('The message is incomplete');
    else this.#body?.end();
  }

  fail(outcome: BodyFailure): void {
    if (this.#isSettled) return;
    this.#settle(outcome);
    this.#body?.fail(outcome);
  }

  release(): void {
    this.#body?.release();
  }

  #open(): RequestBody {
    this.#messageBytes = this.#head.readUInt32BE(1);
    this.#body = new RequestBody(this.#budget, BODY_BYTES_MAX, this.#messageBytes);
    if (this.#messageBytes > BODY_BYTES_MAX) this.fail({ kind: 'tooLarge' });
    else if (expectPresent(this.#head[0], 'the head is complete') > 1)
      this.#reject('The head of the message has an unknown flag');
    else void this.#body.outcome.then((outcome) => this.#close(outcome));
    return this.#body;
  }

  #close(outcome: BodyOutcome): void {
    if (this.#isSettled) return;
    if (outcome.kind !== 'complete') this.#settle(outcome);
    else this.#settle({ kind: 'complete', message: outcome.body, isCompressed: this.#head[0] === 1 });
  }

  #reject(reason: string): void {
    this.#settle({ kind: 'malformed', reason });
    this.#body?.fail({ kind: 'aborted' });
  }
}
