import { setMaxListeners } from 'node:events';
import { EvaluationError, ModelError } from '../../errors.ts';
import type { Model, ModelRequest, ModelResponse } from '../../models/model.ts';
import { modelKey } from '../../models/model.ts';
import type { HttpModel } from '../../models/open-model.ts';
import { costOf } from '../../models/prices/model-prices.ts';
import { isRepeatable, isTimeout, repeatWaitMs, waitFor } from '../../models/repeat.ts';
import { AppendFile } from '../files/append-file.ts';
import { readPositions } from '../files/line-positions.ts';
import { requestKey } from '../files/response-cache.ts';
import { type BatchResults, batchesOf, type VendorBatches } from './vendor-batches.ts';

export interface BatchOptions {
  /** Time between two looks at a batch; default 30 s. */
  readonly pollMs?: number;
  /** Requests of one batch; default 10,000. */
  readonly size?: number;
}

const POLL_MS = 30_000;
export const BATCH_SIZE = 10_000;
/** Bytes of the requests of one batch; vendors allow 200 MB and more. */
const BATCH_CHARS_MAX = 100_000_000;
/** A batch is sent when no request came for this time: all rows that fit are waiting then. */
const IDLE_MS = 500;
/** Failed attempts in a row: a batch that is paid for is not given up because its vendor was away for some minutes. */
const SEND_ATTEMPT_COUNT_MAX = 5;
const READ_ATTEMPT_COUNT_MAX = 30;
/** Batches cost half. */
const PRICE_SHARE = 0.5;

interface Waiting {
  readonly key: string;
  readonly request: ModelRequest;
  readonly resolve: (response: ModelResponse) => void;
  readonly reject: (error: unknown) => void;
}

interface Started {
  readonly id: string;
  readonly model: string;
  readonly keys: readonly string[];
}

/**
 * Sends requests in batches of their vendor. Batches that were started are in a file, so the next run reads their results and does
 * not pay for them again.
 */
export class BatchQueue {
  readonly #options: Required<BatchOptions>;
  readonly #file: AppendFile | undefined;
  readonly #waiting = new Map<string, { readonly model: HttpModel; readonly items: Waiting[]; chars: number }>();
  /** Request key → the batch of an earlier run that has it. */
  readonly #earlier = new Map<string, Started>();
  readonly #earlierResults = new Map<string, Promise<BatchResults>>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #stopError: Error | undefined;

