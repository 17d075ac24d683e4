import { bodyOf, type SpandrelClient } from '../client.ts';
import type { ItemResult } from '../generated/api.ts';
import { ConnectionError, HttpError, SpandrelError } from '../http/errors.ts';
import { wait } from '../http/send.ts';
import type { Outbox, OutboxRecord } from './outbox.ts';

/** Items, and characters of JSON, in one request. */
const BATCH_ITEM_COUNT = 500;
const BATCH_CHARS = 2_000_000;
/** Pause after a failed request, doubled up to the maximum, and the time of an outage after which the run gives up. */
const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 30_000;
const OUTAGE_MS_MAX = 30 * 60_000;
/** Characters of JSON that wait for the server; above them tasks wait, too. */
const QUEUE_CHARS_MAX = 64_000_000;
const QUEUE_CHECK_MS = 50;
const REJECTED = 'RESULT_REJECTED';
const ALREADY_STORED = /run (\S+) already exists/i;

/** Results could not be posted. They are in the outbox. */
export class UnsentResultsError extends SpandrelError {
  override readonly name = 'UnsentResultsError';
  /** File with the results; undefined outside of Node. */
  readonly outboxPath: string | undefined;
  /** The server rejects this result, such as one that is too large, and takes others. */
  readonly isRejected: boolean;
  constructor(
    message: string,
    fields: { readonly outboxPath: string | undefined; readonly isRejected: boolean; readonly cause: unknown },
  ) {
    super('RESULTS_UNSENT', message, { cause: fields.cause });
    this.outboxPath = fields.outboxPath;
    this.isRejected = fields.isRejected;
  }
}

interface Queued {
  readonly record: OutboxRecord;
  readonly settle: (outcome: { readonly id: string } | { readonly error: unknown }) => void;
}

/**
 * Posts results in batches while new ones arrive. A server that is away delays them. Results are marked in the outbox as
 * soon as the server has them.
 */
export class ResultPoster {
  readonly #client: SpandrelClient;
  readonly #experimentId: string;
  readonly #outbox: Outbox;
  readonly #warn: (message: string) => void;
  readonly #signal: AbortSignal | undefined;
  #queue: Queued[] = [];
  #queueChars = 0;
  #working: Promise<void> | undefined;
  /** Servers of other makers take one result a request. */
  #takesBatches = true;

  constructor(options: {
    readonly client: SpandrelClient;
    readonly experimentId: string;
    readonly outbox: Outbox;
    readonly warn: (message: string) => void;
    readonly signal?: AbortSignal | undefined;
  }) {
    this.#client = options.client;
    this.#experimentId = options.experimentId;
    this.#outbox = options.outbox;
    this.#warn = options.warn;
    this.#signal = options.signal;
  }

  /**
   * Stores a result in the outbox and queues it. `stored` resolves when it is on the disk, `posted` with its ID on the
   * server; neither rejection is unhandled.
   */
  async add(
    kind: OutboxRecord['kind'],
    body: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly posted: Promise<string> }> {
    const record = await this.#outbox.add(kind, body);
    return { posted: this.post(record) };
  }

