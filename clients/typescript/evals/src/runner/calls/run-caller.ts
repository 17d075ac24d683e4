import { setMaxListeners } from 'node:events';
import { ArgumentError, BudgetError, ModelError } from '../../errors.ts';
import type { Model, ModelCaller, ModelRequest, ModelResponse } from '../../models/model.ts';
import { modelKey } from '../../models/model.ts';
import { withCost } from '../../models/prices/model-prices.ts';
import { isRateLimit, isRepeatable, repeatWaitMs, statusOf, waitFor } from '../../models/repeat.ts';
import { ownValue } from '../../own-value.ts';
import { type ResponseCache, requestKey } from '../files/response-cache.ts';
import { CallRepeats } from './call-repeats.ts';
import { type GateOptions, ModelGate } from './model-gate.ts';

export interface RunCallerOptions extends GateOptions {
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly maxCost: number | undefined;
  readonly cache: ResponseCache | undefined;
  /** Sends requests in batches of the vendor; undefined for models that have none. */
  readonly sendInBatch?: (model: Model, request: ModelRequest) => Promise<ModelResponse> | undefined;
  /** Stops the run: a key was rejected or the budget is used up. */
  readonly stop: (reason: 'key' | 'cost', error: Error) => void;
}

/** What the calls of a run took. */
export interface CallTotals {
  requestCount: number;
  cachedCount: number;
  /** Calls that the vendor rejected because of a limit. */
  limitedCount: number;
  inputTokens: number;
  outputTokens: number;
  /** Dollars of calls whose price is known. */
  cost: number;
  /** Calls whose price is not known. */
  unpricedCount: number;
}

/**
 * Limits of a vendor for each repeat that a call may take. They say nothing about the call: the same one may meet many until the
 * rate of its model is found.
 */
const LIMITS_PER_RETRY = 5;

/** Told of errors of attempts that were repeated. */
export type RetryListener = (error: unknown) => void;

/** A caller that keeps the place of its last call. */
export interface TaskCaller extends ModelCaller {
  release(): void;
}

type Hold = (gate: ModelGate) => void;

/** Models that have answered in this process: their keys are right. */
const answered = new WeakSet<Model>();

/** Functions, models in this process and servers of one's own have no key. */
function hasKey(model: Model): boolean {
  const connection = ownValue(model, 'connection');
  if (connection !== undefined) return ownValue(connection, 'apiKey') !== undefined;
  return model.provider !== 'function' && model.address !== '';
}

/** A model of one's own may throw before it returns a promise. */
async function startCall(model: Model, request: ModelRequest): Promise<ModelResponse> {
  return model.call(request);
}

/** Sends the calls of a run: cache, budget, gate of the model, time limit, repeats. */
export class RunCaller {
  readonly totals: CallTotals = {
    requestCount: 0,
    cachedCount: 0,
    limitedCount: 0,
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
    unpricedCount: 0,
  };
  /** What is repeated now, for the progress of the run. */
  readonly repeats = new CallRepeats();
  readonly #options: RunCallerOptions;
  readonly #gates = new Map<string, ModelGate>();
  readonly #active = new Set<AbortController>();
  readonly #stopping = new AbortController();
  #stopError: Error | undefined;

  /** Requests that wait for a batch. */
  #batchedCount = 0;

  constructor(options: RunCallerOptions) {
    this.#options = options;
    // Each call that waits for its repeat listens.
    setMaxListeners(0, this.#stopping.signal);
  }

  /** Calls that may run at once over all models; 0 before the first. */
  get limit(): number {
    return [...this.#gates.values()].reduce((sum, gate) => sum + gate.limit, 0);
  }

  /** Calls that were sent and have no response yet. */
  get activeCallCount(): number {
    return this.#active.size;
  }

  /**
   * A caller of one evaluation of a row. It keeps the place of its last call until `release`: a result counts when it is stored, so
   * the calls whose results a kill loses are never more than run at once.
   */
  forTask(onRetry: RetryListener): TaskCaller {
    const { cache } = this.#options;
    let held: ModelGate | undefined;
    const release = () => {
      held?.leave();
      held = undefined;
    };
    return {
      release,
      call: (model, request) => {
        release();
        return this.#call(model, request, onRetry, (gate) => {
          // Calls of one task at the same time: only one place is kept.
          release();
          held = gate;
        });
      },
      ...(cache && {
        keep: (model: Model, request: ModelRequest, response: ModelResponse) => {
          // A cache that cannot be written loses speed and no result.
          if (!response.isCached) cache.add(requestKey(model, request), response).catch(() => undefined);
        },
      }),
    };
  }

