export type NewLoader = <Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
  batchCountMax?: number,
) => BatchLoader<Key, Value>;

export interface BatchSchedule {
  /** Calls a function after all resolvers that can run have run. */
  whenAsked(flush: () => void): void;
  /** Calls functions one after the other and yields to other work in between. */
  run(work: readonly (() => void)[]): void;
}

/**
 * Collects single keys until all running resolvers have requested theirs, and reads them at once. The results are kept
 * for the request.
 */
export class BatchLoader<Key, Value> {
  readonly #read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;
  readonly #known = new Map<Key, Value | undefined>();
  readonly #asked = new Map<Key, Promise<Value | undefined>>();
  /** Running batches without promises for their keys. */
  readonly #ahead = new Map<Key, Promise<ReadonlyMap<Key, Value>>>();
  readonly #batchCountMax: number;
  #waiting: Waiting<Key, Value>[] = [];

  readonly #schedule: BatchSchedule;

  /**
   * Keys that are missing in the result of `read` have no value. At most `batchCountMax` keys are read at once.
   */
  constructor(
    read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
    schedule: BatchSchedule,
    batchCountMax = 1_000,
  ) {
    this.#read = read;
    this.#schedule = schedule;
    this.#batchCountMax = batchCountMax;
  }

  /** Stores a value that was read elsewhere. Undefined means that there is none. */
  prime(key: Key, value: Value | undefined): void {
    if (!this.#known.has(key)) this.#known.set(key, value);
  }

  /** The value itself if it is known, else a promise: a list of primed rows costs no promise per field. */
  load(key: Key): Value | undefined | Promise<Value | undefined> {
    if (this.#known.has(key)) return this.#known.get(key);
    const asked = this.#asked.get(key);
    if (asked) return asked;
    const ahead = this.#ahead.get(key);
    if (ahead) return ahead.then((values) => values.get(key));
    const promise = new Promise<Value | undefined>((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      if (this.#waiting.length === 1) this.#schedule.whenAsked(() => this.#flush());
    });
    this.#asked.set(key, promise);
    return promise;
  }

  /** Prefetches keys without a promise per key. An error is reported to later calls of `load` for such a key. */
  async loadAhead(keys: Iterable<Key>): Promise<void> {
    const batches = new Set<Promise<unknown>>();
    const unknown: Key[] = [];
    for (const key of new Set(keys)) {
      const ahead = this.#ahead.get(key) ?? this.#asked.get(key);
      if (ahead) batches.add(ahead);
      else if (!this.#known.has(key)) unknown.push(key);
    }
    for (let from = 0; from < unknown.length; from += this.#batchCountMax) {
      batches.add(this.#readAhead(unknown.slice(from, from + this.#batchCountMax)));
    }
    await Promise.allSettled(batches);
  }

  async #readAhead(keys: readonly Key[]): Promise<void> {
    const values = this.#read(keys);
    for (const key of keys) this.#ahead.set(key, values);
    const found = await values;
    for (const key of keys) {
      this.#known.set(key, found.get(key));
      this.#ahead.delete(key);
    }
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < waiting.length; from += this.#batchCountMax) {
      void this.#readBatch(waiting.slice(from, from + this.#batchCountMax));
    }
  }

  async #readBatch(batch: readonly Waiting<Key, Value>[]): Promise<void> {
    try {
      const values = await this.#read(batch.map(({ key }) => key));
      for (const { key } of batch) this.#known.set(key, values.get(key));
      this.#schedule.run(
        batch.map(
          ({ key, resolve }) =>
            () =>
              resolve(values.get(key)),
        ),
      );
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

interface Waiting<Key, Value> {
  readonly key: Key;
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

/** `then` without a promise if there is none. */
export function whenKnown<Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}
