import { SpandrelError } from '../../model/errors.ts';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes that come one by one and go to the database together: while some are written the next ones gather, so that many
 * share a statement and a commit, and a lone one waits for nothing. Each is durable when its promise resolves.
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
    /** All or none of them, which have different keys; results in their order. */
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

  /** The first ones with different keys; those that stay keep their order. */
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
      // What comes later under a key must not overtake it.
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
      // A database that went away may have stored them, so that a second attempt would tell that they were there before.
      const isOfAll = taken.length === 1 || error instanceof SpandrelError;
      if (isOfAll) for (const { reject } of taken) reject(error);
      // An item that the database rejects must not fail the others.
      else await Promise.all(taken.map((one) => this.#writeSome([one])));
    }
  }
}
