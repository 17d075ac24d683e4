import {
  MODEL_CALL_MS_MAX,
  MODEL_CONNECT_MS_MAX,
  MODEL_FIRST_BYTE_MS_MAX,
  MODEL_HELD_BYTES_MAX,
  MODEL_IDLE_MS_MAX,
} from '../../model/limits/model-calls.ts';
import type { VendorLimit } from '../../model/models/vendor-limit.ts';
import { ModelError } from '../contract/model-error.ts';
import type { AgentOptions, CheckedAgent } from './checked-agent.ts';
import { ReadTurns } from './read-turns.ts';
import type { BodyForm } from './response-body.ts';
import { scrub } from './scrub.ts';
import { toRequest } from './to-request.ts';
import { STOPPED, type TimeLimits, VendorRequest } from './vendor-request.ts';

export type TransportOptions = AgentOptions & {
  /** Shorter limits for tests. */
  readonly times?: Partial<CallTimes>;
};

export interface CallTimes extends TimeLimits {
  readonly totalMs: number;
}

const TIMES: CallTimes = {
  connectMs: MODEL_CONNECT_MS_MAX,
  firstByteMs: MODEL_FIRST_BYTE_MS_MAX,
  idleMs: MODEL_IDLE_MS_MAX,
  totalMs: MODEL_CALL_MS_MAX,
};

export interface CallLimits {
  readonly signal: AbortSignal;
  /** Texts that never appear in an error. */
  readonly secrets: readonly string[];
  readonly form: BodyForm;
  readonly totalMs?: number;
  /** Called with the limits that the headers of a response state. */
  readonly onLimits?: ((limits: readonly VendorLimit[]) => void) | undefined;
}

/** What a protocol gets for one call: the only way to a vendor. */
export interface VendorCall {
  /**
   * For the official packages. It follows no redirects, keeps no cookies, retries nothing, and rejects with a `ModelError` also for a response
   * with an error status. The response is an async iterable and has `getReader`, `text` and `json`.
   */
  readonly fetch: typeof fetch;
  /** Counts bytes that are in memory until the end of the call. Above the limit of all calls, the call fails. */
  hold(bytes: number): void;
  /** Texts that must not appear in an error, for the functions that make one. */
  readonly secrets: readonly string[];
  /** Adds credentials that are found during the call, such as those of a cloud. */
  hide(secrets: readonly string[]): void;
  /** Removes credentials from a text of the vendor and bounds it. */
  scrub(text: string): string;
}

/** The connections to all vendors. */
export interface VendorTransport {
  /**
   * Makes one call within its limits. Its connection is closed when it is aborted, and when `work` ends before the response.
   *
   * @throws {ModelError} whatever `work` throws
   */
  call<Result>(limits: CallLimits, work: (call: VendorCall) => Promise<Result>): Promise<Result>;
  /** Calls in flight reject with kind `stopped`. */
  close(): Promise<void>;
}

/** Opens no connection. The HTTP client is loaded by the first call. */
export function openVendorTransport(options: TransportOptions): VendorTransport {
  const times = { ...TIMES, ...options.times };
  const calls = new Set<OpenCall>();
  const shared: Shared = { heldBytes: 0, turns: new ReadTurns(), steps: new ReadTurns(1) };
  let agent: Promise<CheckedAgent> | undefined;
  const openAgent = () => {
    agent ??= import('./checked-agent.ts').then(({ openCheckedAgent }) => openCheckedAgent(options));
    return agent;
  };
  let isClosed = false;
  return {
    async call(limits, work) {
      if (isClosed || limits.signal.aborted) throw stopped();
      const call = new OpenCall(limits, { ...times, totalMs: limits.totalMs ?? times.totalMs }, openAgent, shared);
      calls.add(call);
      try {
        return await call.run(work);
      } finally {
        calls.delete(call);
      }
    },
    async close() {
      isClosed = true;
      for (const call of calls) call.fail(stopped());
      await (await agent)?.close();
    },
  };
}

/** State that all calls in flight share. */
interface Shared {
  /** Bytes of their responses. */
  heldBytes: number;
  readonly turns: ReadTurns;
  /** Begins and ends of calls. A hundred of either at once would hold the event loop. */
  readonly steps: ReadTurns;
}

