import { keepPreviousData, type QueryKey, useQuery as useTanStackQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useReportedParts } from './failed-parts.ts';
import type { Operation } from './operation.ts';
import { prefetch, queryClient, readFor, retriesOf } from './query-client.ts';
import { type RequestFailure, send, toFailure } from './request.ts';

export interface QueryResult<Data> {
  /** The newest response. While a response to other variables loads, the previous one. */
  readonly data: Data | undefined;
  /**
   * Reason why there is no data. Data that could not be read again stays, and the page says that it may be out of date.
   */
  readonly failure: RequestFailure | undefined;
  readonly isLoading: boolean;
  /** Whether `data` belongs to other variables than the current ones. */
  readonly isStale: boolean;
  /** Reads again and keeps the data until the response arrives. Resolves to the data then. */
  readonly refetch: () => Promise<Data | undefined>;
}

interface ReadOptions<Data> {
  /** Whether the data stays in the cache when no component uses it. Default true. */
  readonly keeps?: boolean;
  /** Data that the page already has. Then only `refetch` reads. */
  readonly initialData?: Data | undefined;
  /** Interval of further reads while the page is visible, which may depend on the newest data. */
  readonly intervalMs?: number | ((data: Data | undefined) => number);
  /** Time for which a component that mounts uses the data that another has read. Default 0. */
  readonly staleMs?: number;
}

/**
 * Reads data, and again whenever the key changes.
 *
 * @param queryKey Undefined: reads nothing.
 */
export function useRead<Data>(
  queryKey: QueryKey | undefined,
  read: (signal: AbortSignal) => Promise<Data>,
  { keeps = true, initialData, intervalMs, staleMs }: ReadOptions<Data> = {},
): QueryResult<Data> {
  const key = queryKey ?? NO_KEY;
  const query = useTanStackQuery<Data, Error>({
    queryKey: key,
    queryFn: ({ signal }) => readFor(key, read, signal),
    enabled: queryKey !== undefined && initialData === undefined,
    placeholderData: keepPreviousData,
    ...retriesOf(key),
    ...(keeps ? {} : { gcTime: 0 }),
    ...(initialData === undefined ? {} : { initialData: () => initialData }),
    ...(intervalMs === undefined ? {} : { refetchInterval: toInterval(intervalMs) }),
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
  });
  const error = query.error ?? query.failureReason;
  const failure = error === null ? undefined : toFailure(error);
  // During an outage, existing data stays, even if it belongs to other variables.
  const hasData = query.data !== undefined && (!query.isPlaceholderData || failure?.isOutage === true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash identifies the key
  const refetch = useCallback(
    async () => (queryKey === undefined ? undefined : readAgain<Data>(queryKey)),
    [JSON.stringify(queryKey)],
  );
  useReportedParts(key, refetch);
  return {
    data: query.data,
    failure: hasData && failure?.kind !== 'notFound' ? undefined : failure,
    isLoading: query.isFetching && failure === undefined,
    isStale: query.isPlaceholderData,
    refetch,
  };
}

const toInterval = <Data>(intervalMs: NonNullable<ReadOptions<Data>['intervalMs']>) =>
  typeof intervalMs === 'number'
    ? intervalMs
    : ({ state }: { readonly state: { readonly data: Data | undefined } }) => intervalMs(state.data);

const NO_KEY: QueryKey = ['nothing'];

/**
 * Reads the data of a key again, at once even if a retry is waiting. The component may show another key by now, so the
 * key identifies the query. Resolves to the data, or to undefined after a failure.
 */
export async function readAgain<Data>(queryKey: QueryKey): Promise<Data | undefined> {
  await queryClient.cancelQueries({ queryKey, exact: true });
  const query = queryClient.getQueryCache().find<Data>({ queryKey, exact: true });
  return query?.fetch().catch(() => undefined);
}

const keyOf = <Data, Variables>({ name }: Operation<Data, Variables>, variables: Variables): QueryKey => [
  name,
  variables,
];

/** Sends an operation, and again whenever the variables change. `variables` undefined sends nothing. */
export const useQuery = <Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables | undefined,
  options?: ReadOptions<Data>,
): QueryResult<Data> =>
  useRead(
    variables && keyOf(operation, variables),
    (signal) => send(operation, variables as Variables, signal),
    options,
  );

/** Sends an operation before the first render. */
export const prefetchQuery = <Data, Variables>(operation: Operation<Data, Variables>, variables: Variables): void =>
  prefetch(keyOf(operation, variables), (signal) => send(operation, variables, signal));
