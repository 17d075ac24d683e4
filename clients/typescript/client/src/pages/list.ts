/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  /** Position of the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/** Pages that are read of one list: a server whose cursor never ends ends here. */
const PAGE_COUNT_MAX = 1_000_000;

/**
 * A list that is read when it is used. `for await` gives the items of all pages, `page()` one page, and `await` what the
 * function that made it documents. Nothing is requested before, so a list that is not used makes no error.
 */
export class List<Item, Awaited = Item[]> implements AsyncIterable<Item>, Promise<Awaited> {
  readonly [Symbol.toStringTag] = 'List';
  readonly #read: (cursor: string | undefined) => Promise<Page<Item>>;
  readonly #settle: (list: List<Item, Awaited>) => Promise<Awaited>;
  #settled: Promise<Awaited> | undefined;

  constructor(
    read: (cursor: string | undefined) => Promise<Page<Item>>,
    settle: (list: List<Item, Awaited>) => Promise<Awaited>,
  ) {
    this.#read = read;
    this.#settle = settle;
  }

  /** One page; the first one without a cursor. */
  page(cursor?: string | null): Promise<Page<Item>> {
    return this.#read(cursor ?? undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let cursor: string | undefined;
    for (let count = 0; count < PAGE_COUNT_MAX; count++) {
      const { items, nextCursor } = await this.#read(cursor);
      yield* items;
      // The same cursor again would be the same page again.
      if (!nextCursor || nextCursor === cursor) return;
      cursor = nextCursor;
    }
  }

  /** The items of all pages, or the first ones. */
  async toArray(countMax = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = [];
    if (countMax <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= countMax) break;
    }
    return items;
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited as the functions of older clients can.
  then<Ok = Awaited, Failed = never>(
    onOk?: ((value: Awaited) => Ok | PromiseLike<Ok>) | null,
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Ok | Failed> {
    this.#settled ??= this.#settle(this);
    return this.#settled.then(onOk, onFailed);
  }

  catch<Failed = never>(
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Awaited | Failed> {
    return this.then(undefined, onFailed);
  }

  finally(onEnd?: (() => void) | null): Promise<Awaited> {
    return this.then().finally(onEnd);
  }
}

/** A list of which `await` gives the items of all pages. */
export const listAll = <Item>(read: (cursor: string | undefined) => Promise<Page<Item>>): List<Item> =>
  new List<Item>(read, (list) => list.toArray());

/** A page as routes answer it. */
export const toPage = <Item>({
  data,
  next_cursor: nextCursor,
}: {
  readonly data: Item[];
  readonly next_cursor?: string | null;
}): Page<Item> => ({
  items: data,
  nextCursor: nextCursor ?? null,
});