  /** Rejects calls that wait, and aborts those that are under way unless they are paid for anyway. */
  stop(error: Error, keepsActive: boolean): void {
    this.#stopError ??= error;
    this.#stopping.abort(error);
    if (!keepsActive) for (const controller of this.#active) controller.abort(error);
    for (const gate of this.#gates.values()) gate.stop(error);
  }

  async #call(model: Model, request: ModelRequest, onRetry: RetryListener, hold: Hold): Promise<ModelResponse> {
    const { cache, maxRetries } = this.#options;
    const found = cache?.find(requestKey(model, request));
    if (found) {
      this.totals.cachedCount++;
      return found;
    }
    const inBatch = this.#sendInBatch(model, request);
    if (inBatch) return await inBatch;
    let [failedCount, limitedCount] = [0, 0];
    let endRepeat = () => {};
    for (;;) {
      try {
        const response = await this.#send(model, request, hold);
        endRepeat();
        return response;
      } catch (error) {
        endRepeat();
        if (this.#stopError) throw this.#stopError;
        if (isRateLimit(error)) limitedCount++;
        else failedCount++;
        const limitsMax = maxRetries * LIMITS_PER_RETRY;
        const isSpent = failedCount > maxRetries || limitedCount > limitsMax;
        if (isSpent || !isRepeatable(error)) throw error;
        onRetry(error);
        // The gate of the model waits after a limit; others, such as a broken connection, concern only this call.
        if (isRateLimit(error)) {
          const waitMs = this.#gateOf(model).pauseMs;
          endRepeat = this.repeats.add(model, error, limitedCount + 1, limitsMax + 1, waitMs);
        } else {
          const waitMs = repeatWaitMs(error, failedCount);
          endRepeat = this.repeats.add(model, error, failedCount + 1, maxRetries + 1, waitMs);
          await waitFor(waitMs, this.#stopping.signal);
        }
      }
    }
  }

  /** Undefined for models without batches. */
  #sendInBatch(model: Model, request: ModelRequest): Promise<ModelResponse> | undefined {
    const { sendInBatch } = this.#options;
    if (!sendInBatch) return undefined;
    this.#checkBudget();
    const sent = sendInBatch(model, request);
    if (!sent) return undefined;
    this.#batchedCount++;
    return sent.then(
      (response) => {
        this.#batchedCount--;
        answered.add(model);
        this.totals.requestCount++;
        return this.#count(model, response);
      },
      (error: unknown) => {
        this.#batchedCount--;
        this.#checkKey(model, error);
        throw error;
      },
    );
  }

  async #send(model: Model, request: ModelRequest, hold: Hold): Promise<ModelResponse> {
    const gate = this.#gateOf(model);
    await gate.enter();
    try {
      if (this.#stopError) throw this.#stopError;
      this.#checkBudget();
    } catch (error) {
      gate.leave();
      throw error;
    }
    const startedAt = performance.now();
    this.totals.requestCount++;
    try {
      // Counted before the next call is let through, so that the budget knows it.
      const response = this.#count(model, await this.#timed(model, request));
      const { inputTokens = 0, outputTokens = 0 } = response.usage ?? {};
      gate.succeed(performance.now() - startedAt, response.headers, inputTokens + outputTokens);
      answered.add(model);
      this.repeats.succeed();
      hold(gate);
      return response;
    } catch (error) {
      if (isRateLimit(error)) this.totals.limitedCount++;
      // Before the next call is let through.
      this.#checkKey(model, error);
      gate.fail(error, startedAt);
      gate.leave();
      throw error;
    }
  }

  /** Ends the call at its time limit, also when the model does not look at the signal. */
  #timed(model: Model, request: ModelRequest): Promise<ModelResponse> {
    const { timeoutMs } = this.#options;
    const controller = new AbortController();
    this.#active.add(controller);
    return new Promise<ModelResponse>((resolve, reject) => {
      const timer = setTimeout(
        () =>
          controller.abort(
            new ModelError(`The model ${model.name} did not answer within ${timeoutMs / 1000} s.`, { status: 408 }),
          ),
        timeoutMs,
      );
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
      const end = () => {
        clearTimeout(timer);
        this.#active.delete(controller);
      };
      startCall(model, { ...request, signal: controller.signal, timeoutMs }).then(
        (response) => {
          end();
          resolve(response);
        },
        (error: unknown) => {
          end();
          reject(error);
        },
      );
    });
  }

  #gateOf(model: Model): ModelGate {
    const key = modelKey(model);
    let gate = this.#gates.get(key);
    if (!gate) {
      gate = new ModelGate(this.#options, hasKey(model) && !answered.has(model));
      if (this.#stopError) gate.stop(this.#stopError);
      this.#gates.set(key, gate);
    }
    return gate;
  }

  #count(model: Model, given: ModelResponse): ModelResponse {
    const response = withCost(model, given);
    const { totals } = this;
    totals.inputTokens += response.usage?.inputTokens ?? 0;
    totals.outputTokens += response.usage?.outputTokens ?? 0;
    if (response.cost === undefined) {
      totals.unpricedCount++;
      if (this.#options.maxCost !== undefined) {
        throw this.#end(
          'cost',
          new ArgumentError(
            response.usage?.inputTokens === undefined || response.usage.outputTokens === undefined
              ? `maxCost needs the tokens of each call, which the model ${model.name} does not state; leave maxCost out.`
              : `maxCost needs the price of the model ${model.name}, which is unknown: pass prices to openModel.`,
          ),
        );
      }
    } else totals.cost += response.cost;
    return response;
  }

  /** Counts calls that are under way by the mean cost so far, so that the budget is not passed by all of them. */
  #checkBudget(): void {
    const { maxCost } = this.#options;
    if (maxCost === undefined) return;
    const { cost, requestCount } = this.totals;
    const meanCost = cost / Math.max(1, requestCount - this.#active.size);
    if (cost + meanCost * (this.#active.size + this.#batchedCount + 1) <= maxCost && maxCost > 0) return;
    throw this.#end('cost', new BudgetError(`The budget of ${maxCost} dollars is used up (${cost.toFixed(4)} spent).`));
  }

  /** The same key is rejected for every row. A model that has answered has a key, so 403 then means one request. */
  #checkKey(model: Model, error: unknown): void {
    const status = statusOf(error);
    if (status === 401 || (status === 403 && !answered.has(model))) this.#end('key', error as Error);
  }

  #end(reason: 'key' | 'cost', error: Error): Error {
    this.#options.stop(reason, error);
    return error;
  }
}
