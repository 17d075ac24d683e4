import { AnswerError } from '@spandrel/client';

interface Answer<Item> {
  readonly data?: { readonly data: readonly Item[]; readonly next_cursor?: string | null };
  readonly response?: Response;
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
    const { data, response } = await read(cursor);
    if (!Array.isArray(data?.data)) throw noData('a list', response);
    for (const item of data.data) {
      if (left-- <= 0) return;
      yield item;
    }
    const next = data.next_cursor;
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

/** What a response says about one thing. @throws {AnswerError} when it has another form */
export function dataOf<Data>({
  data,
  response,
}: {
  readonly data?: { readonly data: Data };
  readonly response?: Response;
}): NonNullable<Data> {
  const found = data?.data;
  if (found === undefined || found === null) throw noData('an object', response);
  return found;
}

function noData(expected: string, response: Response | undefined): AnswerError {
  const url = response?.url ? new URL(response.url).origin : 'The server';
  return new AnswerError(
    `${url} answered without data, expected ${expected} in the field "data". Is it a Spandrel server? spandrel doctor checks it.`,
    url,
  );
}
