import { send } from '../../data/request.ts';
import { type ListedSpanIdsData, listedSpanIds } from './generated/cases.ts';

/** Maximum number of spans that one request adds, as on the server. */
export const SPAN_COUNT_MAX = 20_000;

/** Spans that a filter selects in a range. */
export interface ListedSpans {
  readonly filter: string;
  readonly isRootsOnly: boolean;
  readonly timeRange: { readonly start?: string; readonly end?: string };
}

interface ReadOptions {
  readonly countMax: number;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the IDs of listed spans, newest first, at most `countMax`. */
export async function readListedIds(
  projectId: string,
  { filter, isRootsOnly, timeRange }: ListedSpans,
  { countMax, signal }: ReadOptions,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const data: ListedSpanIdsData = await send(
      listedSpanIds,
      {
        id: projectId,
        after,
        timeRange,
        rootSpansOnly: isRootsOnly,
        filterCondition: filter === '' ? null : filter,
      },
      signal,
    );
    if (data.node.__typename !== 'Project') return [];
    const { edges, pageInfo } = data.node.spans;
    for (const { node } of edges) ids.push(node.id);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null && ids.length < countMax);
  return ids.slice(0, countMax);
}
