import { SpandrelError } from '../../model/errors.ts';
import { GRAPHQL_ITEM_COUNT_MAX } from '../../model/limits/graphql.ts';
import type { PageArguments } from './arguments.ts';
import { reject } from './arguments.ts';
import type { Budget } from './execution/request-work.ts';

export interface Connection<Node> {
  readonly pageInfo: PageInfo;
  readonly edges: readonly Edge<Node>[];
}
export interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
}
interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** A page of a list with keyset pagination. `nextCursor` is undefined for the last page. */
export function keysetConnection<Node>(
  edges: readonly Edge<Node>[],
  nextCursor: string | undefined,
  items: Budget,
): Connection<Node> {
  items.take(edges.length);
  return {
    edges,
    pageInfo: {
      hasNextPage: nextCursor !== undefined,
      hasPreviousPage: false,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: nextCursor ?? edges.at(-1)?.cursor ?? null,
    },
  };
}

/** A page of a complete list, whose cursors are offsets. Without `first` or `last` it has all items. */
export function offsetConnection<Item, Node>(
  list: readonly Item[],
  { first, last, after, before }: PageArguments,
  toNode: (item: Item) => Node,
  items: Budget,
): Connection<Node> {
  checkCount('first', first);
  checkCount('last', last);
  const lower = after ? offsetOf(after) + 1 : 0;
  const upper = Math.max(lower, before ? Math.min(offsetOf(before), list.length) : list.length);
  let start = Math.min(lower, list.length);
  let end = Math.min(upper, list.length);
  if (typeof first === 'number') end = Math.min(end, start + first);
  if (typeof last === 'number') start = Math.max(start, end - last);
  items.take(end - start);
  const edges = list
    .slice(start, end)
    .map((item, index) => ({ cursor: offsetCursor(start + index), node: toNode(item) }));
  return {
    edges,
    pageInfo: {
      hasNextPage: typeof first === 'number' && end < upper,
      hasPreviousPage: typeof last === 'number' && start > lower,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** A page of a list of which only the page is read. Its cursors are offsets, and pagination is forward only. */
export async function offsetPage<Item, Node>(
  { first, after }: Pick<PageArguments, 'first' | 'after'>,
  read: (offset: number, limit: number) => Promise<readonly Item[]>,
  toNode: (item: Item) => Node,
  items: Budget,
): Promise<Connection<Node>> {
  const start = after ? offsetOf(after) + 1 : 0;
  const count = Math.min(first ?? GRAPHQL_ITEM_COUNT_MAX, GRAPHQL_ITEM_COUNT_MAX);
  const found = await read(start, count + 1);
  const edges = found
    .slice(0, count)
    .map((item, index) => ({ cursor: offsetCursor(start + index), node: toNode(item) }));
  return keysetConnection(edges, found.length > count ? edges.at(-1)?.cursor : undefined, items);
}

function checkCount(name: 'first' | 'last', count: number | null | undefined): void {
  if (typeof count === 'number' && count < 0) reject(`Argument "${name}" must be a non-negative int`);
}

const offsetCursor = (offset: number): string => Buffer.from(`connection:${offset}`).toString('base64');

function offsetOf(cursor: string): number {
  const match = /^connection:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64').toString());
  if (!match) throw new SpandrelError('CURSOR_INVALID', `Invalid cursor: ${cursor.slice(0, 200)}`);
  return Number(match[1]);
}