  /** Queues a result that is in the outbox. */
  post(record: OutboxRecord): Promise<string> {
    const posted = new Promise<string>((resolve, reject) => {
      this.#queueChars += record.json.length;
      this.#queue.push({
        record,
        settle: (outcome) => ('id' in outcome ? resolve(outcome.id) : reject(outcome.error)),
      });
    });
    // A caller may look at it later, or never.
    posted.catch(() => undefined);
    this.#working ??= this.#work();
    return posted;
  }

  /** Resolves when little enough is queued. */
  async ready(): Promise<void> {
    while (this.#queueChars > QUEUE_CHARS_MAX && this.#working) await wait(QUEUE_CHECK_MS);
  }

  /** Resolves when nothing is queued. */
  async flush(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async #work(): Promise<void> {
    // Results that arrive in the same iteration of the event loop share a request.
    await wait(0);
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      try {
        await this.#postUntilAnswered(batch);
      } catch (error) {
        for (const { settle } of [...batch, ...this.#queue]) settle({ error });
        this.#queue = [];
      }
      this.#queueChars = this.#queue.reduce((sum, { record }) => sum + record.json.length, 0);
    }
    // In the same step as the last look at the queue, so that no result is added to work that has ended.
    this.#working = undefined;
  }

  /** The first results of one kind. */
  #takeBatch(): Queued[] {
    const kind = this.#queue[0]?.record.kind;
    let chars = 0;
    let count = 0;
    for (const { record } of this.#queue) {
      const isFull = count >= BATCH_ITEM_COUNT || (count > 0 && chars + record.json.length > BATCH_CHARS);
      if (record.kind !== kind || isFull) break;
      chars += record.json.length;
      count++;
    }
    return this.#queue.splice(0, Math.max(1, count));
  }

  async #postUntilAnswered(batch: readonly Queued[]): Promise<void> {
    let left = [...batch];
    let pauseMs = FIRST_PAUSE_MS;
    const startedAt = Date.now();
    for (;;) {
      try {
        left = await this.#postOnce(left);
        if (left.length === 0) return;
      } catch (error) {
        if (isOfContent(error)) return this.#postHalves(left, error);
        if (!isOutage(error)) throw this.#toUnsent(error);
        if (Date.now() - startedAt > OUTAGE_MS_MAX) throw this.#toUnsent(error);
        if (pauseMs === FIRST_PAUSE_MS)
          this.#warn(`The server is away; results wait until it is back. ${messageOf(error)}`);
      }
      await wait(pauseMs, this.#signal).catch((reason: unknown) => {
        throw this.#toUnsent(reason);
      });
      pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2);
    }
  }

  /** Finds the result for which the server rejects a whole request; the others are posted. */
  async #postHalves(batch: readonly Queued[], error: unknown): Promise<void> {
    if (batch.length === 1) {
      batch[0]?.settle({ error: this.#toUnsent(error) });
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await this.#postUntilAnswered(batch.slice(0, middle));
    await this.#postUntilAnswered(batch.slice(middle));
  }

  /** Returns the items that are to be posted again. */
  async #postOnce(batch: readonly Queued[]): Promise<Queued[]> {
    if (!this.#takesBatches) return this.#postSingly(batch);
    let results: readonly ItemResult[];
    try {
      results = await this.#request(batch);
    } catch (error) {
      // A body that is not an object is an error of the whole request elsewhere.
      if (!(error instanceof HttpError) || error.status !== 422 || error.response.headers.has('x-spandrel-version'))
        throw error;
      this.#takesBatches = false;
      return this.#postSingly(batch);
    }
    return this.#settle(batch, results);
  }

  async #request(batch: readonly Queued[]): Promise<readonly ItemResult[]> {
    const { data } = await this.#post(
      batch[0]?.record.kind ?? 'run',
      `[${batch.map(({ record }) => record.json).join(',')}]`,
    );
    if (!Array.isArray(data) || data.length !== batch.length) {
      throw new SpandrelError(
        'ANSWER',
        `The server answered ${Array.isArray(data) ? data.length : 'no'} statuses for ${batch.length} results.`,
      );
    }
    return data;
  }

  #post(kind: OutboxRecord['kind'], json: string) {
    // The type of the body is that of values, and this is their text.
    const options = { body: json as never, bodySerializer: (text: unknown) => text as string };
    const params = { path: { experiment_id: this.#experimentId } };
    return bodyOf(
      kind === 'run'
        ? this.#client.POST('/v1/experiments/{experiment_id}/runs', { params, ...options })
        : this.#client.POST('/v1/experiment_evaluations', options),
    );
  }

  async #postSingly(batch: readonly Queued[]): Promise<Queued[]> {
    const again: Queued[] = [];
    for (const item of batch) {
      const result = await this.#post(item.record.kind, item.record.json).then(
        ({ data }): ItemResult => ({ status: 200, data: data as { id: string } }),
        (error: unknown): ItemResult => {
          if (error instanceof HttpError && error.status < 500) return { status: error.status, detail: error.detail };
          throw error;
        },
      );
      again.push(...(await this.#settle([item], [result])));
    }
    return again;
  }

  async #settle(batch: readonly Queued[], results: readonly ItemResult[]): Promise<Queued[]> {
    const again: Queued[] = [];
    const posted: number[] = [];
    batch.forEach((item, index) => {
      const { status, data, detail } = results[index] as ItemResult;
      const text = typeof detail === 'string' ? detail : JSON.stringify(detail ?? '');
      const stored = status === 409 && item.record.kind === 'run' ? ALREADY_STORED.exec(text)?.[1] : data?.id;
      if (stored !== undefined) {
        posted.push(item.record.id);
        item.settle({ id: stored });
      } else if (status === 429 || status >= 500) again.push(item);
      else
        item.settle({
          error: this.#toUnsent(new SpandrelError(REJECTED, `the server rejected it with ${status}: ${text}`)),
        });
    });
    if (posted.length > 0) await this.#outbox.markPosted(posted);
    return again;
  }

  #toUnsent(cause: unknown): UnsentResultsError {
    const { path: outboxPath } = this.#outbox;
    const isRejected = isOfContent(cause) || (cause instanceof SpandrelError && cause.code === REJECTED);
    const next = isRejected
      ? 'Delete the file to give it up.'
      : `resumeExperiment({ experimentId: "${this.#experimentId}" }) sends it.`;
    const place = outboxPath ? ` It is kept in ${outboxPath}. ${next}` : '';
    const message = `A result was not posted: ${messageOf(cause).replace(/\.$/, '')}.${place}`;
    return new UnsentResultsError(message, { outboxPath, isRejected, cause });
  }
}

/** Whether the body of a request is the reason of its rejection. */
const isOfContent = (error: unknown): boolean => error instanceof HttpError && [400, 413, 422].includes(error.status);

/** Whether the server may take the same request later. */
const isOutage = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof HttpError && (error.status === 429 || error.status >= 500));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
