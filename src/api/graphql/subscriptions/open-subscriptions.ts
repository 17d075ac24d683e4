import type { Caller } from '../../../model/access/caller.ts';
import { SpandrelError } from '../../../model/errors.ts';
import {
  SUBSCRIPTION_COUNT_MAX,
  SUBSCRIPTION_HEARTBEAT_MS,
  SUBSCRIPTION_MS_MAX,
  SUBSCRIPTION_WAITING_CHARS_MAX,
  SUBSCRIPTIONS_OF_CALLER_COUNT_MAX,
} from '../../../model/limits/subscriptions.ts';

export interface SubscriptionLimits {
  readonly countMax: number;
  readonly ofCallerCountMax: number;
  readonly msMax: number;
  readonly heartbeatMs: number;
  readonly waitingCharsMax: number;
}

const LIMITS: SubscriptionLimits = {
  countMax: SUBSCRIPTION_COUNT_MAX,
  ofCallerCountMax: SUBSCRIPTIONS_OF_CALLER_COUNT_MAX,
  msMax: SUBSCRIPTION_MS_MAX,
  heartbeatMs: SUBSCRIPTION_HEARTBEAT_MS,
  waitingCharsMax: SUBSCRIPTION_WAITING_CHARS_MAX,
};

/** The running subscriptions of a server. */
export class OpenSubscriptions {
  readonly limits: SubscriptionLimits;
  readonly #counts = new Map<unknown, number>();
  readonly #running = new Set<AbortController>();
  #isClosed = false;

  constructor(limits: Partial<SubscriptionLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  get count(): number {
    return this.#running.size;
  }

  /**
   * Starts a subscription. Its signal fires when the client has disconnected, with the reason `CANCELLED`, and when the
   * server ends it, with another one. The subscription counts until its controller is aborted.
   *
   * @throws {SpandrelError} `SUBSCRIPTIONS_TOO_MANY`, `SHUTTING_DOWN`
   */
  open(caller: Caller, clientAddress: string, client: AbortSignal): AbortController {
    if (this.#isClosed) throw shuttingDown();
    const owner = ownerOf(caller, clientAddress);
    const ofCaller = this.#counts.get(owner) ?? 0;
    const { countMax, ofCallerCountMax, msMax } = this.limits;
    if (this.#running.size >= countMax || ofCaller >= ofCallerCountMax) {
      throw new SpandrelError('SUBSCRIPTIONS_TOO_MANY', 'Too many subscriptions are running; close some and try again');
    }
    const controller = new AbortController();
    const { signal } = controller;
    this.#running.add(controller);
    this.#counts.set(owner, ofCaller + 1);
    const timer = setTimeout(() => controller.abort(tooLong(msMax)), msMax).unref();
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        this.#running.delete(controller);
        const left = (this.#counts.get(owner) ?? 1) - 1;
        if (left > 0) this.#counts.set(owner, left);
        else this.#counts.delete(owner);
      },
      { once: true },
    );
    const endWith = (other: AbortSignal, reason: () => SpandrelError) => {
      if (other.aborted) controller.abort(reason());
      else other.addEventListener('abort', () => controller.abort(reason()), { once: true, signal });
    };
    endWith(client, () => new SpandrelError('CANCELLED', 'The client closed the request.'));
    if (caller.kind === 'signedIn') endWith(caller.signal, () => new SpandrelError('UNAUTHENTICATED', 'Invalid token'));
    return controller;
  }

  /** Ends every subscription. No other one starts. */
  close(): void {
    this.#isClosed = true;
    for (const controller of [...this.#running]) controller.abort(shuttingDown());
  }
}

const shuttingDown = () => new SpandrelError('SHUTTING_DOWN', 'The server is shutting down; try again later');

const tooLong = (msMax: number) =>
  new SpandrelError('QUERY_TIMED_OUT', `A subscription may take at most ${msMax / 1_000} s`);

/** Callers of a server without sign-in are told apart by their address. */
const ownerOf = (caller: Caller, clientAddress: string): unknown =>
  caller.kind === 'signedIn' ? (caller.user.rowId ?? caller.credential) : clientAddress;
