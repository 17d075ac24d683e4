import type { QueryKey } from '@tanstack/react-query';
import type { ColumnChoice, SortState } from '../../../components/table/column.ts';
import type { RowPage } from '../../../data/merge-rows.ts';
import { send } from '../../../data/request.ts';
import { boundsAt, type ChosenRange, toApiRange } from '../../../time-range/time-range.ts';
import { projectSpans } from '../generated/project.ts';
import { readRowScope } from '../row-scope.ts';
import type { SpanRow } from './span-row.ts';
import { readSort, toSpanSort } from './span-sort.ts';

/** Parameters of a table of spans, or of traces by their root spans. */
export interface SpanList {
  readonly projectId: string;
  readonly tab: 'spans' | 'traces';
  readonly range: ChosenRange;
  /** Absent: newest first. */
  readonly sort: SortState | undefined;
  readonly isRootsOnly: boolean;
  /** Span filter, or empty. */
  readonly filter: string;
  /** Whether a visible column needs more data. */
  readonly isDetailed: boolean;
}

interface Listed extends Pick<SpanList, 'projectId' | 'tab' | 'range'> {
  readonly choice: ColumnChoice;
}

/** Columns that are hidden by default. Their data is only read while one of them is visible. */
const DETAIL_IDS = ['error', 'user', 'metadata', 'notes', 'traceAnnotations'] as const;
export type DetailId = (typeof DETAIL_IDS)[number];

/** Reads the parameters from the address. */
export const toSpanList = ({ projectId, tab, range, choice }: Listed, search: URLSearchParams): SpanList => ({
  projectId,
  tab,
  range,
  sort: readSort(search.get('sort')),
  ...rowsOf(tab, search),
  // `hidden` lists columns whose visibility differs from the default.
  isDetailed: DETAIL_IDS.some((id) => choice.hidden.includes(id)),
});

function rowsOf(tab: SpanList['tab'], search: URLSearchParams): Pick<SpanList, 'isRootsOnly' | 'filter'> {
  const { grain, filter } = readRowScope(tab, search);
  return { isRootsOnly: grain !== 'spans', filter };
}

export const spanListKey = (list: SpanList): QueryKey => [projectSpans.name, list];

const FIRST_COUNT = 60;
const MORE_COUNT = 200;

/** Reads the page after a cursor, or the first page. */
export async function readSpans(
  { projectId, tab, range, sort, isRootsOnly, filter, isDetailed }: SpanList,
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
      grain: isRootsOnly ? (tab === 'traces' ? 'traces' : 'rootSpans') : 'spans',
      isOfTraces: tab === 'traces',
      isOfRoots: tab === 'spans' && isRootsOnly,
      isDetailed,
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
