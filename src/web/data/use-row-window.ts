import { type QueryKey, useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { SparseRows } from '../components/table/row-list.ts';
import { useReportedParts } from './failed-parts.ts';
import { prefetch, readFor, retriesOf } from './query-client.ts';
import { type RequestFailure, toFailure } from './request.ts';
import { readAgain } from './use-query.ts';

/** Rows of one block, and the number of rows of the whole list. */
export interface RowBlock<Row> {
  readonly rows: readonly Row[];
  readonly count: number;
}

export interface RowWindow<Row, Block = RowBlock<Row>> {
  /** For `DataTable`. */
  readonly sparse: SparseRows<Row>;
  /** Number of rows of the list. Undefined until the first block is loaded. */
  readonly count: number | undefined;
  /** One of the visible blocks of this list. Undefined until one is loaded. */
  readonly block: Block | undefined;
  /** Reason why visible rows are missing. */
  readonly failure: RequestFailure | undefined;
  readonly isLoading: boolean;
  /** Whether the rows belong to another list, because the first block of this one loads. */
  readonly isStale: boolean;
  readonly retry: () => void;
}

/** Default number of rows of a request. */
const BLOCK_ROWS = 100;
/** Pause after which rows are loaded, so that fast scrolling loads none of the rows that it passes. */
const PAUSE_MS = 40;
/** Time for which a block of rows that the user scrolled away from is shown again without a request. */
const FRESH_MS = 60_000;

/**
 * Rows of a list by index. Loads the visible blocks, cancels requests for blocks that are no longer visible, and keeps a
 * bounded number of others in the query cache.
 *
 * @param listKey Identifies the list. Its first part is the name of the operation.
 * @param blockRows Rows of a request. Few for rows with many or long cells. It never changes.
 */
export function useRowWindow<Row, Block extends RowBlock<Row> = RowBlock<Row>>(
  listKey: QueryKey,
  load: (offset: number, limit: number, signal: AbortSignal) => Promise<Block>,
  rowId: (row: Row) => string,
  blockRows = BLOCK_ROWS,
): RowWindow<Row, Block> {
  const hash = JSON.stringify(listKey);
  const [shown, setShown] = useState({ hash, first: 0, last: 0 });
  const { first, last } = shown.hash === hash ? shown : { first: 0, last: 0 };
  const keyOf = (block: number): QueryKey => blockKey(listKey, block);
  const queries = useQueries({
    queries: Array.from({ length: last - first + 1 }, (_, index) => {
      const queryKey = keyOf(first + index);
      return {
        queryKey,
        queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
          readFor(queryKey, (own) => load((first + index) * blockRows, blockRows, own), signal),
        staleTime: FRESH_MS,
        ...retriesOf(queryKey),
      };
    }),
  });

  const loaded = queries.map(({ data }) => data);
  const isEmpty = loaded.every((block) => block === undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the blocks identify the rows
  const current = useMemo(() => {
    const rows = new Map<number, Row>();
    const indexes = new Map<string, number>();
    let count = 0;
    loaded.forEach((block, index) => {
      if (block === undefined) return;
      count = block.count;
      block.rows.forEach((row, at) => {
        rows.set((first + index) * blockRows + at, row);
        indexes.set(rowId(row), (first + index) * blockRows + at);
      });
    });
    return { hash, rows, indexes, count };
  }, [hash, first, ...padded(loaded)]);

  // While no row of the window is loaded, the list keeps its number of rows, and another list its rows.
  const before = useRef<typeof current>(undefined);
  const isStale = isEmpty && before.current?.hash !== hash;
  const content = isEmpty
    ? isStale
      ? before.current
      : { ...NOTHING, count: before.current?.count ?? 0, hash }
    : current;
  useEffect(() => {
    if (!isEmpty) before.current = current;
  });

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const count = content?.count ?? 0;
  const onWindow = useCallback(
    (from: number, end: number) => {
      const toBlock = (index: number): number => Math.floor(index / blockRows);
      const block = toBlock(from);
      const lastBlock = toBlock(Math.max(from, Math.min(end, count) - 1));
      const next = { hash, first: block, last: Math.min(lastBlock, block + BLOCKS_MAX - 1) };
      clearTimeout(timer.current);
      timer.current = setTimeout(
        () => setShown((was) => (was.hash === hash && was.first === next.first && was.last === next.last ? was : next)),
        PAUSE_MS,
      );
    },
    [hash, count, blockRows],
  );
  const sparse = useMemo(
    (): SparseRows<Row> => ({
      count,
      rowAt: (index) => (content?.rows as ReadonlyMap<number, Row> | undefined)?.get(index),
      indexOf: (id) => content?.indexes.get(id) ?? -1,
      onWindow,
    }),
    [content, count, onWindow],
  );

  useReportedParts(keyOf(first), () => readAgain(keyOf(first)));
  const failed = queries.find(({ data, error, failureReason }) => data === undefined && (error ?? failureReason));
  const failure = failed && toFailure(failed.error ?? failed.failureReason);
  return {
    sparse,
    count: content === undefined ? undefined : count,
    block: loaded.find((block) => block !== undefined),
    failure,
    isLoading: queries.some(({ isFetching, failureReason }) => isFetching && failureReason === null),
    isStale,
    retry: () => {
      queries.forEach(({ data }, index) => {
        if (data === undefined) void readAgain(keyOf(first + index));
      });
    },
  };
}

const blockKey = (listKey: QueryKey, block: number): QueryKey => [...listKey, 'block', block];

/** Reads the first block of a list before the first render. The arguments are those of `useRowWindow`. */
export const prefetchRowWindow = <Row>(
  listKey: QueryKey,
  load: (offset: number, limit: number, signal: AbortSignal) => Promise<RowBlock<Row>>,
  blockRows = BLOCK_ROWS,
): void => prefetch(blockKey(listKey, 0), (signal) => load(0, blockRows, signal));

const NOTHING = { rows: new Map<number, never>(), indexes: new Map<string, number>() };

/** Blocks at once. React compares the dependencies of a memo one by one, and their number must not change. */
const BLOCKS_MAX = 8;
const padded = <Item>(items: readonly Item[]): readonly (Item | undefined)[] =>
  Array.from({ length: BLOCKS_MAX }, (_, index) => items[index]);