  private constructor(options: Required<BatchOptions>, file: AppendFile | undefined) {
    this.#options = options;
    this.#file = file;
    setMaxListeners(0, this.#stopping.signal);
  }

  /** @param path File of the started batches; undefined keeps none. */
  static async open(
    { pollMs = POLL_MS, size = BATCH_SIZE }: BatchOptions,
    path: string | undefined,
  ): Promise<BatchQueue> {
    if (path === undefined) return new BatchQueue({ pollMs, size }, undefined);
    const file = await AppendFile.open(path);
    const queue = new BatchQueue({ pollMs, size }, file);
    try {
      for await (const { line } of readPositions(path)) {
        const started = readStarted(path, line);
        for (const key of started.keys) queue.#earlier.set(key, started);
      }
      return queue;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** The response of a batch; undefined when the model has no batches. */
  send(model: Model, request: ModelRequest): Promise<ModelResponse> | undefined {
    if (!isHttpModel(model)) return undefined;
    const batches = batchesOf(model);
    if (!batches) return undefined;
    const key = requestKey(model, request);
    const started = this.#earlier.get(key);
    if (!started || started.model !== modelKey(model)) return this.#enqueue(model, batches, key, request);
    return this.#readEarlier(model, batches, started)
      .then((results) => toResponse(model, request, results.get(idOf(started.keys.indexOf(key)))))
      .catch((error: unknown) => {
        if (this.#stopError) throw error;
        // Its results were deleted, or this one failed: it is asked for again.
        return this.#enqueue(model, batches, key, request);
      });
  }

  /** Rejects requests that wait. Batches that were sent are paid for, so they are read to their end if `keepsSent`. */
  stop(error: Error, keepsSent: boolean): void {
    clearTimeout(this.#timer);
    this.#stopError ??= error;
    if (!keepsSent) this.#stopping.abort(error);
    for (const { items } of this.#waiting.values()) for (const { reject } of items) reject(error);
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#file?.close();
  }

  #enqueue(model: HttpModel, batches: VendorBatches, key: string, request: ModelRequest): Promise<ModelResponse> {
    if (this.#stopError) return Promise.reject(this.#stopError);
    return new Promise((resolve, reject) => {
      const name = modelKey(model);
      const queue = this.#waiting.get(name) ?? { model, items: [], chars: 0 };
      this.#waiting.set(name, queue);
      queue.items.push({ key, request, resolve, reject });
      queue.chars += JSON.stringify(request.messages).length;
      clearTimeout(this.#timer);
      if (queue.items.length >= Math.min(this.#options.size, batches.itemCountMax) || queue.chars >= BATCH_CHARS_MAX)
        this.#flush(name);
      this.#timer = setTimeout(() => {
        for (const each of [...this.#waiting.keys()]) this.#flush(each);
      }, IDLE_MS);
    });
  }

  #flush(name: string): void {
    const queue = this.#waiting.get(name);
    this.#waiting.delete(name);
    if (!queue) return;
    const { model, items } = queue;
    this.#runBatch(model, items).catch((error: unknown) => {
      for (const { reject } of items) reject(error);
    });
  }

  async #runBatch(model: HttpModel, items: readonly Waiting[]): Promise<void> {
    const batches = batchesOf(model);
    if (!batches) return;
    const requests = items.map(({ request }, index) => ({ id: idOf(index), request }));
    // After a time limit the vendor may have taken the batch, and would be paid twice.
    const id = await this.#repeat(
      SEND_ATTEMPT_COUNT_MAX,
      (error) => !isTimeout(error),
      () => batches.send(model, requests, this.#stopping.signal),
    );
    await this.#file?.append(
      JSON.stringify({ id, model: modelKey(model), keys: items.map(({ key }) => key) } satisfies Started),
    );
    const results = await this.#poll(model, batches, id);
    for (const [index, { request, resolve, reject }] of items.entries()) {
      try {
        resolve(toResponse(model, request, results.get(idOf(index))));
      } catch (error) {
        reject(error);
      }
    }
  }

  #readEarlier(model: HttpModel, batches: VendorBatches, { id }: Started): Promise<BatchResults> {
    let results = this.#earlierResults.get(id);
    if (!results) {
      results = this.#poll(model, batches, id);
      this.#earlierResults.set(id, results);
    }
    return results;
  }

  async #poll(model: HttpModel, batches: VendorBatches, id: string): Promise<BatchResults> {
    for (;;) {
      const results = await this.#repeat(
        READ_ATTEMPT_COUNT_MAX,
        () => true,
        () => batches.read(model, id, this.#stopping.signal),
      );
      if (results) return results;
      await waitFor(this.#options.pollMs, this.#stopping.signal);
    }
  }

  /** Repeats what failed because of a limit, an error of the server or the network. */
  async #repeat<Result>(
    attemptCountMax: number,
    mayRepeat: (error: unknown) => boolean,
    run: () => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      this.#stopping.signal.throwIfAborted();
      try {
        return await run();
      } catch (error) {
        if (attempt === attemptCountMax || !isRepeatable(error) || !mayRepeat(error)) throw error;
        await waitFor(repeatWaitMs(error, attempt), this.#stopping.signal);
      }
    }
  }
}

function readStarted(path: string, line: string): Started {
  try {
    const { id, model, keys } = JSON.parse(line) as Started;
    if (typeof id === 'string' && typeof model === 'string' && Array.isArray(keys)) return { id, model, keys };
  } catch {
    // Reported below.
  }
  throw new EvaluationError(`${path} is no list of started batches; delete it, or use another checkpoint.`);
}

const idOf = (index: number): string => `request-${index}`;

const isHttpModel = (model: Model): model is HttpModel => 'connection' in model && 'toBody' in model;

function toResponse(
  model: HttpModel,
  request: ModelRequest,
  result: { body: unknown } | { error: Error } | undefined,
): ModelResponse {
  if (!result) throw new ModelError('The batch has no result for this request.');
  if ('error' in result) throw result.error;
  const response = model.readBody(result.body, request);
  const cost = costOf(model, response.usage);
  return cost === undefined ? response : { ...response, cost: cost * PRICE_SHARE };
}
