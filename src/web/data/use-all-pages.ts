import { useCallback, useEffect, useState } from 'react';
import type { Operation } from './operation.ts';
import { type RequestFailure, send } from './request.ts';
import { toFailure } from './use-query.ts';
import { useRetries } from './use-retries.ts';

/** A page of a list, as the API has it. */
interface Page<Item> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly edges: readonly { readonly node: Item }[];
}

export interface AllPages<Item> {
  /** What has come so far; undefined before the first page. */
  readonly items: readonly Item[] | undefined;
  /** Whether nothing more is to come. */
  readonly isComplete: boolean;
  /** Reason why the items are incomplete. */
  readonly failure: RequestFailure | undefined;
  /** Reads all of it again, and keeps what there is until it has come. */
  readonly refetch: () => void;
}

/**
 * Every page of a list, one after the other: for lists that people search by name, where whatever is on no page cannot be
 * found.
 *
 * @param read The list in an answer; the same function each time.
 */
export function useAllPages<Data, Item>(
  operation: Operation<Data, { readonly after?: string | null }>,
  read: (data: Data) => Page<Item>,
): AllPages<Item> {
  const [state, setState] = useState<Pick<AllPages<Item>, 'items' | 'isComplete'>>({
    items: undefined,
    isComplete: false,
  });
  const [failure, setFailure] = useState<RequestFailure>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` stands for asking again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const readOn = async () => {
      const items: Item[] = [];
      for (let after: string | null | undefined; ; ) {
        const { pageInfo, edges } = read(await send(operation, { after: after ?? null }, signal));
        if (signal.aborted) return;
        items.push(...edges.map(({ node }) => node));
        const isComplete = !pageInfo.hasNextPage || pageInfo.endCursor === null;
        const found = { items: [...items], isComplete };
        setFailure(undefined);
        setState((before) => (before.isComplete && !isComplete ? before : found));
        if (isComplete) return;
        after = pageInfo.endCursor;
      }
    };
    readOn().catch((error: unknown) => {
      if (!signal.aborted) setFailure(toFailure(error));
    });
    return () => controller.abort();
  }, [operation, read, attempt]);
  const refetch = useCallback(() => setAttempt((count) => count + 1), []);
  useRetries(failure, state.isComplete, refetch);
  return { ...state, failure: state.isComplete ? undefined : failure, refetch };
}
