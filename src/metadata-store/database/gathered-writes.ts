import { SpandrelError } from '../../model/errors.ts';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines concurrent writes: while some are written, the next ones collect, so that many share a statement and a
 * commit, and a single write does not wait. Each is durable when its promise resolves.
 */
export class GatheredWrites<Item, Result> {
  readonly #write: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #keyOf: (item: Item) => string;
  readonly #charsOf: (item: Item) => number;
  readonly #countMax: number;
  readonly #charsMax: number;
  #waiting: Waiting<Item, Result>[] = [];
  #isWriting = false;

  constructor(options: {
    /** Writes all of them or none. They have different keys; results are in their order. */
    readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
    readonly keyOf: (item: Item) => string;
    readonly charsOf: (item: Item) => number;
    readonly countMax: number;
    readonly charsMax: number;
  }) {
    this.#write = options.write;
    this.#keyOf = options.keyOf;
    this.#charsOf = options.charsOf;
    this.#countMax = options.countMax;
    this.#charsMax = options.charsMax;
  }

  submit(item: Item): Promise<Result> {
    const result = new Promise<Result>((resolve, reject) => this.#waiting.push({ item, resolve, reject }));
    if (!this.#isWriting) void this.#writeAll();
    return result;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) await this.#writeSome(this.#take());
    this.#isWriting = false;
  }

  /** Removes the first writes with different keys. The remaining ones keep their order. */
  #take(): Waiting<Item, Result>[] {
    const taken: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    const keys = new Set<string>();
    let chars = 0;
    for (const waiting of this.#waiting) {
      const key = this.#keyOf(waiting.item);
      const size = this.#charsOf(waiting.item);
      const fits = taken.length === 0 || (taken.length < this.#countMax && chars + size <= this.#charsMax);
      if (!fits || keys.has(key)) left.push(waiting);
      else {
        taken.push(waiting);
        chars += size;
      }
      // A later write with the same key must not overtake it.
      keys.add(key);
    }
    this.#waiting = left;
    return taken;
  }

  async #writeSome(taken: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#write(taken.map(({ item }) => item));
      // biome-ignore lint/style/noNonNullAssertion: each item has a result, which may be undefined.
      for (const [index, { resolve }] of taken.entries()) resolve(results[index]!);
    } catch (error) {
      // A database that became unavailable may have stored them, so a second attempt would report them as existing.
      const isOfAll = taken.length === 1 || error instanceof SpandrelError;
      if (isOfAll) for (const { reject } of taken) reject(error);
      // An item that the database rejects must not fail the others.
      else await Promise.all(taken.map((one) => this.#writeSome([one])));
    }
  }
}
