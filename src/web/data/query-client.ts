import { hashKey, onlineManager, QueryClient, type QueryKey } from '@tanstack/react-query';
import { isUp, onConnectionChange } from './connection.ts';
import type { FailureKind } from './failure-kinds.ts';
import type { Operation } from './operation.ts';
import { type FailedPart, type RequestFailure, readShown, toFailure } from './request.ts';

/** First and longest pause before a retry. */
const RETRY_MS_MIN = 2_000;
const RETRY_MS_MAX = 60_000;
/** Data of pages that the user has left, so that returning to one shows its data at once. */
const CACHE_MS_MAX = 3_600_000;
/** A page that mounts within this time uses prefetched data. A later page reads again. */
const PREFETCH_MS_MAX = 5_000;

// An outage of the server pauses retries. A query that starts during an outage is sent once, because the server may
// respond to some queries while one of its databases is unavailable.
onlineManager.setEventListener((setOnline) => onConnectionChange(() => setOnline(isUp())));

/** State of the server that this browser tab has read. The first part of a key is the name of the operation. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'offlineFirst',
      gcTime: CACHE_MS_MAX,
      refetchOnWindowFocus: false,
      retryDelay: (failureCount, error) =>
        toFailure(error).isOutage ? 0 : Math.min(RETRY_MS_MIN * 2 ** failureCount, RETRY_MS_MAX),
    },
    mutations: { networkMode: 'always' },
  },
});

const cache = queryClient.getQueryCache();

/** Failures that end without the user. After a rejection or a timeout, the user decides about a retry. */
const TEMPORARY: ReadonlySet<FailureKind> = new Set(['unreachable', 'unavailable']);
/** Failures that a retry does not change. */
const FINAL: ReadonlySet<FailureKind> = new Set(['notFound', 'malformed', 'unopenable']);

/** Whether a failure leaves outdated data on the page, which is read again until that succeeds. */
export const leavesStaleData = ({ kind, isOutage }: RequestFailure): boolean => !isOutage && !FINAL.has(kind);

/** Retries a query that may succeed later: after an outage, after a temporary failure, and while the page has data. */
export const retriesOf = (queryKey: QueryKey) => ({
  retry: (_failureCount: number, error: unknown): boolean => {
    const failure = toFailure(error);
    if (FINAL.has(failure.kind)) return false;
    return failure.isOutage || TEMPORARY.has(failure.kind) || queryClient.getQueryData(queryKey) !== undefined;
  },
});

/** Parts of the data of a query that could not be read. */
const failedParts = new WeakMap<object, readonly FailedPart[]>();

export const failedPartsOf = (queryKey: QueryKey): readonly FailedPart[] => {
  const query = cache.get(hashKey(queryKey));
  return (query && failedParts.get(query)) ?? NO_PARTS;
};
const NO_PARTS: readonly FailedPart[] = [];

/** A read of a query that keeps the data when a nullable field of it fails. `adds`: the data is a further page of it. */
export async function readFor<Data>(
  queryKey: QueryKey,
  read: (signal: AbortSignal) => Promise<Data>,
  signal: AbortSignal,
  adds = false,
): Promise<Data> {
  const result = await readShown(read, signal);
  const query = cache.get(hashKey(queryKey));
  if (query)
    failedParts.set(query, [...(adds ? failedPartsOf(queryKey) : NO_PARTS), ...result.failedParts].slice(-PARTS_MAX));
  return result.data;
}
/** A list may have many pages, and most of them fail for the same reason. */
const PARTS_MAX = 20;

/** Reads data before the first render, so that the code and the data of a page load at the same time. */
export function prefetch<Data>(queryKey: QueryKey, read: (signal: AbortSignal) => Promise<Data>): void {
  queryClient.setQueryDefaults(queryKey, { staleTime: PREFETCH_MS_MAX });
  setTimeout(() => queryClient.setQueryDefaults(queryKey, { staleTime: 0 }), PREFETCH_MS_MAX);
  void queryClient.prefetchQuery({
    queryKey,
    queryFn: ({ signal }) => readFor(queryKey, read, signal),
    ...retriesOf(queryKey),
  });
}

/**
 * Maximum number of unused lists and of other unused data. The oldest is removed, because a page that follows the time
 * reads often. Lists are counted separately, so that stepping through their rows does not remove them.
 */
const UNUSED_LIST_COUNT_MAX = 12;
const UNUSED_COUNT_MAX = 60;
/** Meta data of a query whose data is a list of rows. */
export const LIST_META = { isList: true };
cache.subscribe(({ type, query: added }) => {
  if (type !== 'added') return;
  // The added query is unused until its component subscribes to it.
  const unused = cache.findAll({ type: 'inactive', fetchStatus: 'idle' }).filter((query) => query !== added);
  unused.sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  const lists = unused.filter(({ meta }) => meta?.isList === true);
  const others = unused.filter(({ meta }) => meta?.isList !== true);
  for (const query of lists.slice(UNUSED_LIST_COUNT_MAX)) cache.remove(query);
  for (const query of others.slice(UNUSED_COUNT_MAX)) cache.remove(query);
});

type AnyOperation = Pick<Operation<unknown, never>, 'name'>;

/** Reads the data of operations again where the page shows it. */
export function refetchShown(operations: readonly AnyOperation[]): Promise<void> {
  const names = new Set<unknown>(operations.map(({ name }) => name));
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => names.has(queryKey[0]) });
}

/**
 * Invalidates data after a change: of some operations, or all. The page reads its own data again. Data of pages that the
 * user has left is removed, so that returning to one does not show the state before the change.
 */
export function invalidate(operations?: readonly AnyOperation[]): Promise<void> {
  queryClient.removeQueries({ type: 'inactive' });
  return operations ? refetchShown(operations) : queryClient.invalidateQueries();
}
