import { useSyncExternalStore } from 'react';
import { leavesStaleData, queryClient } from './query-client.ts';
import { type RequestFailure, toFailure } from './request.ts';

const cache = queryClient.getQueryCache();
const subscribe = (listener: () => void) => cache.subscribe(listener);

/** Reason why a part of the page shows outdated data. */
export function useStaleData(): RequestFailure | undefined {
  const error = useSyncExternalStore(subscribe, findError);
  return error && toFailure(error);
}

/** Error of the first query on the page whose data could not be read again. */
function findError(): Error | undefined {
  for (const query of cache.getAll()) {
    const { data, fetchFailureReason } = query.state;
    if (data === undefined || fetchFailureReason === null || query.getObserversCount() === 0) continue;
    if (leavesStaleData(toFailure(fetchFailureReason))) return fetchFailureReason;
  }
  return undefined;
}
