interface Answer<Item> {
  readonly data?: { readonly data: readonly Item[]; readonly next_cursor?: string | null };
}

/** Pages of one list: a server whose cursor never ends ends here. */
const PAGE_COUNT_MAX = 100_000;

/** Items of all pages, or the first ones. */
export async function* readPages<Item>(
  read: (cursor: string | undefined) => Promise<Answer<Item>>,
  countMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  let left = countMax;
  for (let page = 0; page < PAGE_COUNT_MAX; page++) {
    const { data } = await read(cursor);
    for (const item of data?.data ?? []) {
      if (left-- <= 0) return;
      yield item;
    }
    const next = data?.next_cursor;
    if (!next || next === cursor || left <= 0) return;
    cursor = next;
  }
}

/** All items of a list that is known to be short, or at most this many. */
export async function toArray<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
