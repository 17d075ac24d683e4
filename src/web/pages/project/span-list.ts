import type { SortState } from '../../components/table/column.ts';
import { send } from '../../data/request.ts';
import type { RowPage } from '../../data/use-rows.ts';
import { boundsAt, type ChosenRange, toApiRange } from '../../time-range/time-range.ts';
import { projectSpans } from './generated/project.ts';
import type { SpanRow } from './span-row.ts';
import { readSort, toSpanSort } from './span-sort.ts';

/** What a table of spans lists, or of traces by their root spans. */
export interface SpanList {
  readonly projectId: string;
  readonly tab: 'spans' | 'traces';
  readonly range: ChosenRange;
  /** Absent: the newest first. */
  readonly sort: SortState | undefined;
  readonly isRootsOnly: boolean;
  /** A span filter, or nothing. */
  readonly filter: string;
}

/** As the address has it. */
export const toSpanList = (
  { projectId, tab, range }: Pick<SpanList, 'projectId' | 'tab' | 'range'>,
  search: URLSearchParams,
): SpanList => ({
  projectId,
  tab,
  range,
  sort: readSort(search.get('sort')),
  isRootsOnly: tab === 'traces' || search.get('spans') !== 'all',
  filter: search.get('spanFilterCondition') ?? '',
});

export const spanListKey = ({ projectId, tab, range, sort, isRootsOnly, filter }: SpanList): string =>
  JSON.stringify([projectId, tab, range, sort, isRootsOnly, filter]);

const FIRST_COUNT = 60;
const MORE_COUNT = 200;

/** The page after a cursor, or the first one. */
export async function readSpans(
  { projectId, tab, range, sort, isRootsOnly, filter }: SpanList,
  after?: string,
  signal?: AbortSignal,
): Promise<RowPage<SpanRow>> {
  const { node } = await send(
    projectSpans,
    {
      id: projectId,
      first: after === undefined ? FIRST_COUNT : MORE_COUNT,
      after: after ?? null,
      timeRange: toApiRange(boundsAt(range, Date.now())),
      sort: toSpanSort(sort),
      rootSpansOnly: isRootsOnly,
      isOfTraces: tab === 'traces',
      filterCondition: filter === '' ? null : filter,
    },
    signal,
  );
  if (node.__typename !== 'Project') return { rows: [], next: undefined };
  const { edges, pageInfo } = node.spans;
  return {
    rows: edges.map((edge) => edge.node),
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
  };
}
