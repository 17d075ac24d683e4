import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useReportedParts } from './failed-parts.ts';
import type { Operation } from './operation.ts';
import { readFor, retriesOf } from './query-client.ts';
import { type RequestFailure, send, toFailure } from './request.ts';
import { readAgain } from './use-query.ts';

/** A page of a GraphQL connection. */
interface Page<Item> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly edges: readonly { readonly node: Item }[];
}

export interface AllPages<Item> {
  /** Items that are loaded so far. Undefined before the first page. */
  readonly items: readonly Item[] | undefined;
  readonly isComplete: boolean;
  /** Reason why the items are incomplete. */
  readonly failure: RequestFailure | undefined;
  /** Reads all pages again and keeps the items until they are loaded. */
  readonly refetch: () => void;
}

/**
 * Reads all pages of a connection one after another. For lists that users search by name in the browser.
 *
 * @param read Returns the connection of a response. The same function in each render.
 */
export function useAllPages<Data, Item>(
  operation: Operation<Data, { readonly after?: string | null }>,
  read: (data: Data) => Page<Item>,
): AllPages<Item> {
  const queryKey = [operation.name, 'all pages'];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal: given }) =>
      read(
        await readFor(queryKey, (signal) => send(operation, { after: pageParam }, signal), given, pageParam !== null),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    ...retriesOf(queryKey),
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const items = useMemo(() => data?.pages.flatMap(({ edges }) => edges.map(({ node }) => node)), [data]);
  const isComplete = data !== undefined && !hasNextPage;
  const error = query.error ?? query.failureReason;
  useReportedParts(queryKey, () => readAgain(queryKey));
  return {
    items,
    isComplete,
    failure: isComplete || error === null ? undefined : toFailure(error),
    refetch: () => void readAgain(queryKey),
  };
}