class OpenCall implements VendorCall {
  readonly #limits: CallLimits;
  readonly #secrets: string[];
  readonly #times: CallTimes;
  readonly #openAgent: () => Promise<CheckedAgent>;
  readonly #shared: Shared;
  #heldBytes = 0;
  #request: VendorRequest | undefined;
  /** The first failure, which packages wrap or replace. */
  #error: ModelError | undefined;
  #onFail: (error: ModelError) => void = () => {};

  constructor(limits: CallLimits, times: CallTimes, openAgent: () => Promise<CheckedAgent>, shared: Shared) {
    this.#limits = limits;
    this.#secrets = [...limits.secrets];
    this.#times = times;
    this.#openAgent = openAgent;
    this.#shared = shared;
  }

  get secrets(): readonly string[] {
    return this.#secrets;
  }

  hide(secrets: readonly string[]): void {
    this.#secrets.push(...secrets);
  }

  scrub(text: string): string {
    return scrub(text, this.secrets);
  }

  hold(bytes: number): void {
    this.#heldBytes += bytes;
    this.#shared.heldBytes += bytes;
    if (this.#shared.heldBytes > MODEL_HELD_BYTES_MAX) this.fail(new ModelError('unavailable', TOO_MANY_BYTES));
  }

  fail(error: ModelError): void {
    this.#error ??= error;
    this.#request?.fail(this.#error);
    this.#onFail(this.#error);
  }

  async run<Result>(work: (call: VendorCall) => Promise<Result>): Promise<Result> {
    const { signal } = this.#limits;
    const abort = () => this.fail(stopped());
    const timer = setTimeout(
      () => this.fail(new ModelError('timedOut', 'The call to the model took too long.')),
      this.#times.totalMs,
    );
    signal.addEventListener('abort', abort, { once: true });
    // Also ends a package that does not notice that its request has ended.
    const failure = new Promise<never>((_, reject) => {
      this.#onFail = reject;
    });
    try {
      const result = await Promise.race([this.#withYields(work), failure]);
      if (this.#error) throw this.#error;
      return result;
    } catch (error) {
      throw this.#toModelError(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      this.#request?.close();
      this.#shared.heldBytes -= this.#heldBytes;
    }
  }

  /** The work of a package before it sends, and that of the caller with the result, take a millisecond each. */
  async #withYields<Result>(work: (call: VendorCall) => Promise<Result>): Promise<Result> {
    await this.#shared.steps.enter();
    const result = await work(this);
    await this.#shared.steps.enter();
    return result;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = toRequest(input, init);
    const agent = await this.#openAgent();
    if (this.#error) throw this.#error;
    const { form, onLimits } = this.#limits;
    // One at a time: a package that retries has given up the request before.
    this.#request?.fail(stopped());
    const exchange = new VendorRequest({
      ...{ url: request.url, secrets: this.#secrets, form, times: this.#times },
      hold: (bytes) => this.hold(bytes),
      turns: this.#shared.turns,
      onLimits,
    });
    this.#request = exchange;
    init?.signal?.addEventListener('abort', () => exchange.fail(stopped()), { once: true });
    try {
      agent.dispatch(request.dispatch, exchange);
    } catch (error) {
      exchange.onResponseError(undefined as never, error as Error);
    }
    return (await exchange.response).asResponse();
  };

  #toModelError(error: unknown): ModelError {
    const found = this.#error ?? this.#request?.error ?? modelErrorIn(error);
    if (found) return found;
    if (error instanceof SyntaxError) {
      return new ModelError('unreadable', 'The response of the model endpoint is not valid JSON.', { cause: error });
    }
    const message = error instanceof Error ? error.message : String(error);
    return new ModelError('unreadable', this.scrub(`The response of the model endpoint cannot be read: ${message}`), {
      cause: error,
    });
  }
}

const CAUSE_DEPTH_MAX = 5;

function modelErrorIn(error: unknown): ModelError | undefined {
  let cause = error;
  for (let depth = 0; depth < CAUSE_DEPTH_MAX && cause instanceof Error; depth++) {
    if (cause instanceof ModelError) return cause;
    cause = cause.cause;
  }
  return undefined;
}

const TOO_MANY_BYTES =
  'The responses of all calls to models take too much memory. Try again later, with fewer calls at once.';

const stopped = (): ModelError => new ModelError('stopped', STOPPED);
