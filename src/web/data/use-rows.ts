import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useReportedParts } from './failed-parts.ts';
import { appendPage, mergeFirstPage, type RowList, type RowPage, replaceRows } from './merge-rows.ts';
import { LIST_META, prefetch, queryClient, readFor, retriesOf } from './query-client.ts';
import { type RequestFailure, toFailure } from './request.ts';
import { readAgain } from './use-query.ts';

export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Reason why there are no rows, or no further rows. */
  readonly failure: RequestFailure | undefined;
  readonly isLoading: boolean;
  /** Whether the rows belong to another list. */
  readonly isStale: boolean;
  readonly isComplete: boolean;
  /** Cursor of the next page. Undefined when the rows are complete. */
  readonly next: string | undefined;
  readonly loadMore: () => void;
  /** Retries failed reads. */
  readonly retry: () => void;
  /** Reads the first page again and puts new rows on top. `isHeld`: the user reads further down. Default false. */
  readonly refresh: (isHeld?: boolean) => void;
  /** Reads all loaded rows again, and the rows after them if the list was complete. */
  readonly reread: () => Promise<void>;
  /** Number of rows on top that the user has not seen. */
  readonly newCount: number | 'many';
  /** Marks the new rows as seen. */
  readonly clearNew: () => void;
  /** Stops loading another list, and keeps the rows of this one. */
  readonly cancel: () => void;
}

type LoadPage<Row> = (after: string | undefined, signal: AbortSignal) => Promise<RowPage<Row>>;

/**
 * A list that grows page by page. While another list loads, the rows of the previous one stay.
 *
 * The list is one entry of the query cache. A refetch reads its first page and merges it, because the list may be long
 * and grows at its top. After an invalidation it reads all loaded rows.
 *
 * @param listKey Identifies the list. Its first part is the name of the operation.
 * @param load Reads the page after a cursor, or the first page.
 */
export function useRows<Row>(listKey: QueryKey, load: LoadPage<Row>, rowId: (row: Row) => string): Rows<Row> {
  const isHeld = useRef(false);
  const list = useQuery({
    queryKey: listKey,
    queryFn: async ({ signal }) => {
      const state = queryClient.getQueryState<RowList<Row>>(listKey);
      if (state?.data && state.isInvalidated)
        return replaceRows(state.data, await readFor(listKey, (own) => loadAll(state.data!, load, own), signal), rowId);
      const page = await readFor(listKey, (own) => load(undefined, own), signal);
      const before = queryClient.getQueryData<RowList<Row>>(listKey);
      return before ? mergeFirstPage(page, before, rowId, isHeld.current) : { ...page, newCount: 0 };
    },
    placeholderData: keepPreviousData,
    // Equal rows keep their identity even if their index changes.
    structuralSharing: false,
    meta: LIST_META,
    ...retriesOf(listKey),
  });
  const { data, isPlaceholderData } = list;
  const next = isPlaceholderData ? undefined : data?.next;

  const [wanted, setWanted] = useState<string>();
  const moreKey = [...listKey, 'after', next];
  const more = useQuery({
    queryKey: moreKey,
    queryFn: async ({ signal }) => {
      const page = await readFor(listKey, (own) => load(next, own), signal, true);
      queryClient.setQueryData<RowList<Row>>(listKey, (before) => before && appendPage(page, before, next, rowId));
      return page.rows.length;
    },
    enabled: next !== undefined && wanted === next,
    gcTime: 0,
    ...retriesOf(moreKey),
  });

  const hash = JSON.stringify(listKey);
  const isLoadingMore = more.isFetching;
  const loadMore = useCallback(() => {
    if (!list.isFetching) setWanted(next);
  }, [list.isFetching, next]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash identifies the list
  const refresh = useCallback(
    (held = false) => {
      isHeld.current = held;
      void readAgain(listKey);
    },
    [hash],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash identifies the list
  const reread = useCallback(() => queryClient.invalidateQueries({ queryKey: listKey, exact: true }), [hash]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash identifies the list
  const cancel = useCallback(() => void queryClient.cancelQueries({ queryKey: listKey }), [hash]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash identifies the list
  const clearNew = useCallback(() => {
    queryClient.setQueryData<RowList<Row>>(listKey, (before) =>
      before === undefined || before.newCount === 0 ? undefined : { ...before, newCount: 0 },
    );
  }, [hash]);

  useReportedParts(listKey, reread);
  const hasRows = !isPlaceholderData && (data?.rows.length ?? 0) > 0;
  const moreError = more.error ?? more.failureReason;
  // The end of the list shows why no further rows were loaded. The top of the page shows that a refresh has failed.
  const error = moreError ?? (hasRows ? null : (list.error ?? list.failureReason));
  return {
    rows: data?.rows ?? NO_ROWS,
    failure: error === null ? undefined : toFailure(error),
    isLoading: (list.isFetching && list.failureReason === null) || (isLoadingMore && moreError === null),
    isStale: data === undefined || isPlaceholderData,
    isComplete: next === undefined,
    next,
    loadMore,
    retry: () => void readAgain(moreError === null ? listKey : moreKey),
    refresh,
    reread,
    newCount: data?.newCount ?? 0,
    clearNew,
    cancel,
  };
}

const NO_ROWS: readonly never[] = [];

async function loadAll<Row>(before: RowList<Row>, load: LoadPage<Row>, signal: AbortSignal): Promise<RowPage<Row>> {
  const rows: Row[] = [];
  let next: string | undefined;
  do {
    const page = await load(next, signal);
    rows.push(...page.rows);
    next = page.next;
  } while (next !== undefined && (before.next === undefined || rows.length < before.rows.length));
  return { rows, next };
}

/** Reads the first page of a list before the first render. */
export const prefetchRows = <Row>(listKey: QueryKey, load: (signal: AbortSignal) => Promise<RowPage<Row>>): void =>
  prefetch(listKey, async (signal): Promise<RowList<Row>> => ({ ...(await load(signal)), newCount: 0 }));
